// Shows the two checks that go beyond a foreign schema, and switches them off.
import { interpretArguments } from 'toolmend';

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, maxDepth: { type: 'integer' } },
} as const;
const value = { path: '[notes.md](http://notes.md)', max_depth: 2 };

console.log(interpretArguments(schema, { value }).repairs.map(({ rule }) => rule));

const asItSays = { strict: { paths: 'off', spellings: false } } as const;
console.log(interpretArguments(schema, { value }, { tool: asItSays }).status);

import { interpretArguments } from 'toolmend';
import { type Schema, closedOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('empty_text', {
  schema: closedOf({ path: text }),
  untouched: [
    ['an empty object', '{}'],
    ['arguments', '{"path": "a"}'],
  ],
  repaired: [
    ['nothing', '', {}],
    ['blanks', ' \n\t', {}],
    ['null', 'null', {}],
    ['None', ' None\n', {}],
    ['two quotes', '""', {}],
  ],
  refused: [
    ['an empty list, where something is declared', '[]', 'type'],
    ['another word', 'undefined'],
    ['false', 'false', 'type'],
    ['an opening brace', '{', 'truncated'],
  ],
});

const required = closedOf({ path: text }, ['path']);
test.each<[string, Schema, readonly string[]]>([
  ['', closedOf({ path: text }), []],
  ['', required, ['not_sent']],
  [' \n', required, ['not_sent']],
  ['null', required, ['type']],
  ['None', required, ['not_json']],
  [' [ ]', closedOf({}), []],
  ['[] so', closedOf({}), ['not_json']],
  ['so []', closedOf({}), ['not_json']],
])('%j for a tool that declares %j: %j', (sent, schema, keywords) => {
  const result = interpretArguments(schema, { text: sent });
  expect(result.status).toBe(keywords.length === 0 ? 'repaired' : 'rejected');
  expect(result.issues.map(({ keyword }) => keyword)).toEqual(keywords);
});

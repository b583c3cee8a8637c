import { interpretArguments } from 'toolmend';
import { type Schema, closedOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

testTextRule('empty_text', {
  schema: closedOf({ path: text }),
  untouched: [
    { title: 'an empty object', text: '{}' },
    { title: 'arguments', text: '{"path": "a"}' },
  ],
  repaired: [
    { title: 'nothing', text: '', becomes: {} },
    { title: 'blanks', text: ' \n\t', becomes: {} },
    { title: 'null', text: 'null', becomes: {} },
    { title: 'None', text: ' None\n', becomes: {} },
    { title: 'two quotes', text: '""', becomes: {} },
  ],
  refused: [
    { title: 'an empty list, where something is declared', text: '[]', issue: 'type' },
    { title: 'another word', text: 'undefined' },
    { title: 'false', text: 'false', issue: 'type' },
    { title: 'an opening brace', text: '{', issue: 'truncated' },
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

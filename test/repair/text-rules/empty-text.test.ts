import { interpretArguments } from 'toolmend';
import { closedOf, text } from '../../schemas.ts';
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
  ],
  refused: [
    ['an empty list, where something is declared', '[]', 'type'],
    ['another word', 'undefined'],
    ['false', 'false', 'type'],
    ['an opening brace', '{', 'truncated'],
  ],
});

describe('by what the tool declares and how the text ended', () => {
  test.each([
    ['', [], []],
    ['', ['path'], ['not_sent']],
    [' \n', ['path'], ['not_sent']],
    ['null', ['path'], ['type']],
    ['None', ['path'], ['not_json']],
  ])('%j with %j required: %j', (sent, required, keywords) => {
    const result = interpretArguments(closedOf({ path: text }, required), { text: sent });
    expect(result.status).toBe(keywords.length === 0 ? 'repaired' : 'rejected');
    expect(result.issues.map(({ keyword }) => keyword)).toEqual(keywords);
  });
});

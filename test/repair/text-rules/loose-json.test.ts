// Is JSON as models write it read as the arguments, and its end only where it is known to be one?
import { interpretArguments } from 'toolmend';
import { listOf, objectOf, text, whole } from '../sample-schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf({ path: text, lines: listOf(whole) }, ['path']);

testTextRule({
  schema,
  untouched: [['JSON', '{"path": "a", "lines": [1]}']],
  repaired: [
    ['a trailing comma', '{"path": "a",}', { path: 'a' }, ['loose_json']],
    ['single quotes', "{'path': 'a'}", { path: 'a' }, ['loose_json']],
    ['unquoted keys and a comment', '{path: "a" /* b */}', { path: 'a' }, ['loose_json']],
    ['a surplus closer', '{"path": "a"}}', { path: 'a' }, ['loose_json']],
    [
      'a closer that ends the whole too early',
      '{"path": "a"}, "lines": [1]}',
      { path: 'a', lines: [1] },
      ['loose_json'],
    ],
    [
      'the same behind an object',
      '{"path": "a", "at": {"x": [1, {}]}}, "lines": [1]}',
      { path: 'a', at: { x: [1, {}] }, lines: [1] },
      ['loose_json'],
    ],
    ['a wrong closer', '{"path": "a", "lines": [1, 2}}', { path: 'a', lines: [1, 2] }, ['loose_json']],
    ['raw line breaks', '{"path": "a\nb"}', { path: 'a\nb' }, ['loose_json']],
    ['a byte order mark', '\uFEFF{"path": "a"}', { path: 'a' }, ['loose_json']],
    [
      'a byte order mark before a string',
      '\uFEFF"{\\"path\\": \\"a\\"}"',
      { path: 'a' },
      ['loose_json', 'double_encoded'],
    ],
    [
      'a byte order mark before a list',
      '\uFEFF[{"path": "a"}]',
      { path: 'a' },
      ['loose_json', 'single_root'],
    ],
    ['equal duplicate keys', '{"path": "a", "path": "a",}', { path: 'a' }, ['loose_json', 'duplicate_key']],
  ],
  refused: [
    ['different duplicate keys', '{"path": "a", "path": "b",}', 'duplicate_key'],
    ['a bare word', '{"path": a}', 'not_json'],
    ['a quote inside content', '{"path": "say "b""}', 'not_json'],
    ['an early end that another closer may be too', '{"at": {"x": 1}, "y": 2}, "z": 3}', 'not_json'],
    ['an early end, and none at the end', '{"path": "a"}, "lines": [1]', 'not_json'],
    ['an early end, and the key once more', '{"path": "a"}, "path": "b"}', 'duplicate_key'],
    ['an early end, twice', '{"path": "a"}, "lines": [1]}, "z": 3}', 'not_json'],
    ['words behind an object', '{"path": "a"}, "lines" are next}', 'not_json'],
    ['missing closers, the end unknown', '{"path": "a", "lines": [1', 'truncated'],
    ['an end in a string', '{"path": "a', 'truncated'],
    ['a list', "['a']", 'not_json'],
  ],
});

describe('missing closers', () => {
  test.each([
    ['tool_calls', 'repaired'],
    ['stop', 'repaired'],
    ['end_turn', 'repaired'],
    ['tool_use', 'repaired'],
    ['length', 'rejected'],
    ['max_tokens', 'rejected'],
    ['content_filter', 'rejected'],
    ['something new', 'rejected'],
    [undefined, 'rejected'],
  ])('ended by %s: %s', (finishReason, outcome) => {
    const options = finishReason === undefined ? {} : { finishReason };
    const result = interpretArguments(schema, { text: '{"path": "a", "lines": [1, 2' }, options);
    expect(result.status).toBe(outcome);
    if (result.status !== 'rejected') expect(result.value).toEqual({ path: 'a', lines: [1, 2] });
  });

  test('every beginning of a valid text is refused unless the end is known to be one', () => {
    const entire = '{"path": "a \\"b\\" c", "lines": [1, 22, 333]}';
    for (let length = 1; length < entire.length; length += 1) {
      expect(interpretArguments(schema, { text: entire.slice(0, length) }).status).toBe('rejected');
      expect(
        interpretArguments(schema, { text: entire.slice(0, length) }, { finishReason: 'length' }).status,
      ).toBe('rejected');
    }
  });

  test('an end inside a value is refused however it is said to have ended', () => {
    for (const sent of [
      '{"path": "a',
      '{"path": "a",',
      '{"path": "a", "lines"',
      '{"path": "a", "lines":',
      '{"path": "a", "lines": [1,',
    ]) {
      expect(interpretArguments(schema, { text: sent }, { finishReason: 'stop' }).status).toBe('rejected');
    }
  });
});

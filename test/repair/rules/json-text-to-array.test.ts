import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  number,
  objectOf,
  text,
  texts,
  whole,
} from '../../schemas.ts';

const edit = closedOf({ from: text, to: text }, ['from', 'to']);

testRule('json_text_to_array', {
  untouched: [
    ['a list', 'names', texts, ['a']],
    ['text that spells a list where text is declared', 'body', text, '["a"]'],
    ['text in a union that takes text', 'body', anyOf(texts, text), '["a"]'],
  ],
  repaired: [
    ['encoded text with a line break', 'ids', listOf(whole), '"\\n[1]"', [1], '/ids, /ids'],
    ...[
      '</names>',
      '\n</parameter>\n</invoke>',
      '</arg_value></tool_call>',
      '<|tool_call_end|>',
      '</parameter',
    ].map(
      (tags) =>
        [`JSON before ${JSON.stringify(tags)}`, 'names', texts, `["a"]${tags}`, ['a']] as const,
    ),
    [
      'under a key in another spelling of an open object, however often it is looked at',
      objectOf({ extra_args: texts }),
      {
        extraArgs: JSON.stringify(
          '["a","{\\"a\\": 1}","a long line of words that is looked at twice"]',
        ),
      },
      { extra_args: ['a', '{"a": 1}', 'a long line of words that is looked at twice'] },
      'rename_key /extraArgs, /extra_args, /extra_args',
    ],
    ['JSON', 'names', texts, '["a", "b"]', ['a', 'b']],
    ['an empty list', 'names', texts, '[]', []],
    ['blanks and line breaks around', 'names', texts, '\n  ["a"]\t', ['a']],
    ['Python literals', 'rows', listOf({}), "['a', True, None, 1.5]", ['a', true, null, 1.5]],
    [
      'a list of lists as texts',
      'a',
      listOf(listOf(number)),
      '["[1,2]", [3]]',
      [[1, 2], [3]],
      '/a, /a/0',
    ],
    [
      'one object whose one key is the name of the list',
      'edits',
      listOf(edit),
      '{"edits": [{"from": "a", "to": "b"}]}',
      [{ from: 'a', to: 'b' }],
      '/edits, keyed_object_to_array /edits',
    ],
    ...(
      [
        ['(1, 2, 3)', whole, [1, 2, 3]],
        ["('a', 'b')", text, ['a', 'b']],
        ["('a',)", text, ['a']],
        ['( )', text, []],
        [' (\'a (b\', "c) d") ', text, ['a (b', 'c) d']],
        ["('it\\') s', 'b')", text, ["it') s", 'b']],
        ['(True, False)', flag, [true, false]],
        ['("a\\")", "b")', text, ['a")', 'b']],
        ['({"a": 1}, 2)', {}, [{ a: 1 }, 2]],
        ['[(1, 2), (3,)]', listOf(whole), [[1, 2], [3]]],
        ['((1, 2), [3])', listOf(whole), [[1, 2], [3]]],
      ] as const
    ).map(
      ([sent, items, list]) => [`the tuple ${sent}`, 'list', listOf(items), sent, list] as const,
    ),
  ],
  refused: [
    [
      'what is encoded four times',
      'names',
      texts,
      JSON.stringify(JSON.stringify(JSON.stringify('["a"]'))),
    ],
    ...['([1, 2), 3)', '([1, 2}, 3)'].map(
      (sent) => [sent, 'ids', listOf(listOf(whole)), sent] as const,
    ),
    ['an empty object', 'edits', listOf(edit), '{}'],
    ...['{"edits": 1, "a": 2}', '{"a": 1}'].map(
      (sent) => [sent, 'edits', listOf(objectOf({})), sent] as const,
    ),
    ...['<parameter name="status">done', '</names> done', '</names><names>', '["b"]</names>'].map(
      (rest) => [`JSON before ${rest}`, 'names', texts, `["a"]${rest}`] as const,
    ),
    ['an object', 'names', texts, '{"a": 1}'],
    ['one object with another key', 'edits', listOf(objectOf({ a: text })), '{"a": "x", "b": "y"}'],
    ['a closer is missing', 'names', texts, '["a"'],
    ['encoded text of words in brackets', 'names', texts, '"[draft] a"'],
    ['a tuple with other brackets', 'ids', listOf(whole), '(1, 2]'],
  ],
});

test('two places never share what was decoded', () => {
  const schema = objectOf({ a: texts, b: texts });
  const result = interpretArguments(schema, { value: { a: '["x"]', b: '["x"]' } });
  const value: unknown = Reflect.get(result, 'value');
  expect(value).toEqual({ a: ['x'], b: ['x'] });
  expect(Reflect.get(Object(value), 'a')).not.toBe(Reflect.get(Object(value), 'b'));
});

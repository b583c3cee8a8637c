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
    { title: 'a list', argument: 'names', schema: texts, value: ['a'] },
    {
      title: 'text that spells a list where text is declared',
      argument: 'body',
      schema: text,
      value: '["a"]',
    },
    {
      title: 'text in a union that takes text',
      argument: 'body',
      schema: anyOf(texts, text),
      value: '["a"]',
    },
  ],
  repaired: [
    {
      title: 'encoded text with a line break',
      argument: 'ids',
      schema: listOf(whole),
      sent: '"\\n[1]"',
      becomes: [1],
      repairs: ['/ids', '/ids'],
    },
    ...[
      '</names>',
      '\n</parameter>\n</invoke>',
      '</arg_value></tool_call>',
      '<|tool_call_end|>',
      '</parameter',
    ].map((tags) => ({
      title: `JSON before ${JSON.stringify(tags)}`,
      argument: 'names',
      schema: texts,
      sent: `["a"]${tags}`,
      becomes: ['a'],
    })),
    {
      title: 'under a key in another spelling of an open object, however often it is looked at',
      schema: objectOf({ extra_args: texts }),
      sent: {
        extraArgs: JSON.stringify(
          '["a","{\\"a\\": 1}","a long line of words that is looked at twice"]',
        ),
      },
      becomes: { extra_args: ['a', '{"a": 1}', 'a long line of words that is looked at twice'] },
      repairs: ['rename_key /extraArgs', '/extra_args', '/extra_args'],
    },
    { title: 'JSON', argument: 'names', schema: texts, sent: '["a", "b"]', becomes: ['a', 'b'] },
    { title: 'an empty list', argument: 'names', schema: texts, sent: '[]', becomes: [] },
    {
      title: 'blanks and line breaks around',
      argument: 'names',
      schema: texts,
      sent: '\n  ["a"]\t',
      becomes: ['a'],
    },
    {
      title: 'Python literals',
      argument: 'rows',
      schema: listOf({}),
      sent: "['a', True, None, 1.5]",
      becomes: ['a', true, null, 1.5],
    },
    {
      title: 'a list of lists as texts',
      argument: 'a',
      schema: listOf(listOf(number)),
      sent: '["[1,2]", [3]]',
      becomes: [[1, 2], [3]],
      repairs: ['/a', '/a/0'],
    },
    {
      title: 'one object whose one key is the name of the list',
      argument: 'edits',
      schema: listOf(edit),
      sent: '{"edits": [{"from": "a", "to": "b"}]}',
      becomes: [{ from: 'a', to: 'b' }],
      repairs: ['/edits', 'keyed_object_to_array /edits'],
    },
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
    ).map(([sent, items, list]) => ({
      title: `the tuple ${sent}`,
      argument: 'list',
      schema: listOf(items),
      sent,
      becomes: list,
    })),
  ],
  refused: [
    {
      title: 'what is encoded four times',
      argument: 'names',
      schema: texts,
      sent: JSON.stringify(JSON.stringify(JSON.stringify('["a"]'))),
    },
    ...['([1, 2), 3)', '([1, 2}, 3)'].map((sent) => ({
      title: sent,
      argument: 'ids',
      schema: listOf(listOf(whole)),
      sent,
    })),
    { title: 'an empty object', argument: 'edits', schema: listOf(edit), sent: '{}' },
    ...['{"edits": 1, "a": 2}', '{"a": 1}'].map((sent) => ({
      title: sent,
      argument: 'edits',
      schema: listOf(objectOf({})),
      sent,
    })),
    ...['<parameter name="status">done', '</names> done', '</names><names>', '["b"]</names>'].map(
      (rest) => ({
        title: `JSON before ${rest}`,
        argument: 'names',
        schema: texts,
        sent: `["a"]${rest}`,
      }),
    ),
    { title: 'an object', argument: 'names', schema: texts, sent: '{"a": 1}' },
    {
      title: 'one object with another key',
      argument: 'edits',
      schema: listOf(objectOf({ a: text })),
      sent: '{"a": "x", "b": "y"}',
    },
    { title: 'a closer is missing', argument: 'names', schema: texts, sent: '["a"' },
    {
      title: 'encoded text of words in brackets',
      argument: 'names',
      schema: texts,
      sent: '"[draft] a"',
    },
    {
      title: 'a tuple with other brackets',
      argument: 'ids',
      schema: listOf(whole),
      sent: '(1, 2]',
    },
  ],
});

test('two places never share what was decoded', () => {
  const schema = objectOf({ a: texts, b: texts });
  const result = interpretArguments(schema, { value: { a: '["x"]', b: '["x"]' } });
  const value: unknown = Reflect.get(result, 'value');
  expect(value).toEqual({ a: ['x'], b: ['x'] });
  expect(Reflect.get(Object(value), 'a')).not.toBe(Reflect.get(Object(value), 'b'));
});

import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  number,
  objectOf,
  recordOf,
  text,
  texts,
  whole,
} from '../sample-schemas.ts';

const edit = closedOf({ from: text, to: text }, ['from', 'to']);

testRule({
  untouched: [
    ['a list', objectOf({ names: texts }), { names: ['a'] }],
    ['text that spells a list where text is declared', objectOf({ body: text }), { body: '["a"]' }],
    ['text in a union that takes text', objectOf({ body: anyOf(texts, text) }), { body: '["a"]' }],
    [
      'text in a type list that takes text',
      objectOf({ body: { type: ['array', 'string'] } }),
      { body: '["a"]' },
    ],
    ['elements that spell lists', objectOf({ names: texts }), { names: ['["a"]', '[]'] }],
    ['a place without a schema', objectOf({ names: {} }), { names: '["a"]' }],
    ['an undeclared key', objectOf({ names: texts }), { other: '["a"]' }],
  ],
  repaired: [
    ...[
      '</names>',
      '\n</parameter>\n</invoke>',
      '</arg_value></tool_call>',
      '<|tool_call_end|>',
      '</parameter',
    ].map(
      (tags) =>
        [
          `JSON before ${JSON.stringify(tags)}`,
          objectOf({ names: texts }),
          { names: `["a"]${tags}` },
          { names: ['a'] },
          'json_text_to_array /names',
        ] as const,
    ),
    [
      'under a key in another spelling of an open object, however often it is looked at',
      objectOf({ extra_args: texts }),
      { extraArgs: JSON.stringify('["a","{\\"a\\": 1}","a long line of words that is looked at twice"]') },
      { extra_args: ['a', '{"a": 1}', 'a long line of words that is looked at twice'] },
      ['rename_key /extraArgs', 'json_text_to_array /extra_args', 'json_text_to_array /extra_args'],
    ],
    [
      'JSON',
      objectOf({ names: texts }),
      { names: '["a", "b"]' },
      { names: ['a', 'b'] },
      'json_text_to_array /names',
    ],
    [
      'an empty list',
      objectOf({ names: texts }),
      { names: '[]' },
      { names: [] },
      'json_text_to_array /names',
    ],
    [
      'blanks and line breaks around',
      objectOf({ names: texts }),
      { names: '\n  ["a"]\t' },
      { names: ['a'] },
      'json_text_to_array /names',
    ],
    [
      'Python literals',
      objectOf({ rows: listOf({}) }),
      { rows: "['a', True, None, 1.5]" },
      { rows: ['a', true, null, 1.5] },
      'json_text_to_array /rows',
    ],
    [
      'a trailing comma',
      objectOf({ names: texts }),
      { names: '["a",]' },
      { names: ['a'] },
      'json_text_to_array /names',
    ],
    [
      'line breaks inside a string',
      objectOf({ names: texts }),
      { names: '["a\nb"]' },
      { names: ['a\nb'] },
      'json_text_to_array /names',
    ],
    [
      'encoded twice',
      objectOf({ names: texts }),
      { names: '"[\\"a\\"]"' },
      { names: ['a'] },
      ['json_text_to_array /names', 'json_text_to_array /names'],
    ],
    [
      'a list of lists, each spelled',
      objectOf({ grid: listOf(listOf(number)) }),
      { grid: '["[1,2]", [3]]' },
      { grid: [[1, 2], [3]] },
      ['json_text_to_array /grid', 'json_text_to_array /grid/0'],
    ],
    [
      'below an object and in a list',
      objectOf({ jobs: listOf(objectOf({ tags: texts })) }),
      { jobs: [{ tags: ['x'] }, { tags: '["y"]' }] },
      { jobs: [{ tags: ['x'] }, { tags: ['y'] }] },
      'json_text_to_array /jobs/1/tags',
    ],
    [
      'in a map, under a key that a pointer escapes',
      objectOf({ groups: recordOf(texts) }),
      { groups: { 'a/b~c': '["x"]' } },
      { groups: { 'a/b~c': ['x'] } },
      'json_text_to_array /groups/a~1b~0c',
    ],
    [
      'behind a reference',
      objectOf({ names: { $ref: '#/$defs/names' } }, [], { $defs: { names: texts } }),
      { names: '["a"]' },
      { names: ['a'] },
      'json_text_to_array /names',
    ],
    [
      'in the one branch of a union that takes a list',
      objectOf({ names: anyOf(texts, { type: 'null' }) }),
      { names: '["a"]' },
      { names: ['a'] },
      'json_text_to_array /names',
    ],
    [
      'joined with allOf',
      objectOf({ names: { allOf: [texts, { minItems: 1 }] } }),
      { names: '["a"]' },
      { names: ['a'] },
      'json_text_to_array /names',
    ],
    [
      'one object whose keys the element declares, all of them',
      objectOf({ edits: listOf(edit) }),
      { edits: '{"from": "a", "to": "b"}' },
      { edits: [{ from: 'a', to: 'b' }] },
      ['json_text_to_array /edits', 'wrap_in_array /edits'],
    ],
    [
      'one object whose one key is the name of the list',
      objectOf({ edits: listOf(edit) }),
      { edits: '{"edits": [{"from": "a", "to": "b"}]}' },
      { edits: [{ from: 'a', to: 'b' }] },
      ['json_text_to_array /edits', 'keyed_object_to_array /edits'],
    ],
    [
      'repair goes on inside',
      objectOf({ counts: listOf(whole) }),
      { counts: '["1", 2]' },
      { counts: [1, 2] },
      ['json_text_to_array /counts', 'text_to_integer /counts/0'],
    ],
    ...(
      [
        ['(1, 2, 3)', whole, [1, 2, 3]],
        ["('a', 'b')", text, ['a', 'b']],
        ["('a',)", text, ['a']],
        ['()', text, []],
        [' (\'a (b\', "c) d") ', text, ['a (b', 'c) d']],
        ["('it\\'s', 'b')", text, ["it's", 'b']],
        ['(True, False)', flag, [true, false]],
        ['[(1, 2), (3,)]', listOf(whole), [[1, 2], [3]]],
        [
          '((1, 2), [3, 4])',
          listOf(whole),
          [
            [1, 2],
            [3, 4],
          ],
        ],
      ] as const
    ).map(
      ([sent, items, list]) =>
        [
          `the tuple ${sent}`,
          objectOf({ list: listOf(items) }),
          { list: sent },
          { list },
          'json_text_to_array /list',
        ] as const,
    ),
    [
      'one object whose one key is the list’s name',
      closedOf({ a: listOf(recordOf(whole)) }),
      { a: '{"a": [{"x": 1}]}' },
      { a: [{ x: 1 }] },
      ['json_text_to_array /a', 'keyed_object_to_array /a'],
    ],
  ],
  refused: [
    ...['<parameter name="status">done', '</names> done', '</names><names>', '["b"]</names>'].map(
      (rest) =>
        [
          `JSON before ${rest}`,
          objectOf({ names: texts }),
          { names: `["a"]${rest}` },
          'type /names',
        ] as const,
    ),
    ['an object', objectOf({ names: texts }), { names: '{"a": 1}' }, 'type /names'],
    [
      'one object with a key that the element does not declare',
      objectOf({ edits: listOf(objectOf({ from: text })) }),
      { edits: '{"from": "a", "other": "b"}' },
      'type /edits',
    ],
    [
      'an empty object',
      objectOf({ edits: listOf(objectOf({ from: text })) }),
      { edits: '{}' },
      'type /edits',
    ],
    ['a closer is missing', objectOf({ names: texts }), { names: '["a"' }, 'type /names'],
    ['cut inside a string', objectOf({ names: texts }), { names: '["a", "b' }, 'type /names'],
    [
      'text that starts like a list and cannot be read is not wrapped',
      objectOf({ names: texts }),
      { names: '[draft, a' },
      'type /names',
    ],
    [
      'text that only starts as encoded text does',
      objectOf({ names: texts }),
      { names: '"[x]" he said' },
      'type /names',
    ],
    [
      'encoded text of words in brackets',
      objectOf({ names: texts }),
      { names: '"[draft] a"' },
      'type /names',
    ],
    ['a number in parentheses', objectOf({ ids: listOf(whole) }), { ids: '(1)' }, 'type /ids'],
    ['a cut tuple', objectOf({ ids: listOf(whole) }), { ids: '(1, 2' }, 'type /ids'],
    ['a tuple with other brackets', objectOf({ ids: listOf(whole) }), { ids: '(1, 2]' }, 'type /ids'],
    ['a call', objectOf({ ids: listOf(whole) }), { ids: '[int(1), 2]' }, 'type /ids'],
    ['two lists', objectOf({ names: texts }), { names: '["a"] ["b"]' }, 'type /names'],
    ['bare words', objectOf({ names: texts }), { names: '[a, b]' }, 'type /names'],
    ['an element that fits nowhere', objectOf({ flags: listOf(flag) }), { flags: '["yes"]' }, 'type /flags'],
    [
      'duplicate keys inside that differ',
      objectOf({ rows: listOf({}) }),
      { rows: '[{"a": 1, "a": 2}]' },
      'type /rows',
    ],
    [
      'digits that a number would lose',
      objectOf({ ids: listOf(whole) }),
      { ids: '[12345678901234567890]' },
      ['unsafe_number', 'type /ids'],
    ],
    [
      'a list where two branches read it in two ways',
      objectOf({
        rows: anyOf(listOf(whole), listOf(flag, { maxItems: 0 }), listOf(number, { minItems: 3 })),
      }),
      { rows: '["x"]' },
      'anyOf /rows',
    ],
    ['an empty object', closedOf({ a: listOf(whole) }), { a: '{}' }, 'type /a'],
    [
      'an empty object where elements are objects',
      closedOf({ a: listOf(objectOf({ b: whole })) }),
      { a: '{}' },
      'type /a',
    ],
    [
      'an object with a key that the element does not name',
      closedOf({ a: listOf(recordOf(whole)) }),
      { a: '{"x": 1}' },
      'type /a',
    ],
    [
      'the list’s name beside another key',
      closedOf({ a: listOf(recordOf(whole)) }),
      { a: '{"a": 2, "x": 1}' },
      'type /a',
    ],
    ['two encoded lists', closedOf({ a: texts }), { a: '"[1]" "[2]"' }, 'type /a'],
    ['an encoded list without its end', closedOf({ a: texts }), { a: '"[1" ' }, 'type /a'],
  ],
});

test('two places never share what was decoded', () => {
  const schema = objectOf({ a: texts, b: texts });
  const result = interpretArguments(schema, { value: { a: '["x"]', b: '["x"]' } });
  const value: unknown = Reflect.get(result, 'value');
  expect(value).toEqual({ a: ['x'], b: ['x'] });
  expect(Reflect.get(Object(value), 'a')).not.toBe(Reflect.get(Object(value), 'b'));
});

import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  nothing,
  objectOf,
  recordOf,
  text,
  texts,
  whole,
} from '../sample-schemas.ts';

const paths = listOf({ type: 'string', 'x-toolmend': { semantic: 'path' } });

testRule({
  untouched: [
    ['a list of one', objectOf({ names: texts }), { names: ['a'] }],
    ['an empty list', objectOf({ names: texts }), { names: [] }],
    ['a value beside a list in a union', objectOf({ names: anyOf(texts, text) }), { names: 'a' }],
    ['a list of lists', objectOf({ grid: listOf(listOf(whole)) }), { grid: [[1]] }],
    ['no list declared', objectOf({ name: text }), { name: 'a' }],
  ],
  repaired: [
    ['text', objectOf({ names: texts }), { names: 'a' }, { names: ['a'] }, 'wrap_in_array /names'],
    [
      'text with blanks inside',
      objectOf({ names: texts }),
      { names: 'a b, c d' },
      { names: ['a b, c d'] },
      'wrap_in_array /names',
    ],
    [
      'one part with a separator at its end',
      objectOf({ names: texts }),
      { names: 'a,' },
      { names: ['a,'] },
      'wrap_in_array /names',
    ],
    ['a number', objectOf({ ids: listOf(whole) }), { ids: 5 }, { ids: [5] }, 'wrap_in_array /ids'],
    [
      'a boolean',
      objectOf({ flags: listOf(flag) }),
      { flags: false },
      { flags: [false] },
      'wrap_in_array /flags',
    ],
    [
      'an object',
      objectOf({ edits: listOf(closedOf({ from: text })) }),
      { edits: { from: 'a' } },
      { edits: [{ from: 'a' }] },
      'wrap_in_array /edits',
    ],
    [
      'an object that is repaired to be an element',
      objectOf({ edits: listOf(closedOf({ from: text, count: whole })) }),
      { edits: { from: 'a', count: null } },
      { edits: [{ from: 'a' }] },
      ['wrap_in_array /edits', 'drop_null /edits/0/count'],
    ],
    [
      'text that spells an element',
      objectOf({ ids: listOf(whole) }),
      { ids: '5' },
      { ids: [5] },
      ['wrap_in_array /ids', 'text_to_integer /ids/0'],
    ],
    [
      'a path',
      objectOf({ files: paths }),
      { files: 'src/a.ts' },
      { files: ['src/a.ts'] },
      'wrap_in_array /files',
    ],
    [
      'a path that is a link starts with a bracket and is none the less one path',
      objectOf({ files: paths }),
      { files: '[a.ts](http://a.ts)' },
      { files: ['a.ts'] },
      ['wrap_in_array /files', 'md_link_to_path /files/0'],
    ],
    [
      'elements of a list of lists',
      objectOf({ groups: listOf(texts) }),
      { groups: [['a'], 'b'] },
      { groups: [['a'], ['b']] },
      'wrap_in_array /groups/1',
    ],
    [
      'values of a map',
      objectOf({ headers: recordOf(texts) }),
      { headers: { accept: '*/*' } },
      { headers: { accept: ['*/*'] } },
      'wrap_in_array /headers/accept',
    ],
    [
      'behind a reference',
      objectOf({ names: { $ref: '#/$defs/names' } }, [], { $defs: { names: texts } }),
      { names: 'a' },
      { names: ['a'] },
      'wrap_in_array /names',
    ],
    [
      'beside null in a union',
      objectOf({ names: anyOf(texts, nothing) }),
      { names: 'a' },
      { names: ['a'] },
      'wrap_in_array /names',
    ],
    [
      'one branch takes it',
      objectOf({ names: anyOf(texts, listOf(whole)) }),
      { names: 'a' },
      { names: ['a'] },
      'wrap_in_array /names',
    ],
    [
      'text with brackets later on',
      objectOf({ names: texts }),
      { names: 'see [1]' },
      { names: ['see [1]'] },
      'wrap_in_array /names',
    ],
    [
      'each of several beside a list, in a list of lists',
      objectOf({ rows: listOf(texts) }),
      { rows: [['x'], 'y'] },
      { rows: [['x'], ['y']] },
      'wrap_in_array /rows/1',
    ],
    [
      'each of several beside the text of a list',
      objectOf({ rows: listOf(texts) }),
      { rows: ['["x"]', 'y'] },
      { rows: [['x'], ['y']] },
      ['json_text_to_array /rows/0', 'wrap_in_array /rows/1'],
    ],
    [
      'the only one, in a list of lists',
      objectOf({ rows: listOf(texts) }),
      { rows: ['x'] },
      { rows: [['x']] },
      'wrap_in_array /rows/0',
    ],
    [
      'beside an element that fits as it is',
      objectOf({ rows: listOf(anyOf(texts, whole)) }),
      { rows: ['x', 5] },
      { rows: [['x'], 5] },
      'wrap_in_array /rows/0',
    ],
    [
      'each of several that are no one list',
      objectOf({ rows: listOf(listOf(text, { maxItems: 1 })) }),
      { rows: ['x', 'y'] },
      { rows: [['x'], ['y']] },
      ['wrap_in_array /rows/0', 'wrap_in_array /rows/1'],
    ],
    [
      'an object with one key of the elements and a list',
      objectOf({ todos: listOf(objectOf({ title: text })) }),
      { todos: { Title: 'a', tags: ['x'] } },
      { todos: [{ title: 'a', tags: ['x'] }] },
      ['wrap_in_array /todos', 'rename_key /todos/0/Title'],
    ],
    [
      'a value in an element that was wrapped, too',
      objectOf({ todos: listOf(closedOf({ tags: texts })) }),
      { todos: { tags: 'a' } },
      { todos: [{ tags: ['a'] }] },
      ['wrap_in_array /todos', 'wrap_in_array /todos/0/tags'],
    ],
    [
      'text of several words and one without blanks',
      objectOf({ names: texts }),
      { names: 'red apples, pears' },
      { names: ['red apples, pears'] },
      'wrap_in_array /names',
    ],
  ],
  refused: [
    ...['```json\n["a", "b"]\n```', `'["a", "b"]'`, '` {"a": 1}`'].map(
      (value) =>
        [
          `a list in ${JSON.stringify(value)}`,
          objectOf({ tags: texts }),
          { tags: value },
          'type /tags',
        ] as const,
    ),
    [
      'a number where text or a list of texts may stand',
      objectOf({ names: anyOf(text, texts) }),
      { names: 5 },
      'anyOf /names',
    ],
    ['null', objectOf({ names: texts }, ['names']), { names: null }, 'type /names'],
    [
      'null that the element allows',
      objectOf({ names: listOf({ type: ['string', 'null'] }) }, ['names']),
      { names: null },
      'type /names',
    ],
    ['blank text', objectOf({ names: texts }, ['names']), { names: '  ' }, 'type /names'],
    ['a word for null', objectOf({ names: texts }, ['names']), { names: 'None' }, 'type /names'],
    ['parts set apart by commas', objectOf({ names: texts }), { names: 'a,b' }, 'type /names'],
    ['parts set apart by commas and blanks', objectOf({ names: texts }), { names: 'a, b, c' }, 'type /names'],
    ['parts set apart by semicolons', objectOf({ names: texts }), { names: 'a;b' }, 'type /names'],
    ['parts set apart by bars', objectOf({ names: texts }), { names: 'a|b' }, 'type /names'],
    ['lines', objectOf({ names: texts }), { names: 'a\nb' }, 'type /names'],
    ['text that starts like a list', objectOf({ names: texts }), { names: '[a' }, 'type /names'],
    ['text that starts like an object', objectOf({ names: texts }), { names: '{a' }, 'type /names'],
    ['an element of another type', objectOf({ flags: listOf(flag) }), { flags: 'yes' }, 'type /flags'],
    ['too few of them', objectOf({ names: listOf(text, { minItems: 2 }) }), { names: 'a' }, 'type /names'],
    [
      'an object with a list under a key of its own',
      objectOf({ todos: listOf(objectOf({ title: text })) }),
      { todos: { list: [{ title: 'a' }] } },
      'type /todos',
    ],
    [
      'an object with an object under a key of its own',
      objectOf({ todos: listOf(objectOf({ title: text })) }),
      { todos: { first: { title: 'a' }, second: { title: 'b' } } },
      'type /todos',
    ],
    ['one value in a list of lists', objectOf({ grid: listOf(listOf(whole)) }), { grid: 5 }, 'type /grid'],
    [
      'an element of a list that contains lists of its own kind',
      objectOf({ tree: { $ref: '#/$defs/tree' } }, [], {
        $defs: { tree: listOf({ $ref: '#/$defs/tree' }) },
      }),
      { tree: 'a' },
      'type /tree',
    ],
    [
      'elements of a list that contains lists of its own kind',
      objectOf({ tree: { $ref: '#/$defs/tree' } }, [], {
        $defs: { tree: listOf({ $ref: '#/$defs/tree' }) },
      }),
      { tree: [1, 2] },
      ['type /tree/0', 'type /tree/1'],
    ],
    [
      'a number where one, or a list of texts, is in a list of types',
      objectOf({ v: { type: ['integer', 'array'], items: text } }),
      { v: '5' },
      'type /v',
    ],
    [
      'two branches, two values',
      objectOf({ ids: anyOf(listOf(whole), listOf(flag), listOf({ enum: ['5'] })) }),
      { ids: '5' },
      'anyOf /ids',
    ],
    [
      'a whole number or a list of texts are not both meant',
      objectOf({ ids: anyOf(whole, texts) }),
      { ids: '5' },
      'anyOf /ids',
    ],
    [
      'several that may be one list of a list of lists',
      objectOf({ rows: listOf(texts) }),
      { rows: ['x', 'y'] },
      ['type /rows/0', 'type /rows/1'],
    ],
  ],
});

describe('text for a list of texts', () => {
  const outcomeOf = (names: string): object =>
    interpretArguments(objectOf({ names: texts }), { value: { names } });

  test.each([
    "'[a b'",
    "'[a b",
    '\'[a b"',
    "'[a' b",
    '"[a] b',
    "'['",
    " '{a b'",
    "' [a b' ",
    '`{a b`',
    '```json\n[a b',
    '```\n{a b\n```',
    ' ~~~\n\n  {a b',
  ])('that may be a list in quotes or in a fence is no element: %j', (sent) => {
    expect(outcomeOf(sent)).toMatchObject({ status: 'rejected' });
  });

  test.each([
    '[1, 2',
    '[a',
    '[a]',
    '[a], b',
    '[a] ',
    '[a]: b',
    '[a]]',
    '[a] 1',
    '[a] [b]',
    '[a] x]',
    '[a] "b" c',
    '{a}/b',
    "['a'] b",
  ])('that starts like a list or an object is no element: %j', (sent) => {
    expect(outcomeOf(sent)).toMatchObject({ status: 'rejected' });
  });

  test.each([
    '[a-z]*.ts',
    '[GitHub] fix login',
    "[GitHub] don't",
    '[id]/page.tsx',
    '(a, b)',
    'src/*.{ts,tsx}',
    '**/*.[jt]s',
  ])('in which a bracket is part of the words is its one element: %j', (sent) => {
    expect(outcomeOf(sent)).toMatchObject({ status: 'repaired', value: { names: [sent] } });
  });

  test.each([
    'https://a.b/c',
    'https://a.b/c?x=1,2',
    'see https://a.b, then c d',
    'f(a,b)',
    'a {b,c} d',
    'red apples, pears',
    '"red" apples, pears',
    '- a b',
    'first line\n- second line',
  ])('with separators inside is its one element: %j', (sent) => {
    expect(outcomeOf(sent)).toMatchObject({ status: 'repaired', value: { names: [sent] } });
  });

  test.each([
    'https://a.b/c;d',
    'https://a.b/c|d',
    'https://a.b,',
    'https://a.b,https://c.d',
    'https://a.b/x y, https://c.d/z w',
    '苹果、香蕉',
    'a，b',
    'a；b',
    '"red", "dark blue"',
    "'red' | 'dark blue'",
    '“red”, “dark blue”',
    '- fix login\n- update docs',
    '1. fix login\n2. update docs',
    '* fix login\n\n* update docs\n',
    'f(a,b),g(c,d)',
    'a,{b,c}',
  ])('that looks like several is none: %j', (sent) => {
    expect(outcomeOf(sent)).toMatchObject({ status: 'rejected' });
  });

  test.each([
    "x '[a b'",
    "'a [b'",
    '``\n[a b',
    '```json [a b',
    '```json\nx [a b',
    `\`\`\`${'a'.repeat(21)}\n[a b`,
    'x ```\n[a b',
  ])('is its one element: %j', (sent) => {
    expect(outcomeOf(sent)).toMatchObject({ status: 'repaired', value: { names: [sent] } });
  });
});

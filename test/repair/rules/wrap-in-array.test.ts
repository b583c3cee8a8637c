import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, flag, listOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

const paths = listOf({ ...text, 'x-toolmend': { semantic: 'path' } });

testRule('wrap_in_array', {
  untouched: [
    ['a list of one', 'names', texts, ['a']],
    ['an empty list', 'names', texts, []],
    ['a value beside a list in a union', 'names', anyOf(texts, text), 'a'],
    ['a list of lists', 'grid', listOf(listOf(whole)), [[1]]],
    ['no list declared', 'name', text, 'a'],
  ],
  repaired: [
    ['text', 'names', texts, 'a', ['a']],
    ['text with blanks inside', 'names', texts, 'a b, c d', ['a b, c d']],
    ['one part with a separator at its end', 'names', texts, 'a,', ['a,']],
    ['a number', 'ids', listOf(whole), 5, [5]],
    ['a boolean', 'flags', listOf(flag), false, [false]],
    ['an object', 'edits', listOf(closedOf({ from: text })), { from: 'a' }, [{ from: 'a' }]],
    [
      'an object that is repaired to be an element',
      'edits',
      listOf(closedOf({ from: text, count: whole })),
      { from: 'a', count: null },
      [{ from: 'a' }],
      '/edits, drop_null /edits/0/count',
    ],
    ['text that spells an element', 'ids', listOf(whole), '5', [5], '/ids, text_to_integer /ids/0'],
    ['a path', 'files', paths, 'src/a.ts', ['src/a.ts']],
    [
      'a path that is a link starts with a bracket and is none the less one path',
      'files',
      paths,
      '[a.ts](http://a.ts)',
      ['a.ts'],
      '/files, md_link_to_path /files/0',
    ],
    ['elements of a list of lists', 'groups', listOf(texts), [['a'], 'b'], [['a'], ['b']], '/groups/1'],
    ['values of a map', 'headers', mapOf(texts), { accept: '*/*' }, { accept: ['*/*'] }, '/headers/accept'],
    ['beside null in a union', 'names', orNull(texts), 'a', ['a']],
    ['one branch takes it', 'names', anyOf(texts, listOf(whole)), 'a', ['a']],
    ['beside its text', 'a', listOf(texts), ['["x"]', 'y'], [['x'], ['y']], 'json_text_to_array /a/0, /a/1'],
    ['the only one, in a list of lists', 'rows', listOf(texts), ['x'], [['x']], '/rows/0'],
    ['beside an element that fits', 'rows', listOf(anyOf(texts, whole)), ['x', 5], [['x'], 5], '/rows/0'],
    ['no one list', 'a', listOf(listOf(text, { maxItems: 1 })), ['x', 'y'], [['x'], ['y']], '/a/0, /a/1'],
    [
      'an object with one key of the elements and a list',
      'todos',
      listOf(objectOf({ title: text })),
      { Title: 'a', tags: ['x'] },
      [{ title: 'a', tags: ['x'] }],
      '/todos, rename_key /todos/0/Title',
    ],
    [
      'a value in an element that was wrapped, too',
      'todos',
      listOf(closedOf({ tags: texts })),
      { tags: 'a' },
      [{ tags: ['a'] }],
      '/todos, /todos/0/tags',
    ],
  ],
  refused: [
    ...['```json\n["a", "b"]\n```', `'["a", "b"]'`, '` {"a": 1}`'].map(
      (value) => [`a list in ${JSON.stringify(value)}`, 'tags', texts, value] as const,
    ),
    ['a number where text or a list of texts may stand', 'names', anyOf(text, texts), 5, 'anyOf /names'],
    ['null', objectOf({ names: texts }, ['names']), { names: null }, 'type /names'],
    [
      'null that the element allows',
      objectOf({ names: listOf({ type: ['string', 'null'] }) }, ['names']),
      { names: null },
      'type /names',
    ],
    ['blank text', objectOf({ names: texts }, ['names']), { names: '  ' }, 'type /names'],
    ['a word for null', objectOf({ names: texts }, ['names']), { names: 'None' }, 'type /names'],
    ['parts set apart by commas', 'names', texts, 'a,b'],
    ['parts set apart by semicolons', 'names', texts, 'a;b'],
    ['parts set apart by bars', 'names', texts, 'a|b'],
    ['lines', 'names', texts, 'a\nb'],
    ['an element of another type', 'flags', listOf(flag), 'yes'],
    ['too few of them', 'names', listOf(text, { minItems: 2 }), 'a'],
    ['a list under a key of its own', 'todos', listOf(objectOf({ a: text })), { list: [{ a: 'x' }] }],
    [
      'an object with an object under a key of its own',
      'todos',
      listOf(objectOf({ title: text })),
      { first: { title: 'a' }, second: { title: 'b' } },
    ],
    ['one value in a list of lists', 'grid', listOf(listOf(whole)), 5],
    ['a number or a list of texts by a list of types', 'v', { type: ['integer', 'array'], items: text }, '5'],
    ['two branches', 'a', anyOf(listOf(whole), listOf(flag), listOf({ enum: ['5'] })), '5', 'anyOf /a'],
    ['several that may be one list of lists', 'a', listOf(texts), ['x', 'y'], 'type /a/0, type /a/1'],
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
    'أحمر، أزرق',
    '赤｜青',
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

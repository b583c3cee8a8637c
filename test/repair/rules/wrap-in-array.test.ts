import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { type Schema, anyOf, listOf, number, objectOf, text, texts, whole } from '../../schemas.ts';

/** Rows of text for a list of texts. */
const asText = (title: string, sent: readonly string[]) =>
  sent.map((value) => [`${title}: ${JSON.stringify(value)}`, 'names', texts, value] as const);
const asElement = (title: string, sent: readonly string[]) =>
  asText(title, sent).map((row) => [...row, [row[3]]] as const);
const withList = { title: 'a', tags: [] };

testRule('wrap_in_array', {
  untouched: [
    ['a list of one', 'names', texts, ['a']],
    ['an empty list', 'names', texts, []],
    ['a value beside a list in a union', 'names', anyOf(texts, text), 'a'],
  ],
  repaired: [
    ...[{}, number, whole].map(
      (items) => ['a number', 'names', anyOf(text, listOf(items)), 5, [5]] as const,
    ),
    ['text beside other text', 'names', anyOf({ ...text, maxLength: 1 }, texts), 'ab', ['ab']],
    ['beside one that fits', 'a', listOf(anyOf(listOf({}), text)), ['a', 5], ['a', [5]], '/a/1'],
    ['a list, no key', 'a', listOf(objectOf({})), withList, [withList]],
    ['with a list', 'a', listOf(objectOf({ title: text })), withList, [withList]],
    ['text', 'names', texts, 'a', ['a']],
    ['one part with a separator at its end', 'names', texts, 'a,', ['a,']],
    ['a number', 'ids', listOf(whole), 5, [5]],
    [
      'an object with one key of the elements and a list',
      'todos',
      listOf(objectOf({ title: text })),
      { Title: 'a', tags: ['x'] },
      [{ title: 'a', tags: ['x'] }],
      '/todos, rename_key /todos/0/Title',
    ],
    ...asElement('a bracket as a part of the words', [
      '[a-z]*.ts',
      ' [GitHub] fix login',
      "[GitHub] don't",
      '[id]/page.tsx',
      '(a, b)',
    ]),
    ...asElement('separators inside', [
      'https://a.b/c?x=1,2',
      ' https://a.b/c?x=1,2 ',
      'see https://a.b;c',
      'see https://a.b, then c d',
      'f(a,g(b))',
      'say "a, b" to it',
      'it fails, because x; but not if y',
      'fix the login\nwithout new tests',
    ]),
    ...asElement('what is not wholly in quotes or in a fence', ["'a [b'", '```json [a b']),
  ],
  refused: [
    [
      'an object beside an array of anything',
      'a',
      anyOf(objectOf({ n: whole }), listOf({})),
      { n: 'x' },
      'type /a/n',
    ],
    ['an object of other keys', 'todos', listOf(objectOf({ title: text })), { x: 1, tags: ['x'] }],
    ...asText('what may be a list in quotes or in a fence', [
      '```json\n["a", "b"]\n```',
      `'["a", "b"]'`,
      '` {"a": 1}`',
      "'[a b'",
      '\'[a b"',
      '"[a] b',
      "' [a b' ",
      '```json\n[a b',
      '```\n{a b\n```',
      ' ~~~\n\n  {a b',
    ]),
    ...asText('what starts like JSON', ['[a', '[a]: b', '[a] 1', '[a] [b]', '[a] x]', '{a} [b]c']),
    ...asText('what looks like several', [
      'https://a.b/c;d',
      'https://a.b,https://c.d',
      'https://a.b/x y, https://c.d/z w',
      '苹果、香蕉',
      'أحمر، أزرق',
      '"red", "dark blue"',
      '“red”, “dark blue”',
      'a b, c d',
      'Ada Lovelace, Alan Turing',
      'red apples, pears',
      'x y, And z',
      'x y, android z',
      "don't a, b don't",
      'https://a.b c;d',
      'first line\n- second line',
      'cd /tmp\nls -la',
      '- fix login\n- update docs',
      '1. fix login\n2. update docs',
      '* fix login\n\n* update docs\n',
      'a,{b,c}',
      'f(a,b]',
      'f(a),b)',
    ]),
    [
      'a number where text or a list of texts may stand',
      'names',
      anyOf(text, texts),
      5,
      'anyOf /names',
    ],
    ...['null', 'None'].map(
      (word) =>
        ['a null word that is a member', 'kinds', listOf({ enum: [word, 'a'] }), word] as const,
    ),
    ['null', objectOf({ names: texts }, ['names']), { names: null }, 'type /names'],
    ['blank text', objectOf({ names: texts }, ['names']), { names: '  ' }, 'type /names'],
  ],
});

test('the message shows both readings', () => {
  const issues = (items: Schema, sent: string) =>
    interpretArguments(objectOf({ names: listOf(items) }), { value: { names: sent } }).issues;
  expect(issues(text, 'Ada Lovelace, Alan Turing')).toMatchObject([
    {
      path: '/names',
      advice: 'did you mean ["Ada Lovelace","Alan Turing"] or ["Ada Lovelace, Alan Turing"]?',
    },
  ]);
  expect(issues(text, '[1, 2')).toMatchObject([{ path: '/names' }]);
  expect(issues(text, '[1, 2')[0]?.advice ?? '').not.toContain('did you mean');
  expect(issues(whole, '1, 2')[0]?.advice ?? '').not.toContain('did you mean');
});

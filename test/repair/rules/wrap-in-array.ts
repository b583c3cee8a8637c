import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { type Schema, anyOf, listOf, number, objectOf, text, texts, whole } from '../../schemas.ts';

/** Rows of text for a list of texts. */
const asText = (title: string, values: readonly string[]) =>
  values.map((sent) => ({
    title: `${title}: ${JSON.stringify(sent)}`,
    argument: 'names',
    schema: texts,
    sent,
  }));
const asElement = (title: string, values: readonly string[]) =>
  asText(title, values).map((row) => ({ ...row, becomes: [row.sent] }));
const withList = { title: 'a', tags: [] };

testRule('wrap_in_array', {
  untouched: [
    { title: 'a list of one', argument: 'names', schema: texts, value: ['a'] },
    { title: 'an empty list', argument: 'names', schema: texts, value: [] },
    {
      title: 'a value beside a list in a union',
      argument: 'names',
      schema: anyOf(texts, text),
      value: 'a',
    },
  ],
  repaired: [
    ...asElement('one element, although some would be set apart elsewhere', [
      'pros and cons of Rust',
      'fix A and B in the parser',
      'Q1 & Q2 results',
      'GPT-4 vs GPT-5',
      '+43 664 1234567',
      'see 1. and 2. below',
      '1. wash the car',
      '- wash the car',
      'well-known - and loved',
      'a -> b',
      `printf "a\\nb"`,
      `it's "a" or "b"`,
      'const a: number[] = [1]',
    ]),
    {
      title: 'a folder, no line break',
      argument: 'paths',
      schema: texts,
      sent: 'C:\\new',
      becomes: ['C:\\new'],
    },
    ...['a #b', '@ada', 'Hello, and bye', '<b>a</b>', 'f(a, b)'].map((sent) => ({
      title: `one element: ${sent}`,
      argument: 'tags',
      schema: texts,
      sent,
      becomes: [sent],
    })),
    ...[number, whole].map((items) => ({
      title: 'a number',
      argument: 'names',
      schema: anyOf(text, listOf(items)),
      sent: 5,
      becomes: [5],
    })),
    {
      title: 'text beside other text',
      argument: 'names',
      schema: anyOf({ ...text, maxLength: 1 }, texts),
      sent: 'ab',
      becomes: ['ab'],
    },
    {
      title: 'beside one that fits',
      argument: 'a',
      schema: listOf(anyOf(listOf(whole), text)),
      sent: ['a', 5],
      becomes: ['a', [5]],
      repairs: '/a/1',
    },
    {
      title: 'a list, no key',
      argument: 'a',
      schema: listOf(objectOf({})),
      sent: withList,
      becomes: [withList],
    },
    {
      title: 'with a list',
      argument: 'a',
      schema: listOf(objectOf({ title: text })),
      sent: withList,
      becomes: [withList],
    },
    { title: 'text', argument: 'names', schema: texts, sent: 'a', becomes: ['a'] },
    { title: 'a number', argument: 'ids', schema: listOf(whole), sent: 5, becomes: [5] },
    {
      title: 'an object with one key of the elements and a list',
      argument: 'todos',
      schema: listOf(objectOf({ title: text })),
      sent: { Title: 'a', tags: ['x'] },
      becomes: [{ title: 'a', tags: ['x'] }],
      repairs: ['/todos', 'rename_key /todos/0/Title'],
    },
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
    ...['/My Files/a.txt', 'My Files/a b.txt', '/tmp/My file.txt', 'and', 'a.txt'].map((sent) => ({
      title: `a path: ${JSON.stringify(sent)}`,
      argument: 'paths',
      schema: texts,
      sent,
      becomes: [sent],
    })),
    ...['ls', '-v'].map((sent) => ({
      title: `a command without arguments: ${sent}`,
      argument: 'argv',
      schema: texts,
      sent,
      becomes: [sent],
    })),
    ...asElement('words', ['a.txt b.txt', 'ls -la', 'and/or he/she', 'ask ada@x.org', 'ask @ada']),
    ...asElement('one address with words', ['Ada L <ada@x.org>', 'see https://a.org now']),
    ...asElement('what is not wholly in quotes or in a fence', ["'a [b'", '```json [a b']),
  ],
  refused: [
    ...['Paris,', ', Paris', 'Paris， ', '#one #two', '@ada and @bob', '<item>a</item>'].map(
      (sent) => ({
        title: `what may be read otherwise: ${sent}`,
        argument: 'tags',
        schema: texts,
        sent,
      }),
    ),
    ...['none', 'NONE', 'Null', 'nil', 'n/a'].map((word) => ({
      title: `a word for nothing: ${word}`,
      argument: 'tags',
      schema: texts,
      sent: word,
    })),
    ...[
      { others: objectOf({}), sent: 5 },
      { others: objectOf({}), sent: 'a' },
      { others: whole, sent: 'a' },
      { others: text, sent: { a: 1 } },
      { others: text, sent: 5 },
    ].map(({ others, sent }) => ({
      title: `${JSON.stringify(sent)} for an array of anything or ${JSON.stringify(others)}`,
      argument: 'input',
      schema: anyOf(listOf({}), others),
      sent,
      issues: 'anyOf /input',
    })),
    {
      title: 'an object beside an array of anything',
      argument: 'a',
      schema: anyOf(objectOf({ n: whole }), listOf({})),
      sent: { n: 'x' },
      issues: 'type /a/n',
    },
    {
      title: 'an object of other keys',
      argument: 'todos',
      schema: listOf(objectOf({ title: text })),
      sent: { x: 1, tags: ['x'] },
    },
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
    ...[
      { argument: 'paths', sent: 'a.txt b.txt' },
      { argument: 'files', sent: 'src/a.ts and src/b.tsx' },
      { argument: 'paths', sent: '/tmp/a ~/b ../c' },
      { argument: 'filePaths', sent: 'C:\\a D:\\b' },
      { argument: 'argv', sent: 'ls -la' },
      { argument: 'to', sent: 'ada@x.org bob@x.org' },
      { argument: 'links', sent: 'https://a.org and ftp://b.org' },
      { argument: 'names', sent: 'src/a.ts src/b/c.ts' },
      { argument: 'names', sent: '/tmp/a ~/b' },
      { argument: 'names', sent: 'https://a.org bob@x.org' },
      { argument: 'to', sent: 'Ada L <ada@x.org> Bob <bob@x.org>' },
      { argument: 'command', sent: 'git status' },
    ].map(({ argument, sent }) => ({
      title: `several between blanks in ${argument}: ${sent}`,
      argument,
      schema: texts,
      sent,
    })),
    ...asText('what may be several without a separator', [
      'Paris and London',
      'Ada Lovelace & Alan Turing',
      'Wien und Graz',
      'A12 or B13',
      'A12 B13 C14',
      '2026-01-31 2026-02-28',
      '"a" "b c"',
      "'a' `b`",
      '1. wash 2. rinse',
      'Steps: 1) wash 2) rinse',
      '(a) yes (b) no',
      '• yes • no',
      'a · b',
      '- yes - no',
      'a -> b -> c',
      'a→b→c',
      'a<br>b',
      'wash\\nrinse',
      'x: ["a", "b"]',
      'names = [a, b]',
      '"names": {a}',
    ]),
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
    {
      title: 'a number where text or a list of texts may stand',
      argument: 'names',
      schema: anyOf(text, texts),
      sent: 5,
      issues: 'anyOf /names',
    },
    ...['null', 'None'].map((word) => ({
      title: 'a null word that is a member',
      argument: 'kinds',
      schema: listOf({ enum: [word, 'a'] }),
      sent: word,
    })),
    {
      title: 'null',
      schema: objectOf({ names: texts }, ['names']),
      sent: { names: null },
      issues: 'type /names',
    },
    {
      title: 'blank text',
      schema: objectOf({ names: texts }, ['names']),
      sent: { names: '  ' },
      issues: 'type /names',
    },
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
  const command = interpretArguments(objectOf({ argv: texts }), { value: { argv: 'ls -la' } });
  expect(command.issues).toMatchObject([{ advice: 'did you mean ["ls","-la"] or ["ls -la"]?' }]);
  expect(issues(text, '[1, 2')).toMatchObject([{ path: '/names' }]);
  expect(issues(text, '[1, 2')[0]?.advice ?? '').not.toContain('did you mean');
  expect(issues(whole, '1, 2')[0]?.advice ?? '').not.toContain('did you mean');
});

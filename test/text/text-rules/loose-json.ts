import type { ArgumentOptions } from 'toolmend';
import { read } from '../../read.ts';
import { listOf, objectOf, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf({ path: text, lines: listOf(whole) }, ['path']);

testTextRule('loose_json', {
  schema,
  untouched: [
    { title: 'JSON', text: '{"path": "a", "lines": [1]}' },
    { title: 'curly quotes in a string', text: '{"path": "“a”"}' },
    { title: 'a tab behind a drive letter', text: '{"path": "C:\\temp"}' },
    { title: 'a command with its backslash escaped', text: '{"path": "\\\\underline"}' },
    { title: 'a key without a name', text: '{"": 1, "path": "a"}' },
  ],
  repaired: [
    {
      title: 'a pair of escaped quotes at the end',
      text: '{"path": "href=\\"\\w+\\""}',
      becomes: { path: 'href="\\w+"' },
    },
    { title: 'a trailing comma', text: '{"path": "a",}', becomes: { path: 'a' } },
    { title: 'single quotes', text: "{'path': 'a'}", becomes: { path: 'a' } },
    { title: 'a comment about the call', text: '# The call:\n{path: "a"}', becomes: { path: 'a' } },
    { title: 'unquoted keys and a comment', text: '{path: "a" /* b */}', becomes: { path: 'a' } },
    ...['the path, not the folder', 'read it (no limit)', 'file or folder', 'see http://a.org'].map(
      (comment) => ({
        title: `a comment about the value: ${comment}`,
        text: `{"path": "a // or b", // ${comment}\n}`,
        becomes: { path: 'a // or b' },
      }),
    ),
    { title: 'curly quotes', text: '{“path”: “a”}', becomes: { path: 'a' } },
    {
      title: 'a path with a drive letter',
      text: '{"path": "C:\\temp\\dir"}',
      becomes: { path: 'C:\\temp\\dir' },
    },
    { title: 'token quotes', text: '{path: <|"|>a<|"|>}', becomes: { path: 'a' } },
    {
      title: 'a quote behind a number',
      text: '{"path": "a", "lines": [1"]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'three quotes',
      text: '{"path": """say "b" now"""}',
      becomes: { path: 'say "b" now' },
    },
    {
      title: 'a line that ends in a backslash',
      text: '{"path": "a\\\nb"}',
      becomes: { path: 'a\\\nb' },
    },
    { title: 'raw line breaks', text: '{"path": "a\nb"}', becomes: { path: 'a\nb' } },
    {
      title: 'a command that starts with u',
      text: '{"path": "\\underline{a}"}',
      becomes: { path: '\\underline{a}' },
    },
    {
      title: 'a folder that starts with u',
      text: "{'path': '\\users'}",
      becomes: { path: '\\users' },
    },
    {
      title: 'such a command beside a quote',
      text: '{"path": "\\"a\\" \\usepackage"}',
      becomes: { path: '"a" \\usepackage' },
    },
    {
      title: 'escaped single quotes',
      text: "{\\'path\\': \\'a\\', lines: [1]}",
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'a doubled quote before a key',
      text: '{""path": "a", ""lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    { title: 'a byte order mark', text: '\uFEFF{"path": "a"}', becomes: { path: 'a' } },
    {
      title: 'a mark before a string',
      text: '\uFEFF"{\\"path\\":\\"a\\"}"',
      becomes: { path: 'a' },
      rules: ['loose_json', 'double_encoded'],
    },
    {
      title: 'a byte order mark before a list',
      text: '\uFEFF[{"path": "a"}]',
      becomes: { path: 'a' },
      rules: ['loose_json', 'single_root'],
    },
    {
      title: 'a list of one',
      text: "[{'path': 'a'}]",
      becomes: { path: 'a' },
      rules: ['loose_json', 'single_root'],
    },
    {
      title: 'the same in it',
      text: "[{'path': 'a', 'path': 'a'}]",
      becomes: { path: 'a' },
      rules: ['broken_json', 'duplicate_key'],
    },
    { title: 'an object in single quotes', text: `' {"path": "a"}'`, becomes: { path: 'a' } },
    {
      title: 'equal duplicate keys',
      text: '{"path": "a", "path": "a",}',
      becomes: { path: 'a' },
      rules: ['loose_json', 'duplicate_key'],
    },
  ],
  refused: [
    ...[
      ['the path \\dir\\, and a quote too many', '{"path": "\\dir\\""}'],
      ['it, before another member', '{"path": "\\dir\\"", "lines": [1]}'],
      ['it, at the end of a share', '{"path": "a\\dir\\""}'],
      ['a third quote', '{"path": "\\"a\\" \\dir\\""}'],
    ].map(([title = '', sent = '']) => ({
      title: `a quote that may end the string: ${title}`,
      text: sent,
    })),
    {
      title: 'different keys',
      text: '{"path": "a", "path": "b",}',
      issue: { keyword: 'duplicate_key', key: 'path' },
    },
    { title: 'a comment before it that denies it', text: '// not this one\n{path: "a"}' },
    ...['# Example:\n', '// for example\n', '/* example only */ ', '## Previous result\n'].map(
      (comment) => ({
        title: `a comment that shows it: ${comment}`,
        text: `${comment}{path: "a"}`,
      }),
    ),
    ...[
      'or "b"'.replaceAll('"', ''),
      'actually b',
      'should be b',
      'b?',
      'TODO: the real path',
      'placeholder',
      'replace this',
      'for example',
      '... and more',
      'the rest is omitted',
      'lieber b',
    ].flatMap((comment) => [
      { title: `a comment for another value: ${comment}`, text: `{"path": "a" // ${comment}\n}` },
      { title: `a block for another value: ${comment}`, text: `{"path": "a" /* ${comment} */}` },
    ]),
    { title: 'a scalar member that was commented out', text: '{"path": "a",\n// lines: 5\n}' },
    { title: 'a comment behind it that takes it back', text: '{path: "a"} // no, another one' },
    { title: 'curly quotes among straight ones, which may be content', text: '{"path": “a”}' },
    { title: 'a curly quote that a straight one closes', text: '{"path": “a"}' },
    { title: 'a tab behind a drive letter, which may be a folder', text: '{"path": "C:\\temp",}' },
    { title: 'a bare word', text: '{"path": a}' },
    { title: 'half a code', text: '{"path": "\\u00e"}' },
    { title: 'letters of a code', text: '{"path": "\\udownload"}' },
    { title: 'a code in braces', text: '{"path": "\\u{1F600}"}' },
    { title: 'a command beside a code', text: '{"path": "\\underline \\u00e9"}' },
    { title: 'a command beside a line break', text: '{"path": "\\underline\\n"}' },
    { title: 'a command beside an escaped backslash', text: '{"path": "a \\\\ \\underline"}' },
    { title: 'an unknown escape beside an escaped backslash', text: '{"path": "a \\\\ \\d"}' },
    { title: 'escaped single quotes and double ones', text: '{\\\'path\\\': "a"}' },
    { title: 'escaped single quotes and plain ones', text: "{\\'path\\': 'a'}" },
    { title: 'an escape between escaped quotes', text: "{\\'path\\': \\'a\\n\\'}" },
    { title: 'an apostrophe between escaped quotes', text: "{\\'path\\': \\'it\\'s\\'}" },
    { title: 'doubled quotes around a key', text: '{""path"": "a"}' },
    { title: 'a doubled quote before a value', text: '{"path": ""a"}' },
    {
      title: 'a quote behind a number where text is declared',
      text: '{"path": 5"}',
      issue: 'type',
    },
    { title: 'a quote behind a number where any value may be', text: '{"path": "a", "any": 5"}' },
    { title: 'the same in a list of one', text: '[{"path": "a", "any": 5"}]' },
    { title: 'a list of two', text: "[{'path': 'a'}, {'path': 'b'}]" },
    { title: 'words in single quotes', text: `'So: {"path": "a"}'` },
    { title: 'a list behind a word in single quotes', text: `'So:{"path": "a"}'` },
    { title: 'a list of text in single quotes', text: `['{"path": "a"}']` },
    { title: 'an escape in single quotes', text: `'{"path": "a\\n"}'` },
    { title: 'a member that was commented out', text: '{"path": "a",\n// "lines": [1]\n}' },
    { title: 'an end in a string', text: '{"path": "a', issue: 'truncated' },
    { title: 'a list', text: "['a']" },
    { title: 'three quotes around nothing but separators', text: '{"path": ""","","""}' },
    { title: 'a line that ends in a backslash, in single quotes', text: "{'path': 'a\\\nb'}" },
  ],
});

describe('what may be meant otherwise', () => {
  const result = (sent: string, tool: ArgumentOptions['tool'] = {}) => read(schema, sent, { tool });

  test.each(['{"path": "\\underline"}', '{""path": "a"}', "{\\'path\\': \\'a\\'}"])(
    'has a note, and is confirmed on a destructive tool: %s',
    (sent) => {
      expect(result(sent).notes).toEqual([
        { rule: 'loose_json', path: '', text: 'The arguments were repaired (loose_json).' },
      ]);
      expect(result(sent, { effects: 'destructive' })).toMatchObject({
        status: 'rejected',
        issues: [{ keyword: 'not_confirmed' }],
      });
    },
  );

  test.each(["{'path': 'a'}", '{"path": "C:\\users",}', '{path: """a"""}'])(
    'has none: %s',
    (sent) => {
      expect(result(sent, { effects: 'destructive' })).toMatchObject({
        status: 'repaired',
        notes: [],
      });
    },
  );
});

const flags = objectOf({ all: { type: 'boolean' }, limit: { type: ['integer', 'null'] } }, ['all']);

test.each([
  ['{"all": TRUE, "limit": NULL}', { all: true, limit: null }],
  ['{"all": FALSE, "limit": Null}', { all: false, limit: null }],
  ['{"all": False, "limit": None}', { all: false, limit: null }],
])('the literal in %s is read in the letters of other languages', (sent, becomes) => {
  expect(read(flags, sent)).toMatchObject({
    status: 'repaired',
    value: becomes,
    repairs: [{ rule: 'loose_json' }],
  });
});

test.each(['tRUE', 'TRUEST', 'TRUE_', 'none', 'NONE', 'nil', 'yes'])('%s is no literal', (word) => {
  expect(read(flags, `{"all": ${word}}`).status).toBe('rejected');
  expect(read(flags, `{"all": true, "limit": ${word}}`).status).toBe('rejected');
});

test('a literal in capitals is not text', () => {
  expect(read(schema, '{"path": TRUE}').status).toBe('rejected');
});

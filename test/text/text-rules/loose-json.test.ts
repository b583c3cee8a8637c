import type { ArgumentOptions } from 'toolmend';
import { read } from '../../read.ts';
import { listOf, objectOf, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf({ path: text, lines: listOf(whole) }, ['path']);

testTextRule('loose_json', {
  schema,
  untouched: [
    ['JSON', '{"path": "a", "lines": [1]}'],
    ['curly quotes in a string', '{"path": "“a”"}'],
    ['a tab behind a drive letter', '{"path": "C:\\temp"}'],
    ['a command with its backslash escaped', '{"path": "\\\\underline"}'],
    ['a key without a name', '{"": 1, "path": "a"}'],
  ],
  repaired: [
    ['a trailing comma', '{"path": "a",}', { path: 'a' }],
    ['single quotes', "{'path': 'a'}", { path: 'a' }],
    ['unquoted keys and a comment', '{path: "a" /* b */}', { path: 'a' }],
    ['curly quotes', '{“path”: “a”}', { path: 'a' }],
    ['a path with a drive letter', '{"path": "C:\\temp\\dir"}', { path: 'C:\\temp\\dir' }],
    ['token quotes', '{path: <|"|>a<|"|>}', { path: 'a' }],
    ['a quote behind a number', '{"path": "a", "lines": [1"]}', { path: 'a', lines: [1] }],
    ['three quotes', '{"path": """say "b" now"""}', { path: 'say "b" now' }],
    ['a line that ends in a backslash', '{"path": "a\\\nb"}', { path: 'a\\\nb' }],
    ['raw line breaks', '{"path": "a\nb"}', { path: 'a\nb' }],
    ['a command that starts with u', '{"path": "\\underline{a}"}', { path: '\\underline{a}' }],
    ['a folder that starts with u', "{'path': '\\users'}", { path: '\\users' }],
    [
      'such a command beside a quote',
      '{"path": "\\"a\\" \\usepackage"}',
      { path: '"a" \\usepackage' },
    ],
    ['escaped single quotes', "{\\'path\\': \\'a\\', lines: [1]}", { path: 'a', lines: [1] }],
    ['a doubled quote before a key', '{""path": "a", ""lines": [1]}', { path: 'a', lines: [1] }],
    ['a byte order mark', '\uFEFF{"path": "a"}', { path: 'a' }],
    [
      'a mark before a string',
      '\uFEFF"{\\"path\\":\\"a\\"}"',
      { path: 'a' },
      'loose_json, double_encoded',
    ],
    [
      'a byte order mark before a list',
      '\uFEFF[{"path": "a"}]',
      { path: 'a' },
      'loose_json, single_root',
    ],
    ['a list of one', "[{'path': 'a'}]", { path: 'a' }, 'loose_json, single_root'],
    ['the same in it', "[{'path': 'a', 'path': 'a'}]", { path: 'a' }, 'broken_json, duplicate_key'],
    ['an object in single quotes', `' {"path": "a"}'`, { path: 'a' }],
    [
      'equal duplicate keys',
      '{"path": "a", "path": "a",}',
      { path: 'a' },
      'loose_json, duplicate_key',
    ],
  ],
  refused: [
    ['different keys', '{"path": "a", "path": "b",}', { keyword: 'duplicate_key', key: 'path' }],
    ['curly quotes among straight ones, which may be content', '{"path": “a”}'],
    ['a curly quote that a straight one closes', '{"path": “a"}'],
    ['a tab behind a drive letter, which may be a folder', '{"path": "C:\\temp",}'],
    ['a bare word', '{"path": a}'],
    ['half a code', '{"path": "\\u00e"}'],
    ['letters of a code', '{"path": "\\udownload"}'],
    ['a code in braces', '{"path": "\\u{1F600}"}'],
    ['a command beside a code', '{"path": "\\underline \\u00e9"}'],
    ['a command beside a line break', '{"path": "\\underline\\n"}'],
    ['a command beside an escaped backslash', '{"path": "a \\\\ \\underline"}'],
    ['an unknown escape beside an escaped backslash', '{"path": "a \\\\ \\d"}'],
    ['escaped single quotes and double ones', '{\\\'path\\\': "a"}'],
    ['escaped single quotes and plain ones', "{\\'path\\': 'a'}"],
    ['an escape between escaped quotes', "{\\'path\\': \\'a\\n\\'}"],
    ['an apostrophe between escaped quotes', "{\\'path\\': \\'it\\'s\\'}"],
    ['doubled quotes around a key', '{""path"": "a"}'],
    ['a doubled quote before a value', '{"path": ""a"}'],
    ['a quote behind a number where text is declared', '{"path": 5"}', 'type'],
    ['a quote behind a number where any value may be', '{"path": "a", "any": 5"}'],
    ['the same in a list of one', '[{"path": "a", "any": 5"}]'],
    ['a list of two', "[{'path': 'a'}, {'path': 'b'}]"],
    ['words in single quotes', `'So: {"path": "a"}'`],
    ['a list behind a word in single quotes', `'So:{"path": "a"}'`],
    ['a list of text in single quotes', `['{"path": "a"}']`],
    ['an escape in single quotes', `'{"path": "a\\n"}'`],
    ['a member that was commented out', '{"path": "a",\n// "lines": [1]\n}'],
    ['an end in a string', '{"path": "a', 'truncated'],
    ['a list', "['a']"],
    ['three quotes around nothing but separators', '{"path": ""","","""}'],
    ['a line that ends in a backslash, in single quotes', "{'path': 'a\\\nb'}"],
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

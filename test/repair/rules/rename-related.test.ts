import { missingAndTwoUnknown, missingAndUnknown, testRule } from '../rule-case.ts';
import {
  closedOf,
  flag,
  listOf,
  mapOf,
  number,
  objectOf,
  text,
  texts,
  whole,
} from '../../schemas.ts';
import { readValue, rejectedFor } from '../../read.ts';

const two = (declared: string, more = 'note') =>
  closedOf({ [declared]: text, [more]: text }, [declared]);

/** The undeclared key beside another one, so that it is not the only key. */
const renamed = (key: string, declared: string) =>
  [
    `${key} for ${declared}`,
    two(declared),
    { note: 'n', [key]: 'x' },
    { note: 'n', [declared]: 'x' },
    `/${key}`,
  ] as const;

const refused = (key: string, declared: string) =>
  [
    `${key} is not ${declared}`,
    two(declared),
    { note: 'n', [key]: 'x' },
    missingAndUnknown,
  ] as const;

const missing = (keys: number) => Array.from({ length: keys }, () => 'required').join(', ');

testRule('rename_related', {
  untouched: [
    ['the declared keys', two('path'), { path: 'a', note: 'b' }],
    [
      'an open object that has all it needs',
      objectOf({ path: text }, ['path']),
      { path: 'a', file: 'b' },
    ],
    ['a map', mapOf(text), { file: 'a' }],
  ],
  repaired: [
    ...[
      // A group's words, by themselves and beside each other.
      ...['file', 'filename', 'filepath', 'file_path', 'filePath', 'FilePath', 'file_name'].map(
        (key) => [key, 'path'],
      ),
      ...['q', 'search', 'question', 'input', 'search_query', 'query_string', 'queryText'].map(
        (key) => [key, 'query'],
      ),
      ['path', 'file_path'],
      ['cmd', 'command'],
      ['command', 'cmd'],
      ['script', 'command'],
      ['text', 'content'],
      ['body', 'content'],
      ['contents', 'content'],
      ['uri', 'url'],
      ['link', 'url'],
      ['href', 'url'],
      ['regex', 'pattern'],
      ['dir', 'directory'],
      ['folder', 'directory'],
      ['output_dir', 'output_directory'],
      ['old', 'old_string'],
      ['oldText', 'old_string'],
      ['new_str', 'new_string'],
      // Words that add nothing.
      ['user', 'user_name'],
      ['city_name', 'city'],
      ['title_param', 'title'],
      ['label', 'label_text'],
      // Number.
      ['entries', 'entry'],
      ['tag', 'tags'],
      // One letter.
      ['descripton', 'description'],
      ['desciption', 'description'],
      ['recipiant', 'recipient'],
      ['filea_path', 'file_path'],
    ].map(([key = '', declared = '']) => renamed(key, declared)),
    [
      'the only key',
      closedOf({ path: text }, ['path']),
      { file_path: 'a' },
      { path: 'a' },
      '/file_path',
    ],
    [
      'a singular whose value is wrapped',
      closedOf({ queries: texts }, ['queries']),
      { query: 'cats' },
      { queries: ['cats'] },
      '/query, wrap_in_array /queries',
    ],
    [
      'several keys',
      closedOf({ path: text, old_string: text, new_string: text }, [
        'path',
        'old_string',
        'new_string',
      ]),
      { file: 'a', oldText: 'b', newText: 'c' },
      { path: 'a', old_string: 'b', new_string: 'c' },
      '/file, /oldText, /newText',
    ],
    [
      'beside another spelling',
      closedOf({ path: text, content: text }, ['path', 'content']),
      { file_path: 'a', Content: 'b' },
      { content: 'b', path: 'a' },
      'rename_key /Content, /file_path',
    ],
    [
      'in elements of a list',
      closedOf({ edits: listOf(closedOf({ path: text, line: whole }, ['path'])) }, ['edits']),
      { edits: [{ file: 'a', line: 1 }, { file: 'b' }] },
      { edits: [{ path: 'a', line: 1 }, { path: 'b' }] },
      '/edits/0/file, /edits/1/file',
    ],
    [
      'in an open object',
      objectOf({ path: text, content: text }, ['path', 'content']),
      { file_path: 'a', content: 'b' },
      { path: 'a', content: 'b' },
      '/file_path',
    ],
    [
      'beside a value that is repaired',
      closedOf({ path: text, line: whole }, ['path', 'line']),
      { file: 'a', line: '3' },
      { path: 'a', line: 3 },
      '/file, text_to_integer /line',
    ],
  ],
  refused: [
    ...[
      // Opposites, negations, units, single letters, digits.
      ['new_text', 'old_text'],
      ['max_price', 'min_price'],
      ['to_date', 'from_date'],
      ['source_path', 'path'],
      ['not_query', 'query'],
      ['timeout_ms', 'timeout'],
      ['timeout_ms', 'timeout_s'],
      ['size_kb', 'size_mb'],
      ['point_x', 'point_y'],
      ['x', 'position_x'],
      ['file1', 'file2'],
      ['path1', 'path'],
      ['enabled', 'disabled'],
      // Another thing of the same sort.
      ['file_content', 'file_path'],
      ['path', 'content'],
      ['directory', 'path'],
      ['user_id', 'user_name'],
      ['label', 'title'],
      ['id', 'user_id'],
      ['owner', 'user'],
      ['path_pattern', 'pattern'],
      // Another word by its first letter; two letters; a short name.
      ['age', 'page'],
      ['page', 'age'],
      ['user_age', 'user_page'],
      ['altitude', 'latitude'],
      ['user_ip', 'user_id'],
      ['wort', 'word'],
      ['descrition_s', 'description'],
      ['dscrption', 'description'],
    ].map(([key = '', declared = '']) => refused(key, declared)),
    [
      'a wrong letter in the only key',
      closedOf({ country: text }, ['country']),
      { contry: 'x' },
      missingAndUnknown,
    ],
    [
      'an optional key is related, too',
      closedOf({ path: text, filename: text }, ['path']),
      { file: 'a' },
      missingAndUnknown,
    ],
    [
      'a key that was sent is related, too',
      closedOf({ path: text, file: text }, ['path', 'file']),
      { path: 'a', filename: 'b' },
      missingAndUnknown,
    ],
    [
      'two for one',
      closedOf({ path: text }, ['path']),
      { file: 'a', filename: 'a' },
      missingAndTwoUnknown,
    ],
    [
      'one for two',
      closedOf({ path: text, content: text }, ['path', 'content']),
      { file: 'a' },
      `${missing(2)}, additionalProperties`,
    ],
    [
      'one of two',
      closedOf({ path: text, city: text }, ['path', 'city']),
      { file: 'a', body: 'b' },
      `${missing(2)}, additionalProperties, additionalProperties`,
    ],
    ['a key too many', two('path'), { note: 'n', file: 'a', verbose: true }, missingAndTwoUnknown],
    ['the key is there', two('path'), { path: 'a', file_path: 'b' }],
    ['a value that does not fit', two('path'), { note: 'n', file: { a: 1 } }, missingAndUnknown],
    ['two for a singular', two('path'), { note: 'n', paths: ['a', 'b'] }, missingAndUnknown],
    [
      'a regular expression for a glob',
      closedOf({ pattern: { ...text, description: 'A glob.' }, path: text }, ['pattern']),
      { path: 'a', regex: '.*' },
      missingAndUnknown,
    ],
    [
      'a map with a required key',
      { ...mapOf(text), ...objectOf({ path: text }, ['path']) },
      { file: 'a' },
      'required',
    ],
  ],
});

const files = closedOf({ path: text, line: { ...whole, default: 1 }, flag, ratio: number }, [
  'path',
  'line',
]);
const nested = closedOf(
  {
    filter: closedOf({ query: text, limit: { ...whole, default: 5 } }, ['query', 'limit']),
    path: text,
  },
  ['path'],
);

test.each([
  ['a default', files, { file: 'a', flag: true }],
  ['a null that is left out', files, { file: 'a', line: 1, flag: null }],
  ['a placeholder that is left out', files, { file: 'a', line: 1, ratio: '' }],
  ['a default elsewhere', nested, { file: 'a', filter: { query: 'b' } }],
  [
    'a key that moves up',
    closedOf({ path: text, size: whole, box: closedOf({ width: whole }) }, ['path', 'size']),
    { file: 'a', box: { size: 3 } },
  ],
])('no key is renamed beside %s', (_title, schema, value) => {
  expect(readValue(schema, value)).toMatchObject({ status: 'rejected', repairs: [] });
});

test('words of the tool’s name add nothing', () => {
  const schema = closedOf({ title: text, body: text }, ['title']);
  const tool = { name: 'create_issue' };
  const sent = { body: 'b', issue_title: 'a' };
  expect(readValue(schema, sent, { tool })).toMatchObject({
    status: 'repaired',
    value: { title: 'a', body: 'b' },
  });
  expect(readValue(schema, sent, { tool: { name: 'create_ticket' } })).toMatchObject(
    rejectedFor('required', 'additionalProperties'),
  );
  const opposite = { name: 'move_source_to_target' };
  const moved = { body: 'b', source_title: 'a' };
  expect(readValue(schema, moved, { tool: opposite })).toMatchObject({ status: 'rejected' });
});

test('the model is told, and a destructive tool does not run', () => {
  const schema = closedOf({ path: text }, ['path']);
  const told = readValue(schema, { file_path: 'a' }, { tool: { name: 'open' } });
  expect(told.notes).toMatchObject([
    { rule: 'rename_related', text: 'file_path was read as path.' },
  ]);
  const tool = { name: 'remove', effects: 'destructive' } as const;
  expect(readValue(schema, { file_path: 'a' }, { tool })).toMatchObject({
    ...rejectedFor('not_confirmed'),
    wouldBe: { path: 'a' },
  });
});

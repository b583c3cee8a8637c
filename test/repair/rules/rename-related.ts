import { interpretArguments } from 'toolmend';
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
const renamed = (key: string, declared: string) => ({
  title: `${key} for ${declared}`,
  schema: two(declared),
  sent: { note: 'n', [key]: 'x' },
  becomes: { note: 'n', [declared]: 'x' },
  repairs: `/${key}`,
});

const refused = (key: string, declared: string) => ({
  title: `${key} is not ${declared}`,
  schema: two(declared),
  sent: { note: 'n', [key]: 'x' },
  issues: missingAndUnknown,
});

const missing = (keys: number): readonly string[] => Array.from({ length: keys }, () => 'required');

testRule('rename_related', {
  untouched: [
    { title: 'the declared keys', schema: two('path'), value: { path: 'a', note: 'b' } },
    {
      title: 'an open object that has all it needs',
      schema: objectOf({ path: text }, ['path']),
      value: { path: 'a', file: 'b' },
    },
    { title: 'a map', schema: mapOf(text), value: { file: 'a' } },
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
    {
      title: 'the only key',
      schema: closedOf({ path: text }, ['path']),
      sent: { file_path: 'a' },
      becomes: { path: 'a' },
      repairs: '/file_path',
    },
    {
      title: 'a singular whose value is wrapped',
      schema: closedOf({ queries: texts }, ['queries']),
      sent: { query: 'cats' },
      becomes: { queries: ['cats'] },
      repairs: ['/query', 'wrap_in_array /queries'],
    },
    {
      title: 'several keys',
      schema: closedOf({ path: text, old_string: text, new_string: text }, [
        'path',
        'old_string',
        'new_string',
      ]),
      sent: { file: 'a', oldText: 'b', newText: 'c' },
      becomes: { path: 'a', old_string: 'b', new_string: 'c' },
      repairs: ['/file', '/oldText', '/newText'],
    },
    {
      title: 'beside another spelling',
      schema: closedOf({ path: text, content: text }, ['path', 'content']),
      sent: { file_path: 'a', Content: 'b' },
      becomes: { content: 'b', path: 'a' },
      repairs: ['rename_key /Content', '/file_path'],
    },
    {
      title: 'in elements of a list',
      schema: closedOf({ edits: listOf(closedOf({ path: text, line: whole }, ['path'])) }, [
        'edits',
      ]),
      sent: { edits: [{ file: 'a', line: 1 }, { file: 'b' }] },
      becomes: { edits: [{ path: 'a', line: 1 }, { path: 'b' }] },
      repairs: ['/edits/0/file', '/edits/1/file'],
    },
    {
      title: 'in an open object',
      schema: objectOf({ path: text, content: text }, ['path', 'content']),
      sent: { file_path: 'a', content: 'b' },
      becomes: { path: 'a', content: 'b' },
      repairs: '/file_path',
    },
    {
      title: 'beside a value that is repaired',
      schema: closedOf({ path: text, line: whole }, ['path', 'line']),
      sent: { file: 'a', line: '3' },
      becomes: { path: 'a', line: 3 },
      repairs: ['/file', 'text_to_integer /line'],
    },
  ],
  refused: [
    {
      title: 'a member of an element, beside another one',
      schema: closedOf({ files: listOf(closedOf({ path: text, size: whole }, ['path', 'size'])) }, [
        'files',
      ]),
      sent: { path: 'a' },
      issues: missingAndUnknown,
    },
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
      // A character that may mean something.
      ['!force', 'force'],
      ['age!=', 'age'],
      ['date>=', 'date'],
      ['old}', 'old'],
      ['~tag', 'tag'],
    ].map(([key = '', declared = '']) => refused(key, declared)),
    {
      title: 'a wrong letter in the only key',
      schema: closedOf({ country: text }, ['country']),
      sent: { contry: 'x' },
      issues: missingAndUnknown,
    },
    {
      title: 'an optional key is related, too',
      schema: closedOf({ path: text, filename: text }, ['path']),
      sent: { file: 'a' },
      issues: missingAndUnknown,
    },
    {
      title: 'a key that was sent is related, too',
      schema: closedOf({ path: text, file: text }, ['path', 'file']),
      sent: { path: 'a', filename: 'b' },
      issues: missingAndUnknown,
    },
    {
      title: 'two for one',
      schema: closedOf({ path: text }, ['path']),
      sent: { file: 'a', filename: 'a' },
      issues: missingAndTwoUnknown,
    },
    {
      title: 'one for two',
      schema: closedOf({ path: text, content: text }, ['path', 'content']),
      sent: { file: 'a' },
      issues: [...missing(2), 'additionalProperties'],
    },
    {
      title: 'one of two',
      schema: closedOf({ path: text, city: text }, ['path', 'city']),
      sent: { file: 'a', body: 'b' },
      issues: [...missing(2), 'additionalProperties', 'additionalProperties'],
    },
    {
      title: 'a key too many',
      schema: two('path'),
      sent: { note: 'n', file: 'a', verbose: true },
      issues: missingAndTwoUnknown,
    },
    { title: 'the key is there', schema: two('path'), sent: { path: 'a', file_path: 'b' } },
    {
      title: 'a value that does not fit',
      schema: two('path'),
      sent: { note: 'n', file: { a: 1 } },
      issues: missingAndUnknown,
    },
    {
      title: 'two for a singular',
      schema: two('path'),
      sent: { note: 'n', paths: ['a', 'b'] },
      issues: missingAndUnknown,
    },
    {
      title: 'a regular expression for a glob',
      schema: closedOf({ pattern: { ...text, description: 'A glob.' }, path: text }, ['pattern']),
      sent: { path: 'a', regex: '.*' },
      issues: missingAndUnknown,
    },
    {
      title: 'a map with a required key',
      schema: { ...mapOf(text), ...objectOf({ path: text }, ['path']) },
      sent: { file: 'a' },
      issues: 'required',
    },
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

test('the tool’s own name is no parameter', () => {
  const schema = closedOf({ body: text }, ['body']);
  const result = (value: object, tool: string) => interpretArguments(schema, { value }, { tool });
  expect(result({ body_text: 'a' }, 'write_body')).toMatchObject({ value: { body: 'a' } });
  expect(result({ write_body: { x: 'a' } }, 'write_body').status).toBe('rejected');
});

// Finds tools by name and by spelling; names unknown tools to the model.
import { findTool } from '../../src/registry/interpret-call.ts';
import { wordsOf } from '../words.ts';

const toolsOf = (...names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, `the tool ${name}`]));

const tools = toolsOf('read_files', 'write_file', 'run');

const messageFor = (wanted: string, among = tools): string =>
  String(Reflect.get(findTool(among, wanted), 'message'));

it('the exact name, also beside one that is spelled alike', () => {
  const exact = { kind: 'exact', name: 'run', tool: 'the tool run' };
  expect(findTool(toolsOf('Run', 'run'), 'run')).toEqual(exact);
});

const found = { kind: 'resolved', name: 'read_files', tool: 'the tool read_files' };

it.each([
  ...wordsOf(`
  Read_Files readFiles read-files read.files "read_files" READFILES functions.read_files
  function.readFiles tools.read_files functions:read_files functions.read_files:0 read_files:12
  default_api.read_files mcp__files__read_files mcp__my__files__read_files read_files()
  read_files<|channel|>commentary functions.read_files<|constrain|>json
`),
  ' read files\n',
  'read_files( )',
])('a spelling of exactly one name, with markup or without: %p', (wanted) => {
  expect(findTool(tools, wanted)).toEqual(found);
});

it.each(
  wordsOf('read_filesread_files READ_FILESREAD_FILES functions.read_filesfunctions.read_files'),
)('a name that was written twice: %p', (wanted) => {
  expect(findTool(tools, wanted)).toEqual(found);
});

it('a name of two equal halves that is a tool of its own', () => {
  expect(findTool(toolsOf('bora', 'borabora'), 'borabora')).toMatchObject({ kind: 'exact' });
  expect(findTool(toolsOf('bora', 'bora_bora'), 'borabora')).toMatchObject({ name: 'bora_bora' });
  expect(findTool(toolsOf('read_file', 'readFile'), 'READ_FILEREAD_FILE').kind).toBe('unknown');
});

it('a name with markup that is a tool of its own', () => {
  expect(findTool(toolsOf('run', 'functions.run'), 'functions.run')).toMatchObject({
    kind: 'exact',
  });
  expect(findTool(toolsOf('run', 'functions_run'), 'functions.run')).toMatchObject({
    name: 'functions_run',
  });
});

it('a spelling of two names finds nothing, with markup or without', () => {
  expect(findTool(toolsOf('files', 'my__files'), 'mcp__server__my__files').kind).toBe('unknown');
  for (const wanted of ['READ_FILE', 'functions.READ_FILE'])
    expect(findTool(toolsOf('readFile', 'read_file'), wanted).kind).toBe('unknown');
});

it.each([
  ...wordsOf(`
  read_file reed_files read/files github.read_files functions.reed_files read_files(path)
  read_files:a mcp__read_files my__read_files functions. mcp__ () _ read_filesread_file
  read_filesread_filesread_files read_fileswrite_file
`),
  'файл',
  '',
])('likeness alone finds nothing: %p', (wanted) => {
  expect(findTool(tools, wanted).kind).toBe('unknown');
});

it.each([...Object.getOwnPropertyNames(Object.prototype)])(
  '%s is no tool unless it is one',
  (name) => {
    expect(findTool(tools, name).kind).toBe('unknown');
    expect(findTool(toolsOf(name), name)).toMatchObject({ kind: 'exact', name });
  },
);

describe('the message', () => {
  const all = 'The tools are: read_files, write_file, run.';

  it.each<[string, ReadonlyMap<string, string>, string]>([
    ['read_file', tools, ` Did you mean read_files?\n${all}`],
    ['send_mail', tools, `\n${all}`],
    ['x', toolsOf(), '\nThere are no tools.'],
    ['a_bd', toolsOf('a_bc', 'a_bcd'), ' Did you mean a_bc or a_bcd?\nThe tools are: a_bc, a_bcd.'],
  ])(
    'of %s says that nothing was executed, all that is near, and what there is',
    (name, among, rest) => {
      expect(messageFor(name, among)).toBe(
        `${name} was not executed.\nThere is no tool of this name.${rest}`,
      );
    },
  );

  it('lists names of a thousand characters with what is between them, and no more', () => {
    const listed = (length: number): string =>
      messageFor('x', toolsOf('a'.repeat(498), 'b'.repeat(length)));
    expect(listed(498)).toMatch(/b\.$/);
    expect(listed(499)).toMatch(/a and 1 more\.$/);
  });

  it('shows a short piece of a hostile name, quoted, and nothing invisible', () => {
    const hostile = `run"\u202e\u200b\u0007\n\u{e0041}${'x'.repeat(100_000)}`;
    const message = messageFor(hostile);
    const [, shown = ''] = /^("(?:[^"\\]|\\.)*")/.exec(message) ?? [];
    expect(JSON.parse(shown)).toMatch(/^run" *x{1,60}…$/);
    expect(message.replaceAll('\n', '')).not.toMatch(/[\p{C}\u2028\u2029]/u);
  });

  it('does not grow with the number of tools', () => {
    const many = toolsOf(...Array.from({ length: 5_000 }, (_, index) => `tool_number_${index}`));
    const message = messageFor('send_mail', many);
    expect(message.length).toBeLessThan(1_200);
    expect(message).toMatch(/^send_mail was not executed\.\n.*\n.* tool_number_0, tool_number_1, /);
    expect(message).toContain(` and ${5_001 - message.split('tool_number_').length} more.`);
  });
});

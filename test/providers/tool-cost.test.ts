import { ToolRegistry } from 'toolmend';
import { objectOf, text } from '../schemas.ts';
import { toolOf } from '../tools.ts';

const rootNote = 'Paths are relative to the root folder.';

const range = objectOf({ from: { type: 'integer' } }, ['from']);

const readFile = toolOf(() => '', {
  name: 'read_file',
  description: `Reads a file. ${rootNote}`,
  inputSchema: objectOf(
    {
      path: { type: 'string', description: `The file. ${rootNote}` },
      ranges: { type: 'array', items: range },
    },
    ['path'],
  ),
});

const stop = toolOf(() => '', {
  name: 'stop',
  description: 'Stops.',
  inputSchema: objectOf({ why: text }),
});

/** One token for each character, so that expectations can be counted by hand. */
const countTokens = (sentence: string): number => sentence.length;

const costOf = (...tools: ReturnType<typeof toolOf>[]) =>
  new ToolRegistry().register(...tools).cost('openai', { countTokens });

test('the cost of a set is that of the JSON of its schemas', () => {
  const tools = new ToolRegistry().register(readFile, stop);
  const json = JSON.stringify(tools.schemas('openai'));
  expect(tools.cost('openai', { countTokens })).toMatchObject({
    provider: 'openai',
    tokens: json.length,
    bytes: Buffer.byteLength(json),
  });
});

test('bytes are those of UTF-8', () => {
  const tool = toolOf(() => '', { description: 'Größe' });
  expect(costOf(tool).tools[0]?.description).toEqual({ tokens: 5, bytes: 7 });
});

test('each field costs its key and schema as the provider gets them, the most expensive first', () => {
  const [tool] = costOf(readFile).tools;
  const path = `"path":{"type":"string","description":"The file. ${rootNote}"}`;
  expect(tool?.fields.map(({ field }) => field)).toEqual(['ranges', 'path', 'ranges[].from']);
  expect(tool?.fields[1]).toEqual({ field: 'path', tokens: path.length, bytes: path.length });
  expect(tool?.fields[2]).toMatchObject({ tokens: '"from":{"type":"integer"}'.length });
});

test('each hint costs its sentence', () => {
  const hint = 'ranges is a JSON array of objects.';
  expect(costOf(readFile).tools[0]?.hints).toEqual([
    { hint, tokens: hint.length, bytes: hint.length },
  ]);
  expect(costOf(stop).tools[0]?.hints).toEqual([]);
});

test('a sentence in several descriptions would save all its occurrences but one', () => {
  expect(costOf(stop, readFile).repeatedSentences).toEqual([
    {
      sentence: rootNote,
      times: 2,
      tools: ['read_file'],
      savedTokens: rootNote.length,
    },
  ]);
});

test('the most expensive tool comes first', () => {
  expect(costOf(stop, readFile).tools.map(({ tool }) => tool)).toEqual(['read_file', 'stop']);
});

test('no tools cost their empty list', () => {
  expect(costOf()).toMatchObject({ bytes: 2, tools: [], repeatedSentences: [] });
});

test('an unknown provider or option is a DefinitionError', () => {
  const tools = new ToolRegistry();
  expect(() => tools.cost(JSON.parse('"opnai"'))).toThrow('has no provider "opnai"');
  expect(() => tools.cost('openai', JSON.parse('{"countToken": 1}'))).toThrow('countTokens');
});

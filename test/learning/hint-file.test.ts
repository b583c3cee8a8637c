import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolRegistry, ToolmendError, defineTool } from 'toolmend';
import { openHintFile } from 'toolmend/journal';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolmend-hints-'));
});
afterAll(() => rm(folder, { recursive: true }));

const countLines = defineTool<{ readonly most: number }>({
  name: 'count_lines',
  description: 'Count lines.',
  effects: 'read',
  inputSchema: { type: 'object', properties: { most: { type: 'integer' } } },
  execute: ({ most }) => String(most),
});

test('counts are in the file when a registry is closed, and the next one goes on with them', async () => {
  const path = join(folder, 'hints.json');
  for (const text of ['{"most":"3"}', '{"most":4}']) {
    const counts = await openHintFile(path);
    const registry = new ToolRegistry({ hints: { counts } }).register(countLines);
    await registry.call({ id: '1', name: 'count_lines', arguments: text, model: 'm' });
    await registry.close();
  }
  const counts = await openHintFile(path);
  const [hint] = await new ToolRegistry({ hints: { counts } }).learnedHints();

  expect(hint).toMatchObject({
    model: 'm',
    sentence: 'most is an integer, without quotes.',
    without: { calls: 2, misses: 1 },
  });
  expect(await readFile(path, 'utf8')).toContain('"toolmend.hints"');
  expect(await readdir(folder)).toEqual(['hints.json']);
});

test('a file of another kind is refused, and stays as it is', async () => {
  const path = join(folder, 'other.json');
  await writeFile(path, '{"name":"other"}');

  await expect(openHintFile(path)).rejects.toThrow(ToolmendError);
  await expect(openHintFile(path)).rejects.toThrow('name another file, or delete it');
  expect(await readFile(path, 'utf8')).toBe('{"name":"other"}');
});

test('a file that can’t be kept is refused before anything is counted', async () => {
  const path = join(folder, 'none', 'hints.json');
  await expect(openHintFile(path)).rejects.toThrow(
    `${path} can't be written, because the folder ${join(folder, 'none')} is not there: make it, or name another file.`,
  );
  await expect(openHintFile(folder)).rejects.toThrow(`${folder} is a folder: name another file.`);
});

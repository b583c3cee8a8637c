// The lines that logRepairs writes.
import { DefinitionError, logRepairs, ToolRegistry, ToolRun } from 'toolmend';
import { callTo, closedTool } from '../tools.ts';

const read = closedTool('read_file', () => 'text', {
  path: { type: 'string' },
  limit: { type: 'integer' },
});

const linesOf = async (name: string, sent: object): Promise<readonly string[]> => {
  const lines: string[] = [];
  const listeners = [logRepairs({ write: (line) => lines.push(line) })];
  const tools = new ToolRegistry({ listeners }).register(read);
  const run = new ToolRun({ id: 'run-1' });
  await tools.call(callTo(name, sent, { model: 'small' }), { run, tenant: 'acme' });
  return lines;
};

it('writes nothing for a valid call and for a rejected one', async () => {
  expect(await linesOf('read_file', { path: 'a' })).toEqual([]);
  expect(await linesOf('read_file', { path: 'a', limit: 'many' })).toEqual([]);
});

it('writes a line for each repair, without values', async () => {
  const whose = '(model "small", tenant "acme", run "run-1", call "call_1")';

  expect(await linesOf('readFile', { path: 'hidden', limit: '5' })).toEqual([
    `toolmend: read_file repaired by tool_name ${whose}`,
    `toolmend: read_file at "/limit" repaired by text_to_integer ${whose}`,
  ]);
});

it('refuses a misspelt option', () => {
  expect(() => logRepairs(Object({ wirte: console.log }))).toThrow(DefinitionError);
});

// A process that makes the calls of a run, and is killed when the last one has failed: nobody has
// offered to undo them.
import { defineTool, ToolRegistry, ToolRun } from '../../src/index.ts';
import { openJournal } from '../../src/journal/index.ts';

const [folder = '', run = ''] = process.argv.slice(2);
const inputSchema = { type: 'object', properties: { city: { type: 'string' } } } as const;
const tool = { description: 'Books.', inputSchema, effects: 'write' } as const;
const tools = new ToolRegistry({ journal: await openJournal({ folder }) }).register(
  defineTool({
    ...tool,
    name: 'book',
    execute: ({ city }) => ({ booking: `hotel in ${city}` }),
    undo: () => undefined,
  }),
  defineTool({ ...tool, name: 'fly', execute: () => Promise.reject(new Error('full')) }),
);
const toolRun = new ToolRun({ id: run });
const call = (id: string, name: string, city: string) =>
  tools.call({ id, name, arguments: { city } }, { run: toolRun });
await call('call_1', 'book', 'Graz');
await call('call_2', 'book', 'Ghent');
const { status } = await call('call_3', 'fly', 'Ghent');
if (status === 'failed') process.kill(process.pid, 'SIGKILL');

// Tells the model when it repeats a call that has failed.
import { CallMemory, defineTool, toolMessage, ToolRegistry } from 'toolmend';

const readFile = defineTool({
  name: 'read_file',
  description: 'Read a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'One path.' } },
    required: ['path'],
  },
  execute: () => 'text',
});
const tools = new ToolRegistry().register(readFile);

const memory = new CallMemory(); // one for each conversation
for (const id of ['call_1', 'call_2', 'call_3']) {
  const call = { id, name: 'read_file', arguments: '{"path": ["a", "b"]}' };
  const outcome = await tools.call(call, { memory });
  console.log(`${toolMessage(outcome).text}\n`);
}

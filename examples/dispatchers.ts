// A tool that calls other tools by name: their arguments get the repairs of their own calls.

// #region dispatcher
import { defineTool, toolMessage, ToolRegistry } from 'toolmend';

const readFile = defineTool({
  name: 'read_file',
  description: 'Read a file.',
  effects: 'read',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  },
  execute: ({ path, limit = 100 }) => `${limit} lines of ${path}`,
});

const inner = new ToolRegistry().register(readFile);

const callTool = defineTool({
  name: 'call_tool',
  description: 'Call a tool that find_tool has found.',
  inputSchema: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, parameters: { type: 'object' } },
    required: ['tool_name', 'parameters'],
  },
  dispatches: { name: 'tool_name', arguments: 'parameters', tools: [readFile] },
  execute: async ({ tool_name: name, parameters }, { call }) => {
    const outcome = await inner.call({ id: call.id, name, arguments: parameters });
    return toolMessage(outcome).text;
  },
});

const tools = new ToolRegistry().register(callTool);
const outcome = await tools.call({
  id: 'call_1',
  name: 'call_tool',
  arguments: '{"tool_name": "readFile", "parameters": {"Path": "a.txt", "limit": "5"}}',
});
// #endregion

console.log(toolMessage(outcome).text);
for (const { rule, path } of outcome.status === 'completed' ? outcome.interpretation.repairs : [])
  console.log(rule, path);

const refused = await tools.call({
  id: 'call_2',
  name: 'call_tool',
  arguments: { tool_name: 'read_file', parameters: { limit: 5 } },
});
console.log(toolMessage(refused).text);

// Tells the model what was wrong with a call that the answer ended too early to close.
import { defineTool, readCalls, ToolRegistry } from 'toolmend';

const search = defineTool({
  name: 'search',
  description: 'Search the files.',
  inputSchema: {
    type: 'object',
    properties: { q: { type: 'string' }, limit: { type: 'integer' } },
    required: ['q'],
  },
  execute: ({ q }: { q: string; limit?: number }) => `no file has ${q}`,
});

const content = '<tool_call>\n<function=search>\n<parameter=q>\nretry';
const { calls, leftInText } = readCalls(content, new ToolRegistry().register(search));
if (calls.length === 0) for (const { message } of leftInText) console.log(message);

// Serves a background tool as a task of MCP, and runs it with a client of SDK 1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { setTimeout } from 'node:timers/promises';
import { defineTool, ToolRegistry } from 'toolmend';
import { serveTools } from 'toolmend/mcp';

const build = defineTool({
  name: 'build',
  description: 'Build a target.',
  inputSchema: { type: 'object', properties: { target: { type: 'string' } }, required: ['target'] },
  background: 'allowed',
  execute: async ({ target }, { progress }) => {
    progress('compiling');
    await setTimeout(100);
    return `${target} is built`;
  },
});

const tools = new ToolRegistry().register(build);
const server = serveTools(new McpServer({ name: 'builder', version: '1.0.0' }), tools, {
  callOptions: () => ({ tenant: 'ann' }), // in a service, from the sign-in
});
const client = new Client({ name: 'host', version: '1.0.0' });
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);

for (const sent of [{ Target: 'app' }, { target: [] }]) {
  const stream = client.experimental.tasks.callToolStream(
    { name: 'build', arguments: sent },
    undefined,
    {
      task: {},
    },
  );
  for await (const message of stream) {
    if (message.type === 'result') console.log(message.result.content);
    // The message for the model is here. The error that ends the stream doesn't have it.
    if (message.type === 'taskStatus' && message.task.status === 'failed')
      console.log('failed:', message.task.statusMessage);
    if (message.type === 'error') console.log('error', message.error.code);
  }
}
await client.close();
await tools.close();

// Uses the tools of another MCP server in an agent. Calls are repaired before they leave.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { toolMessage, ToolRegistry } from 'toolmend';
import { registerRemoteTools } from 'toolmend/mcp';
import { z } from 'zod';

// #region server
// A server that accepts only exact calls and describes little.
const server = new McpServer({ name: 'orders', version: '1.0.0' });
server.registerTool(
  'list_orders',
  {
    description: 'List orders.',
    inputSchema: z.strictObject({
      tenant: z.string(),
      states: z.array(z.enum(['open', 'paid'])).optional(),
      offset: z.number().int().optional(),
      limit: z.number().int().optional(),
    }),
  },
  (values) => ({ content: [{ type: 'text', text: JSON.stringify(values) }] }),
);
// #endregion

// Any client works, over stdio or HTTP.
const client = new Client({ name: 'agent', version: '1.0.0' });
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);

const tools = new ToolRegistry();
const remote = await registerRemoteTools(tools, client, {
  prefix: 'shop_',
  overlay: {
    list_orders: {
      effects: 'read',
      arguments: { states: { aliases: ['status'] } },
      pairs: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }],
      fixed: { tenant: ({ tenant }) => String(tenant) },
    },
  },
});
console.log('shown:', Object.keys(tools.schemas()[0]?.inputSchema.properties ?? {}).join(', '));

const calls = ['{"status": "Open", "limit": "10"}', '{"states": ["sold"]}'];
for (const text of calls) {
  const call = { id: 'call_1', name: 'shop_list_orders', arguments: text };
  const outcome = await tools.call(call, { context: { tenant: 'acme' } });
  console.log(outcome.status, toolMessage(outcome).text.split('\n').slice(0, 2).join(' '));
}

await remote.close();
await client.close();

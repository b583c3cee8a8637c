// Starts the server of mcp-server.ts and sends it a call that is almost right.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const server = fileURLToPath(new URL('./mcp-server.js', import.meta.url));
const client = new Client({ name: 'host', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));

const { tools } = await client.listTools();
console.log(
  tools.map(({ name, annotations }) => `${name} ${JSON.stringify(annotations)}`).join('\n'),
);

const near = { file: '["package.json"]', limit: '2' };
const repaired = await client.callTool({ name: 'read_files', arguments: near });
console.log(repaired.content.map((block) => (block.type === 'text' ? block.text : block.type)));

const refused = await client.callTool({ name: 'read_files', arguments: { limit: 2 } });
console.log(refused.isError, JSON.stringify(refused.content).slice(0, 90));
await client.close();

// The tools of an MCP server in a registry, with an overlay for what the protocol can't say: calls are repaired before they
// leave, and the server finds nothing to do.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { toolMessage, ToolRegistry } from 'toolmend';
import { registerRemoteTools, type RemoteOptions, serveTools } from 'toolmend/mcp';
import type { AdapterDriver } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

const overlay: RemoteOptions['overlay'] = {
  read_files: {
    arguments: { paths: { aliases: ['file'], items: { semantic: 'path' } } },
    pairs: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }],
  },
  sign_in: { arguments: { password: { semantic: 'secret' } } },
};

export const mcpRemote: AdapterDriver = {
  name: 'mcp, remote',
  async run({ id, tool, text, isCut }) {
    const client = new Client({ name: 'agent', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await serveTools(new McpServer({ name: 'samples', version: '1' }), sampleTools()).connect(far);
    await client.connect(near);
    const tools = new ToolRegistry();
    await registerRemoteTools(tools, client, { annotations: 'trusted', overlay });
    const finishReason = isCut === true ? 'length' : 'tool_calls';
    const outcome = await tools.call({ id, name: tool, arguments: text, finishReason });
    await client.close();
    const { text: said, notes, isError } = toolMessage(outcome);
    return { text: said, notes, isError, by: 'toolmend' };
  },
};

// A registry as an MCP server, called by the real client: a host that hands on what its model wrote.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { serveTools } from 'toolmend/mcp';
import type { AdapterDriver, ModelReading } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

export const mcpServer: AdapterDriver = {
  name: 'mcp, served',
  // The protocol has no arguments but objects: text that the host can't parse reaches no tool.
  decidedBySdk: {
    'Python for JSON': 'Invalid tools/call request',
    'a code fence': 'Invalid tools/call request',
    'cut off': 'Invalid tools/call request',
  },
  async run({ tool, text }) {
    const { client, close } = await connected();
    try {
      const { content, isError = false } = await client.callTool({ name: tool, arguments: parsed(text) });
      const [said = '', ...notes] = content.map((block) => (block.type === 'text' ? block.text : block.type));
      return { text: said, notes, isError, by: 'toolmend' };
    } catch (error) {
      return readingOf(error);
    } finally {
      await close();
    }
  },
};

function readingOf(error: unknown): ModelReading {
  const text = error instanceof Error ? error.message : '';
  const by = text.startsWith('Invalid tools/call request') ? 'sdk' : 'toolmend';
  return { text, notes: [], isError: true, by };
}

async function connected(): Promise<{ readonly client: Client; readonly close: () => Promise<void> }> {
  const client = new Client({ name: 'host', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await serveTools(new McpServer({ name: 'samples', version: '1' }), sampleTools()).connect(far);
  await client.connect(near);
  return { client, close: () => client.close() };
}

/** As a host does that gives up what it can't read. */
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable(text);
  }
}

const unreadable = (text: string): Record<string, unknown> => JSON.parse(JSON.stringify(text));

// Which tools does a running MCP server have? It is asked through MCP's own client, which is loaded only then.
import type { Client, Transport } from '@modelcontextprotocol/client';
import { listedEntries } from '../../adapters/mcp/list-remote-tools.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import { isJsonArray } from '../../json/json-value.ts';
import { type NothingToCheck, type ToolsToCheck, toolsInJson } from './tools-to-check.ts';

/** A URL of its HTTP endpoint, or the command that starts it on its standard streams. */
export type ServerAddress = { readonly url: URL } | { readonly command: readonly string[] };

const timeLimit = 30_000;
/** A server of the older protocol need not answer when it is asked for the newer one. */
const anyVersion = { mode: 'auto', probe: { timeoutMs: 5_000 } } as const;
const deepest = 256;

/** Starts the command, asks for the tools, and ends it. */
export async function toolsOfServer(address: ServerAddress): Promise<ToolsToCheck | NothingToCheck> {
  let client: Client | undefined;
  try {
    const connected = await connect(address);
    if ('refused' in connected) return connected;
    ({ client } = connected);
    await client.connect(connected.transport, { timeout: timeLimit });
    // One tool that is none is a finding, and loses none of the others.
    const entries = await listedEntries(client, { timeout: timeLimit });
    const reading = readPlainValue(entries, deepest);
    return reading.kind === 'plain' && isJsonArray(reading.value)
      ? toolsInJson(reading.value)
      : { refused: 'the server lists its tools in a form that can’t be read' };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { refused: `the server can't be asked for its tools: ${said.split('\n')[0] ?? said}` };
  } finally {
    await client?.close().catch(() => undefined);
  }
}

async function connect(
  address: ServerAddress,
): Promise<{ readonly client: Client; readonly transport: Transport } | NothingToCheck> {
  const loaded = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ]).catch(() => undefined);
  if (loaded === undefined)
    return {
      refused:
        'to ask a running server, the package @modelcontextprotocol/client is needed: npm install @modelcontextprotocol/client',
    };
  const [{ Client, StreamableHTTPClientTransport }, { StdioClientTransport }] = loaded;
  const client = new Client({ name: 'toolmend', version: '1' }, { versionNegotiation: anyVersion });
  if ('url' in address) return { client, transport: new StreamableHTTPClientTransport(address.url) };
  const [command = '', ...args] = address.command;
  return { client, transport: new StdioClientTransport({ command, args, stderr: 'inherit' }) };
}

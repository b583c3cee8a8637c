// How does a Model Context Protocol server get a registry's tools? By the two handlers of the protocol, which take arguments
// as they come: it is the registry that judges and repairs them.
import type { McpServer, Tool } from '@modelcontextprotocol/server';
import { DefinitionError } from '../../errors/definition-error.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { answerRequest, type LowLevelServer, type ServeOptions } from './answer-request.ts';

/**
 * Serves the tools with this server, and returns it: `serveTools(new McpServer({ name, version }), tools)`. Call it before the
 * server is connected, once for each server; a registry may be served by many. Throws a DefinitionError for a server that
 * has tools of its own.
 */
export function serveTools<Served extends McpServer | LowLevelServer>(
  server: Served,
  tools: ToolSet,
  options: ServeOptions = {},
): Served {
  const protocol = protocolOf(server);
  requireNoTools(protocol);
  protocol.registerCapabilities({ tools: { listChanged: true } });
  protocol.setRequestHandler('tools/list', () => ({ tools: listOf(tools) }));
  protocol.setRequestHandler('tools/call', (request, context) =>
    answerRequest(request.params, context, { tools, options, protocol }),
  );
  tellChanges(protocol, tools);
  return server;
}

// The same JSON; the SDK's type wants lists that could be written to.
const isTool = (tool: object): tool is Tool => 'inputSchema' in tool;

function listOf(tools: ToolSet): Tool[] {
  const shown: readonly object[] = tools.schemas('mcp');
  return shown.filter(isTool);
}

const protocolOf = (server: McpServer | LowLevelServer): LowLevelServer =>
  'server' in server ? server.server : server;

function requireNoTools(protocol: LowLevelServer): void {
  try {
    protocol.assertCanSetRequestHandler('tools/list');
    protocol.assertCanSetRequestHandler('tools/call');
  } catch {
    const what = 'was given a server that has tools of its own';
    const instead =
      'register those tools with the registry too (defineTool), or serve them with another server';
    throw new DefinitionError([{ where: 'serveTools', what, instead }]);
  }
}

/** A registry lives longer than the servers that are made for each request: it must not keep them. */
function tellChanges(protocol: LowLevelServer, tools: ToolSet): void {
  const server = new WeakRef(protocol);
  // A server that isn't connected rejects, which is dropped.
  forgotten.register(
    protocol,
    tools.onChange(() => server.deref()?.sendToolListChanged()),
  );
}

const forgotten = new FinalizationRegistry<() => void>((stop) => stop());

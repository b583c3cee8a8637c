import type {
  CallToolRequest,
  CallToolResult,
  ContentBlock,
  McpServer,
  ProgressToken,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { type OptionKinds, callback, checkOptions } from '../../errors/check-options.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { newErrorId, signalTextOf } from '../../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import { writeJson } from '../../json/serialize.ts';
import { isJsonObject, ownValue } from '../../json/value.ts';
import type { CallOptions } from '../../registry/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { tell } from '../../telemetry/tool-event.ts';

// As `notifications/progress`, whose number always grows.
/**
 * A number is the progress, text is its message, and an object may say `progress`, `total` and `message`. Anything else is
 * the message as JSON. Where no number is given, or one that doesn't grow, the last one plus 1 stands.
 */
function progressReport(
  progressToken: ProgressToken,
  notify: ServerContext['mcpReq']['notify'],
): (update: unknown) => void {
  let last = 0;
  return (update) => {
    const { progress, ...said } = readUpdate(update);
    last = progress !== undefined && progress > last ? progress : last + 1;
    const params = { progressToken, progress: last, ...said };
    // Whoever asked may be gone.
    void notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

interface ProgressUpdate {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

function readUpdate(update: unknown): ProgressUpdate {
  if (typeof update === 'number' && Number.isFinite(update)) return { progress: update };
  if (update === undefined) return {};
  if (typeof update === 'string') return { message: update };
  const { text, value } = writeJson(update);
  if (!isJsonObject(value)) return { message: text };
  const [progress, total, message] = ['progress', 'total', 'message'].map((key) => ownValue(value, key));
  if (typeof progress !== 'number' && typeof message !== 'string') return { message: text };
  return {
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

// The outcome of the call; what the model did wrong is a result with `isError`.
export interface ServeOptions {
  /**
   * What is to be said of a call by what the server knows of its request: the tenant as `context`, the `caller`, a
   * `memory`. The request's own abort and progress are added. A `ToolFailure` that it throws is the answer.
   */
  readonly callOptions?: (request: ServerContext) => CallOptions | Promise<CallOptions>;
  /**
   * Told of what became of each call, with repairs, artifact and cause; of one that waits, the approval for `tools.resolveApproval`.
   * What it throws or rejects with is dropped.
   */
  readonly onOutcome?: (outcome: ToolOutcome, request: ServerContext) => unknown;
}

const serveOptionKinds: OptionKinds<ServeOptions> = {
  callOptions: callback('write a function that returns options for one call, (request) => ({ … })'),
  onOutcome: callback('write a function that takes an outcome'),
};

/** What an McpServer stands on. */
export type LowLevelServer = McpServer['server'];

export interface Serving {
  readonly tools: ToolSet;
  readonly options: ServeOptions;
  readonly protocol: LowLevelServer;
}

/** Rejects for a tool that there is not, as the protocol says, and shows nobody another exception's text. */
async function answerRequest(
  params: CallToolRequest['params'],
  context: ServerContext,
  { tools, options, protocol }: Serving,
): Promise<CallToolResult> {
  let outcome: ToolOutcome;
  try {
    const own = (await options.callOptions?.(context)) ?? {};
    const { name, arguments: sent = {} } = params;
    const call = { id: String(context.mcpReq.id), name, arguments: sent, provider: 'mcp' } as const;
    outcome = await tools.call(call, withRequest(own, params, context));
  } catch (error) {
    return failedAnswer(error, protocol);
  }
  tell(() => options.onOutcome?.(outcome, context));
  if (outcome.status === 'unknown_tool') throw new ProtocolFault(invalidParams, outcome.message);
  return protocol.projectCallToolResult(callResult(outcome), undefined);
}

/** The request's cancellation and progress beside those of the application. */
function withRequest(
  own: CallOptions,
  { _meta: meta }: CallToolRequest['params'],
  { mcpReq: { signal, notify } }: ServerContext,
): CallOptions {
  const token = meta?.progressToken;
  const report = token === undefined ? undefined : progressReport(token, notify);
  return {
    ...own,
    signal: own.signal === undefined ? signal : AbortSignal.any([signal, own.signal]),
    ...(report === undefined ? {} : { progress: both(report, own.progress) }),
  };
}

type Progress = NonNullable<CallOptions['progress']>;

const both = (first: Progress, second: Progress | undefined): Progress =>
  second === undefined
    ? first
    : (update) => {
        first(update);
        // What it promises is dropped where progress is told.
        return second(update);
      };

function failedAnswer(error: unknown, protocol: LowLevelServer): CallToolResult {
  const signal = signalTextOf(error);
  if (signal !== undefined) return errorResult(signal.text);
  const errorId = newErrorId();
  tell(() => protocol.onerror?.(new Error(`tools/call failed (error ${errorId})`, { cause: error })));
  throw new ProtocolFault(internalError, `The server failed with an internal error (error ${errorId}).`);
}

/** Text, images, then each note in a block of its own, which is marked as being for the model. */
function callResult(outcome: ToolOutcome): CallToolResult {
  const { text, images = [], notes, structured, isError } = toolMessage(outcome);
  const shown = images.map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }) as const);
  const content: ContentBlock[] = [
    ...(text === '' && shown.length > 0 ? [] : [textBlock(text)]),
    ...shown,
    ...notes.map((note) => ({ ...textBlock(note), annotations: { audience: ['assistant' as const] } })),
  ];
  return {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

const errorResult = (text: string): CallToolResult => ({ content: [textBlock(text)], isError: true });

const textBlock = (text: string) => ({ type: 'text', text }) as const;

/** JSON-RPC's codes: https://www.jsonrpc.org/specification#error_object */
const invalidParams = -32602;
const internalError = -32603;

/** An error whose code and text the protocol sends. */
class ProtocolFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

// By the two handlers of the protocol, which take arguments as they come: it is the registry that validates and repairs
// them.
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
  checkOptions('serveTools', options, serveOptionKinds);
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

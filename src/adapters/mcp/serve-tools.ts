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
import { notify } from '../../telemetry/tool-event.ts';
import {
  type FirstSdkProtocol,
  type FirstSdkRequest,
  type FirstSdkServer,
  type RequestFacts,
  isOfFirstSdk,
  setFirstSdkHandlers,
} from './first-sdk.ts';

/** The options of `serveTools`. */
export interface ServeOptions<Request = ServerContext> {
  /**
   * Options for the call of a request, such as `context`, `tenant` and `memory`. The request's cancellation and progress are
   * added. If the function throws a `ToolFailure`, its text is the answer.
   */
  readonly callOptions?: (request: Request) => CallOptions | Promise<CallOptions>;
  /**
   * Called with the outcome of each call: its repairs, its artifact, the cause of a failure, or the approval for
   * `tools.resolveApproval`. What the function throws or rejects with is ignored.
   */
  readonly onOutcome?: (outcome: ToolOutcome, request: Request) => unknown;
}

const serveOptionKinds: OptionKinds<ServeOptions> = {
  callOptions: callback('write a function that returns options for one call, (request) => ({ … })'),
  onOutcome: callback('write a function that takes an outcome'),
};

/** The server below an McpServer. */
export type LowLevelServer = McpServer['server'];

/**
 * Makes a server serve the tools, and returns it: `serveTools(new McpServer({ name, version }), tools)`. The server is one of SDK 2, or
 * of SDK 1. Call it before the server is connected, and once for each server; many servers can serve one registry. Throws a
 * DefinitionError for anything but a server, and for a server that has tools of its own.
 */
export function serveTools<Served extends McpServer | LowLevelServer>(
  server: Served,
  tools: ToolSet,
  options?: ServeOptions,
): Served;
export function serveTools<Served extends FirstSdkServer | { readonly server: FirstSdkServer }>(
  server: Served,
  tools: ToolSet,
  options?: ServeOptions<FirstSdkRequest>,
): Served;
export function serveTools(
  server: object,
  tools: ToolSet,
  options: ServeOptions | ServeOptions<FirstSdkRequest> = {},
): object {
  checkOptions('serveTools', options, serveOptionKinds);
  const protocol = lowLevelServer(server);
  requireNoTools(protocol);
  protocol.registerCapabilities({ tools: { listChanged: true } });
  // The handlers of the protocol take arguments as they come, so that the registry can repair them.
  const list = () => ({ tools: listedTools(tools) });
  const report = (error: Error): void => protocol.onerror?.(error);
  const serving = { protocol, options };
  if (isSecondSdk(serving)) {
    const { protocol: second, options: own } = serving;
    second.setRequestHandler('tools/list', list);
    second.setRequestHandler('tools/call', async (request, context) => {
      const answer = await answerRequest(request.params, context, { tools, options: own, report });
      return second.projectCallToolResult(answer, undefined);
    });
  } else if (isFirstSdk(serving)) {
    const { protocol: first, options: own } = serving;
    setFirstSdkHandlers(first, {
      list,
      call: (params, request) => answerRequest(params, request, { tools, options: own, report }),
    });
  }
  announceChanges(protocol, tools);
  return server;
}

/** What servers of both SDKs have. */
interface ServingProtocol extends FirstSdkServer {
  onerror?: ((error: Error) => void) | undefined;
  registerCapabilities(capabilities: { tools: { listChanged: boolean } }): void;
}

interface Peer {
  readonly protocol: object;
  readonly options: object;
}

const isSecondSdk = (
  serving: Peer,
): serving is { readonly protocol: LowLevelServer; readonly options: ServeOptions } =>
  !isOfFirstSdk(serving.protocol, 'projectCallToolResult');

const isFirstSdk = (
  serving: Peer,
): serving is { readonly protocol: FirstSdkProtocol; readonly options: ServeOptions<FirstSdkRequest> } =>
  isOfFirstSdk(serving.protocol, 'projectCallToolResult');

function lowLevelServer(server: unknown): ServingProtocol {
  requireServer(server);
  const protocol: unknown = 'server' in server ? server.server : server;
  requireServer(protocol);
  return protocol;
}

/** Not `instanceof`, because the server may come from another installed copy of the SDK. */
function requireServer(server: unknown): asserts server is ServingProtocol {
  const isServer = ['server', 'assertCanSetRequestHandler'].some((member) =>
    ['object', 'function'].includes(typeof Reflect.get(Object(server), member)),
  );
  if (isServer) return;
  const what = 'was given something that is not an McpServer';
  const instead = 'write serveTools(server, tools)';
  throw new DefinitionError([{ where: 'serveTools', what, instead }]);
}

function requireNoTools(protocol: ServingProtocol): void {
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

function listedTools(tools: ToolSet): Tool[] {
  const schemas: readonly object[] = tools.schemas('mcp');
  return schemas.filter(isTool);
}

/** The SDK's type has mutable arrays. */
const isTool = (tool: object): tool is Tool => 'inputSchema' in tool;

/** A registry outlives the servers that are made for single requests, so it must not keep them in memory. */
function announceChanges(protocol: ServingProtocol, tools: ToolSet): void {
  const server = new WeakRef(protocol);
  collectedServers.register(
    protocol,
    // A server that isn't connected rejects, which the registry ignores.
    tools.onChange(() => server.deref()?.sendToolListChanged()),
  );
}

const collectedServers = new FinalizationRegistry<() => void>((stop) => stop());

interface Serving<Request> {
  readonly tools: ToolSet;
  readonly options: ServeOptions<Request>;
  readonly report: (error: Error) => void;
}

/** Rejects with the protocol's error for an unknown tool, and without the text of an exception. */
async function answerRequest<Request extends { readonly mcpReq: RequestFacts }>(
  params: CallToolRequest['params'],
  request: Request,
  { tools, options, report }: Serving<Request>,
): Promise<CallToolResult> {
  let outcome: ToolOutcome;
  let state: 'open' | 'answered' = 'open';
  try {
    const own = (await options.callOptions?.(request)) ?? {};
    const { name, arguments: sent = {} } = params;
    const call = { id: String(request.mcpReq.id), name, arguments: sent, provider: 'mcp' } as const;
    outcome = await tools.call(
      call,
      withRequest(own, params, request.mcpReq, () => state === 'open'),
    );
    state = 'answered';
  } catch (error) {
    return failedAnswer(error, report);
  }
  notify(() => options.onOutcome?.(outcome, request));
  if (outcome.status === 'unknown_tool') throw new ProtocolError(invalidParams, outcome.message);
  return callResult(outcome);
}

/**
 * Adds the cancellation and the progress of the request to the application's options. The protocol forbids progress after the answer,
 * which a background call would report.
 */
function withRequest(
  own: CallOptions,
  { _meta: meta }: CallToolRequest['params'],
  { signal, notify: send }: RequestFacts,
  isOpen: () => boolean,
): CallOptions {
  const { progress } = own;
  const token = meta?.progressToken;
  const report = token === undefined ? undefined : progressReport(token, send);
  return {
    ...own,
    signal: own.signal === undefined ? signal : AbortSignal.any([signal, own.signal]),
    ...(report === undefined
      ? {}
      : {
          progress: (update: unknown) => {
            if (isOpen()) report(update);
            return progress?.(update);
          },
        }),
  };
}

/**
 * Sends updates as `notifications/progress`. A number is the progress, a string the message; an object may have `progress`, `total`
 * and `message`. Anything else is the message as JSON. The protocol requires a growing number: the last one plus 1 replaces a
 * missing or smaller one.
 */
function progressReport(
  progressToken: ProgressToken,
  send: RequestFacts['notify'],
): (update: unknown) => void {
  let last = 0;
  return (update) => {
    const { progress, ...rest } = readUpdate(update);
    last = progress !== undefined && progress > last ? progress : last + 1;
    const params = { progressToken, progress: last, ...rest };
    // The client may be gone.
    void send({ method: 'notifications/progress', params }).catch(() => undefined);
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

function failedAnswer(error: unknown, report: (error: Error) => void): CallToolResult {
  const signal = signalTextOf(error);
  if (signal !== undefined) return { content: [textBlock(signal.text)], isError: true };
  const errorId = newErrorId();
  notify(() => report(new Error(`tools/call failed (error ${errorId})`, { cause: error })));
  throw new ProtocolError(internalError, `The server failed with an internal error (error ${errorId}).`);
}

/** Text, images, then each note in a block of its own, marked as meant for the model. */
function callResult(outcome: ToolOutcome): CallToolResult {
  const { text, images = [], notes, structured, isError } = toolMessage(outcome);
  const content: ContentBlock[] = [
    ...(text === '' && images.length > 0 ? [] : [textBlock(text)]),
    ...images.map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }) as const),
    ...notes.map((note) => ({ ...textBlock(note), annotations: { audience: ['assistant' as const] } })),
  ];
  return {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

const textBlock = (text: string) => ({ type: 'text', text }) as const;

/** https://www.jsonrpc.org/specification#error_object */
const invalidParams = -32602;
const internalError = -32603;

/** The protocol sends the code and the message. */
class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

// Servers and clients of @modelcontextprotocol/sdk 1, with the methods of SDK 2. Nothing of that
// package is loaded.
import { memberOf } from '../../collections/objects.ts';
import type {
  CallToolRequest,
  CallToolResult,
  Progress,
  ServerContext,
} from '@modelcontextprotocol/server';

/** The low-level server of SDK 1, which its `McpServer` has as `server`. */
export interface FirstSdkServer {
  assertCanSetRequestHandler(method: string): void;
  removeRequestHandler(method: string): void;
  sendToolListChanged(): Promise<void>;
}

/** A client of SDK 1. */
export interface FirstSdkClient {
  getServerCapabilities(): object | undefined;
  getServerVersion(): object | undefined;
  removeNotificationHandler(method: string): void;
}

/** What SDK 1 knows of a request, with `mcpReq` as SDK 2 has it. */
export interface FirstSdkRequest {
  readonly mcpReq: RequestFacts;
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly sessionId?: string;
  /** Of the sign-in. */
  readonly authInfo?: {
    readonly token: string;
    readonly clientId: string;
    readonly scopes: readonly string[];
  };
  readonly requestInfo?: object;
}

/** What the adapter needs of a request of either SDK. */
export interface RequestFacts extends Pick<ServerContext['mcpReq'], 'id' | 'signal' | 'notify'> {
  /** Of SDK 2: what a client of revision 2026-07-28 declares with each request. */
  readonly envelope?: object | undefined;
  /** Of SDK 2: the answers in a request that was sent again. */
  readonly inputResponses?: object | undefined;
  /** Of SDK 2: what the server gave the client for such a request. */
  readonly requestState?: (() => unknown) | undefined;
  /** Of SDK 1: sends a request to the client, on the stream of this one. */
  readonly sendRequest?: (method: string, params: object) => Promise<unknown>;
}

export interface ServedRequest {
  readonly mcpReq: RequestFacts;
}

export type RequestHandler = (params: CallToolRequest['params'], request: ServedRequest) => unknown;

/** What differs between the servers of the SDKs. */
export interface ServerMethods {
  readonly setHandler: (method: string, handler: RequestHandler) => void;
  /** The result in the form of the SDK. */
  readonly project: (result: CallToolResult) => CallToolResult;
}

/** What the adapter needs of a client. SDK 2's has it. */
export interface ToolClient {
  readonly transport?: unknown;
  callTool(params: SentCall, options: SentCallOptions): Promise<CallToolResult>;
  listTools(params: undefined, options: ListOptions): Promise<{ tools: readonly unknown[] }>;
  request(
    request: { method: string; params: Record<string, unknown> },
    schema: typeof anyResult,
    options?: Partial<SentCallOptions>,
  ): Promise<unknown>;
  getServerCapabilities():
    { tools?: { listChanged?: boolean | undefined } | undefined; tasks?: unknown } | undefined;
  getProtocolEra(): 'legacy' | 'modern' | undefined;
  listen(filter: { toolsListChanged: true }): Promise<{ close(): Promise<void> }>;
  setNotificationHandler(method: typeof listChanged, handler: () => Promise<void>): void;
  removeNotificationHandler(method: string): void;
}

export interface SentCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

interface SentCallOptions {
  readonly signal: AbortSignal;
  readonly onprogress: (progress: Progress) => void;
  readonly timeout: number;
}

interface ListOptions {
  readonly timeout?: number;
  readonly cacheMode: 'refresh';
}

export const listChanged = 'notifications/tools/list_changed';

/**
 * A schema that accepts anything: a Standard Schema (https://standardschema.dev) for SDK 2, of zod
 * 3's form for SDK 1.
 */
export const anyResult = {
  '~standard': {
    version: 1 as const,
    vendor: 'toolmend',
    validate: (value: unknown): { readonly value: unknown } => ({ value }),
  },
  safeParse: (data: unknown): object => ({ success: true, data }),
};

/** SDK 1 reads the method of a schema, and calls its `safeParse`. */
const anyMessage = (method: string) => ({
  shape: { method: { _def: { value: method } } },
  safeParse: anyResult.safeParse,
});

/** Of an object of SDK 1, which has no such method. */
export const isOfFirstSdk = (
  peer: object,
  method: 'projectCallToolResult' | 'getProtocolEra',
): peer is FirstSdkProtocol =>
  typeof Reflect.get(peer, method) !== 'function' &&
  typeof Reflect.get(peer, 'request') === 'function';

type RequestExtra = Omit<FirstSdkRequest, 'mcpReq'> & {
  sendNotification: RequestFacts['notify'];
  sendRequest(
    request: { method: string; params: object },
    schema: typeof anyResult,
    options: { signal: AbortSignal; timeout: number },
  ): Promise<unknown>;
};

/** Milliseconds in which a person answers; as SDK 2 waits. */
const longestElicitation = 600_000;

export interface FirstSdkProtocol {
  readonly transport?: unknown;
  setRequestHandler(
    schema: object,
    handler: (
      request: { readonly params: CallToolRequest['params'] },
      extra: RequestExtra,
    ) => unknown,
  ): void;
  setNotificationHandler(schema: object, handler: () => Promise<void>): void;
  removeNotificationHandler(method: string): void;
  getServerCapabilities(): ReturnType<ToolClient['getServerCapabilities']>;
  request(request: object, schema: object, options?: object): Promise<unknown>;
}

export const firstSdkServer = (server: FirstSdkProtocol): ServerMethods => ({
  setHandler: (method, handler) =>
    server.setRequestHandler(anyMessage(method), ({ params }, extra) =>
      handler(params, requestOf(extra)),
    ),
  project: withObject,
});

function requestOf(extra: RequestExtra): FirstSdkRequest {
  const { requestId: id, signal, sendNotification: notify } = extra;
  const sendRequest = (method: string, params: object): Promise<unknown> =>
    extra.sendRequest({ method, params }, anyResult, { signal, timeout: longestElicitation });
  return { ...extra, mcpReq: { id, signal, notify, sendRequest } };
}

/** Structured content of the older protocol is an object. */
function withObject(result: CallToolResult): CallToolResult {
  const { structuredContent: content } = result;
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return content === undefined || isObject
    ? result
    : { ...result, structuredContent: { result: content } };
}

export const firstSdkClient = (client: FirstSdkProtocol): ToolClient => ({
  get transport() {
    return client.transport;
  },
  callTool: async (params, options) => {
    // The client's own `callTool` would report a result that doesn't match its schema like a
    // refused call.
    const result = await client
      .request({ method: 'tools/call', params }, anyResult, options)
      .catch(rethrow);
    return readCallResult(result);
  },
  listTools: async (_params, options) => {
    // The pages are read one by one, without the client's checks.
    throw new PeerError('INVALID_RESULT', `lists are read in pages (${options.cacheMode})`);
  },
  request: (request, schema, options) => client.request(request, schema, options).catch(rethrow),
  getServerCapabilities: () => client.getServerCapabilities(),
  getProtocolEra: () => 'legacy',
  listen: () => Promise.resolve({ close: () => Promise.resolve() }),
  setNotificationHandler: (method, handler) =>
    client.setNotificationHandler(anyMessage(method), handler),
  removeNotificationHandler: (method) => client.removeNotificationHandler(method),
});

/** Throws an error with the code `INVALID_RESULT` for anything but a result. */
export function readCallResult(result: unknown): CallToolResult {
  const read = { content: [], ...Object(result) };
  if (isCallToolResult(read)) return read;
  throw new PeerError('INVALID_RESULT', 'the result of the call can’t be read');
}

/** An error with the code that SDK 2 has for it. */
class PeerError extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * The codes of SDK 1's own errors:
 * https://github.com/modelcontextprotocol/typescript-sdk/blob/v1.x/src/types.ts (ErrorCode)
 */
const ownCodes: ReadonlyMap<unknown, readonly [code: string, message: RegExp]> = new Map([
  [-32_000, ['CONNECTION_CLOSED', /Connection closed/]],
  [-32_001, ['REQUEST_TIMEOUT', /Request timed out/]],
]);

function rethrow(error: unknown): never {
  const code = memberOf(error, 'code');
  const message = error instanceof Error ? error.message : String(error);
  const ownCode = ownCodes.get(code);
  if (ownCode?.[1].test(message) === true) throw new PeerError(ownCode[0], message, error);
  if (message === 'Not connected') throw new PeerError('NOT_CONNECTED', message, error);
  // The code of an error of the transport is a status of HTTP.
  if (typeof code === 'number' && code >= 100) throw new PeerError('CLIENT_HTTP', message, error);
  throw error;
}

/** Members that blocks of each type must have as strings. */
const blockMembers: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: [],
};

function isCallToolResult(result: object): result is CallToolResult {
  const content = memberOf(result, 'content');
  return (
    Array.isArray(content) &&
    content.every((block: unknown) => {
      const type = memberOf(block, 'type');
      const members =
        typeof type === 'string' && Object.hasOwn(blockMembers, type)
          ? blockMembers[type]
          : undefined;
      const hasResource =
        type !== 'resource' || typeof memberOf(memberOf(block, 'resource'), 'uri') === 'string';
      return (
        hasResource && members?.every((key) => typeof memberOf(block, key) === 'string') === true
      );
    })
  );
}

import type {
  CallToolRequest,
  CallToolResult,
  McpServer,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { type OptionKinds, callback, checkOptions } from '../../options/check-options.ts';
import { definitionError } from '../../errors/definition-error.ts';
import { newErrorId, signalTextOf } from '../../errors/errors.ts';
import type { ToolOutcome } from '../../outcomes/tool-outcome.ts';
import type { CallOptions } from '../../run/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { defined } from '../../collections/objects.ts';
import { notify } from '../../telemetry/tool-event.ts';
import {
  ProtocolError,
  callResult,
  internalError,
  invalidParams,
  methodNotFound,
  progressReport,
  textBlock,
} from './call-result.ts';
import { type InputRequiredResult, answerIn, elicitOf, elicitingResult } from './elicitation.ts';
import {
  type FirstSdkRequest,
  type FirstSdkServer,
  type RequestFacts,
  type RequestHandler,
  type ServedRequest,
  type ServerMethods,
  anyResult,
  firstSdkServer,
  isOfFirstSdk,
} from './first-sdk.ts';
import {
  type CreatedTask,
  type TaskServing,
  ServedTasks,
  relatedTask,
  taskCapabilities,
  taskSupport,
} from './serve-tasks.ts';

/** The options of `serveTools`. */
export interface ServeOptions<Request = ServerContext> {
  /**
   * Options for the call of a request, such as `context`, `tenant` and `memory`. The request's
   * cancellation and progress are added. If the function throws a `ToolFailure`, its text is the
   * answer. Requests for tasks are answered for this `tenant` alone. A request without a tenant
   * gets no list of tasks. Take the tenant from the sign-in.
   */
  readonly callOptions?: (request: Request) => CallOptions | Promise<CallOptions>;
  /**
   * Called with the outcome of each call: its repairs, its artifact, the cause of a failure, or the
   * approval for `tools.resolveApproval`. What the function throws or rejects with is ignored.
   */
  readonly onOutcome?: (outcome: ToolOutcome, request: Request) => unknown;
}

const serveOptionKinds: OptionKinds<ServeOptions> = {
  callOptions: callback('write a function that returns options for one call, (request) => ({ … })'),
  onOutcome: callback('write a function that takes an outcome'),
};

/** The options for either SDK. Methods, because each takes the request of its SDK. */
interface EitherOptions {
  callOptions?(request: ServedRequest): CallOptions | Promise<CallOptions>;
  onOutcome?(outcome: ToolOutcome, request: ServedRequest): unknown;
}

/** The server below an McpServer. */
export type LowLevelServer = McpServer['server'];

/**
 * What only a server of SDK 2 has. Its class isn't named: for CommonJS, the SDK declares another
 * one.
 */
export type SecondSdkServer = Pick<LowLevelServer, 'projectCallToolResult'>;

/**
 * Makes a server serve the tools, and returns it:
 * `serveTools(new McpServer({ name, version }), tools)`. The server is one of SDK 2, or of SDK 1.
 * Call it before the server is connected, and once for each server; many servers can serve one
 * registry. Throws a DefinitionError for anything but a server, and for a server that has tools of
 * its own.
 */
export function serveTools<Served extends SecondSdkServer | { readonly server: SecondSdkServer }>(
  server: Served,
  tools: ToolSet,
  options?: ServeOptions,
): Served;
export function serveTools<Served extends FirstSdkServer | { readonly server: FirstSdkServer }>(
  server: Served,
  tools: ToolSet,
  options?: ServeOptions<FirstSdkRequest>,
): Served;
export function serveTools(server: object, tools: ToolSet, options: EitherOptions = {}): object {
  checkOptions('serveTools', options, serveOptionKinds);
  const protocol = lowLevelServer(server);
  requireNoTools(protocol);
  // Only they can name the tenant whose tasks are listed.
  const isListed = options.callOptions !== undefined;
  protocol.registerCapabilities({
    tools: { listChanged: true },
    tasks: taskCapabilities(isListed),
  });
  const report = (error: Error): void => protocol.onerror?.(error);
  const notifyClient: TaskServing['notify'] = (notification) => protocol.notification(notification);
  const tenantOf = async (request: ServedRequest) => (await options.callOptions?.(request))?.tenant;
  const isFirst = isOfFirstSdk(protocol, 'projectCallToolResult');
  const { setHandler, project } = isFirst ? firstSdkServer(protocol) : secondSdkServer(protocol);
  const ofTasks = { tools, tenantOf, notify: notifyClient, project };
  const tasks = new ServedTasks(ofTasks);
  const clientCapabilities = (): unknown => protocol.getClientCapabilities();
  const serving = { ...ofTasks, options, report, tasks, clientCapabilities };
  // The handlers of the protocol take arguments as they come, so that the registry can repair them.
  setHandler('tools/list', () => ({ tools: listedTools(tools) }));
  setHandler('tools/call', (params, request) => answerRequest(params, request, serving));
  for (const [method, handler] of tasks.handlers) {
    if (method === 'tasks/list' && !isListed) continue;
    setHandler(method, (params, request) =>
      handler(params, request).catch((error: unknown) => {
        throw error instanceof ProtocolError ? error : protocolError(error, method, report);
      }),
    );
  }
  announceChanges(protocol, tools);
  return server;
}

const secondSdkServer = (protocol: ServingProtocol): ServerMethods => ({
  setHandler: (method, handler) => {
    if (method === 'tools/list' || method === 'tools/call')
      protocol.setRequestHandler(method, ({ params }, request) => handler(params, request));
    else protocol.setRequestHandler(method, { params: anyResult }, handler);
  },
  project: (result) => protocol.projectCallToolResult(result, undefined),
});

interface ServingProtocol extends FirstSdkServer, SecondSdkServer {
  getClientCapabilities(): unknown;
  onerror?: ((error: Error) => void) | undefined;
  registerCapabilities(capabilities: { tools: { listChanged: boolean }; tasks: object }): void;
  notification(notification: Parameters<RequestFacts['notify']>[0]): Promise<void>;
  setRequestHandler(
    method: 'tools/list' | 'tools/call',
    handler: (message: Pick<CallToolRequest, 'params'>, request: ServedRequest) => unknown,
  ): void;
  setRequestHandler(
    method: string,
    schemas: { params: typeof anyResult },
    handler: RequestHandler,
  ): void;
}

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
  throw definitionError('serveTools', what, instead);
}

function requireNoTools(protocol: ServingProtocol): void {
  const requireFree = (method: string, what: string, instead: string): void => {
    try {
      protocol.assertCanSetRequestHandler(method);
    } catch {
      throw definitionError('serveTools', `was given a server that has ${what}`, instead);
    }
  };
  const move =
    'register those tools with the registry too (defineTool), or serve them with another server';
  requireFree('tools/list', 'tools of its own', move);
  requireFree('tools/call', 'tools of its own', move);
  requireFree('tasks/get', 'tasks of its own', 'construct it without taskStore');
}

function listedTools(tools: ToolSet): Tool[] {
  const schemas: readonly object[] = tools.schemas('mcp');
  const contracts = tools.contracts();
  return schemas.filter(isTool).map((tool, index) => {
    const support = contracts[index] && taskSupport(contracts[index], tools);
    return support === undefined ? tool : { ...tool, execution: { taskSupport: support } };
  });
}

/** The SDK's type has mutable arrays. */
const isTool = (tool: object): tool is Tool => 'inputSchema' in tool;

/**
 * A registry outlives the servers that are made for single requests, so it must not keep them in
 * memory.
 */
function announceChanges(protocol: ServingProtocol, tools: ToolSet): void {
  const server = new WeakRef(protocol);
  collectedServers.register(
    protocol,
    // A server that isn't connected rejects, which the registry ignores.
    tools.onChange(() => server.deref()?.sendToolListChanged()),
  );
}

const collectedServers = new FinalizationRegistry<() => void>((stop) => stop());

interface Serving extends TaskServing {
  readonly options: EitherOptions;
  readonly report: (error: Error) => void;
  readonly tasks: ServedTasks;
  /** As the client declared them when it connected. */
  readonly clientCapabilities: () => unknown;
}

/** Rejects with the protocol's error for an unknown tool, and without the text of an exception. */
async function answerRequest(
  params: CallToolRequest['params'],
  request: ServedRequest,
  serving: Serving,
): Promise<CallToolResult | CreatedTask | InputRequiredResult> {
  const { tools, options, report, tasks, notify: notifyClient, project } = serving;
  const capabilities = serving.clientCapabilities();
  const isTask = params.task !== undefined;
  requireTaskSupport(params.name, isTask, tools);
  let outcome: ToolOutcome;
  let tenant: string | undefined;
  const progress = new RequestProgress(params, request.mcpReq, notifyClient);
  try {
    const ownOptions = (await options.callOptions?.(request)) ?? {};
    tenant = ownOptions.tenant;
    const { name, arguments: sentArguments = {} } = params;
    const call = {
      id: String(request.mcpReq.id),
      name,
      arguments: sentArguments,
      provider: 'mcp',
    } as const;
    const elicit = ownOptions.elicit ?? elicitOf(request.mcpReq, capabilities);
    const callOptions = {
      ...withRequest(ownOptions, request.mcpReq, progress),
      ...defined({ elicit }),
      ...(isTask ? { background: true } : {}),
    };
    const answeredQuestion = answerIn(request.mcpReq);
    outcome =
      answeredQuestion === undefined
        ? await tools.call(call, callOptions)
        : await tools.answerQuestion(
            answeredQuestion.question,
            answeredQuestion.answer,
            callOptions,
          );
  } catch (error) {
    progress.answeredQuestion(undefined);
    if (isTask) throw protocolError(error, 'tools/call', report);
    return project(failedAnswer(error, report));
  }
  progress.answeredQuestion(
    isTask && outcome.status === 'in_background' ? outcome.handle : undefined,
  );
  notify(() => options.onOutcome?.(outcome, request));
  if (outcome.status === 'unknown_tool') throw new ProtocolError(invalidParams, outcome.message);
  const eliciting =
    outcome.status === 'input_required' && !isTask && request.mcpReq.sendRequest === undefined
      ? elicitingResult(outcome, request.mcpReq, capabilities)
      : undefined;
  if (eliciting !== undefined) return eliciting;
  return isTask ? tasks.create(outcome, tenant) : project(callResult(outcome));
}

/** A misspelt name is left to the registry. */
function requireTaskSupport(name: string, isTask: boolean, tools: ToolSet): void {
  const contract = tools.contracts().find((tool) => tool.name === name);
  if (contract === undefined) return;
  const support = taskSupport(contract, tools);
  if (isTask && support === undefined)
    throw new ProtocolError(
      methodNotFound,
      `${name} can't be called as a task. Send the call without task.`,
    );
  if (!isTask && support === 'required')
    throw new ProtocolError(
      methodNotFound,
      `${name} must be called as a task. Send the call with task.`,
    );
}

/** Adds the cancellation and the progress of the request to the application's options. */
function withRequest(
  ownOptions: CallOptions,
  { signal }: RequestFacts,
  requestProgress: RequestProgress,
): CallOptions {
  const { progress } = ownOptions;
  const both = (update: unknown) => {
    requestProgress.report?.(update);
    return progress?.(update);
  };
  return {
    ...ownOptions,
    signal: ownOptions.signal === undefined ? signal : AbortSignal.any([signal, ownOptions.signal]),
    ...(requestProgress.report === undefined ? {} : { progress: both }),
  };
}

/**
 * Sends the progress of a request that asks for it. The protocol forbids progress after the answer,
 * which a background call would report, but for a task.
 */
class RequestProgress {
  /** Undefined for a request that asks for none. */
  readonly report: ((update: unknown) => void) | undefined;
  #state: 'open' | 'task' | 'answered' = 'open';
  #meta: object = {};

  constructor(
    { _meta: meta }: CallToolRequest['params'],
    request: RequestFacts,
    send: RequestFacts['notify'],
  ) {
    const token = meta?.progressToken;
    if (token === undefined) return;
    const report = progressReport(token, ({ method, params }) => {
      const notification = { method, params: { ...params, ...this.#meta } };
      // The stream of the request ends with its answer.
      return this.#state === 'open' ? request.notify(notification) : send(notification);
    });
    this.report = (update) => {
      if (this.#state !== 'answered') report(update);
    };
  }

  /** `task`: the id of the task that goes on. */
  answeredQuestion(task: string | undefined): void {
    this.#state = task === undefined ? 'answered' : 'task';
    if (task !== undefined) this.#meta = { _meta: { [relatedTask]: { taskId: task } } };
  }
}

function failedAnswer(error: unknown, report: (error: Error) => void): CallToolResult {
  const signal = signalTextOf(error);
  if (signal !== undefined) return { content: [textBlock(signal.text)], isError: true };
  throw protocolError(error, 'tools/call', report);
}

function protocolError(
  error: unknown,
  method: string,
  report: (error: Error) => void,
): ProtocolError {
  const signal = signalTextOf(error);
  if (signal !== undefined) return new ProtocolError(invalidParams, signal.text);
  const errorId = newErrorId();
  notify(() => report(new Error(`${method} failed (error ${errorId})`, { cause: error })));
  return new ProtocolError(
    internalError,
    `The server failed with an internal error (error ${errorId}).`,
  );
}

import { invalidParams, methodNotFound } from '../adapters/mcp/call-result.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import { findTool } from '../registry/interpret-call.ts';
import { type Channel, exitUntilNow } from './channel.ts';
import { type HubServer, MergedLists } from './lists.ts';
import { type ServerResult, mergeDiscover, mergeInitialize } from './merge.ts';
import {
  type Message,
  applyEdits,
  callWithoutId,
  completeFor,
  connectionClosed,
  errorOf,
  idText,
  invalidRequest,
  isUnaddressedCall,
  memberEdit,
  memberRanges,
  objectAtPath,
  parseError,
  protocolKey,
  rangeAt,
  readBatch,
  readMessage,
  refusal,
  resultResponse,
  tooDeep,
  errorForUnreadable,
  responseWithNotes,
} from './message.ts';
import { type AskOptions, OwnRequests } from './proxy-requests.ts';
import { ServerRequests, idAt, withMember } from './server-requests.ts';
import type { OnCall } from './relay.ts';
import { TaskNotes } from './task-notes.ts';

interface HubOptions {
  readonly log: (line: string) => void;
  readonly onCall?: OnCall;
}

/** A request that one server was sent with the client's own id. */
interface PendingRequest {
  readonly server: HubServer;
  readonly notes: readonly string[];
}

interface Answer {
  readonly server: HubServer;
  /** Undefined: the server did not answer in time. */
  readonly message: Message | undefined;
}

/**
 * Milliseconds for each request that all servers get. A server may have to be installed before it
 * starts.
 */
const timeouts: Readonly<Record<string, number>> = {
  initialize: 120_000,
  'server/discover': 120_000,
  'logging/setLevel': 30_000,
};
/**
 * Milliseconds for `server/discover` once a server has started: a server that knows only
 * `initialize` may never answer it.
 */
const discoverMs = 5_000;

/**
 * Several servers as one: their lists are merged, and requests go to the server that they are
 * about.
 */
export class McpHub {
  readonly #client: Channel;
  readonly #servers: Set<HubServer>;
  readonly #options: HubOptions;
  readonly #pendingRequests = new Map<string, PendingRequest>();
  readonly #ownRequests = new OwnRequests();
  readonly #serverRequests = new ServerRequests();
  readonly #tasks = new TaskNotes();
  readonly #lists: MergedLists;
  /** For each client request that went to all servers: the ids under which it was sent. */
  readonly #idsAtServers = new Map<string, Set<string>>();
  /** Before its first answer and after its end, the client is not notified of changed lists. */
  #state: 'new' | 'started' | 'ended' = 'new';
  /** The client's ids of subscriptions, by ours. */
  readonly #subscriptions = new Map<string, string>();

  constructor(client: Channel, servers: readonly HubServer[], options: HubOptions) {
    this.#client = client;
    this.#servers = new Set(servers);
    this.#options = options;
    this.#lists = new MergedLists(this.#servers, this.#ownRequests, options.log);
  }

  /** Resolves when the client has ended, or all servers. */
  async run(): Promise<'client' | 'server'> {
    const servers = Array.from(this.#servers, async (server) => {
      await server.channel.run((text) => this.fromServer(server, text));
      await this.#lose(server);
    });
    const client = this.#client
      .run((text) => this.fromClient(text))
      .then(async () => {
        this.#state = 'ended';
        for (const server of this.#servers)
          if ((await exitUntilNow(server.channel)) !== undefined) await this.#lose(server);
        return this.#servers.size === 0 ? 'server' : 'client';
      });
    return Promise.race([client, Promise.all(servers).then(() => 'server' as const)]);
  }

  async #lose(server: HubServer): Promise<void> {
    // It never started: `#start` has removed and closed it.
    if (!this.#servers.delete(server)) return;
    const why = `The server ${server.name} ${(await server.channel.exit) ?? 'is gone'}.`;
    this.#options.log(why);
    this.#ownRequests.abandon(server.channel);
    this.#serverRequests.forget(server);
    const error = JSON.stringify({ code: connectionClosed, message: why });
    for (const [id, request] of this.#pendingRequests) {
      if (request.server !== server) continue;
      this.#pendingRequests.delete(id);
      await this.#client.send(`{"jsonrpc":"2.0","id":${id},"error":${error}}`);
    }
    if (this.#state === 'started')
      await this.#client.send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
  }

  async fromClient(text: string): Promise<void> {
    const message = readMessage(text);
    if (typeof message === 'string') {
      const batch = message === 'opaque' ? readBatch(text) : undefined;
      // Each message of a batch has an answer of its own.
      for (const part of batch ?? []) await this.fromClient(part.text);
      if (batch !== undefined) return undefined;
      const isObject = message === 'opaque' && text.trimStart().startsWith('{');
      const why = isObject ? tooDeep : 'This message can’t be read.';
      return this.#client.send(
        errorForUnreadable(text, isObject ? invalidRequest : parseError, why),
      );
    }
    if (isUnaddressedCall(message))
      return this.#client.send(errorOf(message, invalidRequest, callWithoutId));
    const { kind } = message;
    // Other messages needn't wait for an answer.
    if (kind.kind === 'request') return void this.#answerRequest(message, kind.method, kind.id);
    if (kind.kind === 'notification') return this.#notify(message, kind.method);
    const response =
      kind.kind === 'response' ? this.#serverRequests.response(message, kind.id) : undefined;
    return response?.server.channel.send(response.text);
  }

  async #notify(message: Message, method: string): Promise<void> {
    if (method === 'notifications/progress') {
      const progress = this.#serverRequests.progress(message);
      return progress?.server.channel.send(progress.text);
    }
    if (method === 'notifications/cancelled')
      return this.#cancel(message, idAt(message, 'requestId'));
    for (const { channel } of this.#servers) await channel.send(message.text);
  }

  async #cancel(message: Message, id: string): Promise<void> {
    const request = this.#pendingRequests.get(id);
    this.#pendingRequests.delete(id);
    if (request !== undefined) return request.server.channel.send(message.text);
    const ownIds = this.#idsAtServers.get(id) ?? [];
    this.#idsAtServers.delete(id);
    for (const ownId of ownIds) {
      await this.#ownRequests.channelOf(ownId)?.send(withMember(message, 'requestId', ownId));
      this.#ownRequests.drop(ownId);
    }
  }

  async #answerRequest(message: Message, method: string, id: string): Promise<void> {
    await this.#answer(message, method, id);
    if (method !== 'ping' && this.#state === 'new') this.#state = 'started';
  }

  async #answer(message: Message, method: string, id: string): Promise<void> {
    if (this.#lists.isList(method))
      return this.#client.send(await this.#lists.answer(message, method));
    if (method === 'tools/call') return this.#call(message, id);
    if (method === 'initialize' || method === 'server/discover')
      return this.#start(message, method, id);
    if (method === 'ping') return this.#client.send(resultResponse(message, completeFor(message)));
    if (method === 'logging/setLevel' || method === 'subscriptions/listen') {
      await this.#askAll(message, method, id);
      // A request that was cancelled has no answer.
      return this.#idsAtServers.delete(id)
        ? this.#client.send(resultResponse(message, completeFor(message)))
        : undefined;
    }
    const addressedRequest = await this.#addressed(message, method);
    if (addressedRequest === undefined)
      return this.#client.send(
        errorOf(message, methodNotFound, `None of the servers takes this ${method}.`),
      );
    const notes = this.#tasks.ofRequest(method, objectAtPath(message.value, 'params'));
    this.#pendingRequests.set(id, { server: addressedRequest.server, notes });
    return addressedRequest.server.channel.send(addressedRequest.text);
  }

  /** Asks all servers. Those that don't answer `initialize` are left out. */
  async #start(
    message: Message,
    method: 'initialize' | 'server/discover',
    id: string,
  ): Promise<void> {
    const answers = await this.#askAll(message, method, id);
    this.#idsAtServers.delete(id);
    const results = answers.flatMap(serverResults);
    const failures = answers.filter((answer) => serverResults(answer).length === 0);
    const [first] = failures;
    if (first !== undefined && (method === 'server/discover' || results.length === 0)) {
      const error =
        first.message && ownValue(objectAtPath(first.message.value, 'error'), 'message');
      const why = typeof error === 'string' ? error : 'it did not answer';
      return this.#client.send(
        errorOf(message, methodNotFound, `The server ${first.server.name}: ${why}`),
      );
    }
    for (const { server } of failures) {
      this.#options.log(`the server ${server.name} did not start, and is left out`);
      this.#servers.delete(server);
      void server.channel.close();
    }
    for (const answer of answers)
      for (const { result } of serverResults(answer))
        this.#lists.setCapabilities(answer.server, objectAtPath(result, 'capabilities'));
    const merge = method === 'initialize' ? mergeInitialize : mergeDiscover;
    return this.#client.send(resultResponse(message, merge(results)));
  }

  async #askAll(message: Message, method: string, id: string): Promise<readonly Answer[]> {
    const range = rangeAt(message.text, 'params');
    const params = range === undefined ? '{}' : message.text.slice(range.start, range.end);
    const ownIds = new Set<string>();
    this.#idsAtServers.set(id, ownIds);
    const onId = (ownId: string): void => {
      ownIds.add(ownId);
      if (method === 'subscriptions/listen') this.#subscriptions.set(ownId, idText(message));
    };
    const options = { timeoutMs: timeouts[method], onId };
    const answers = await Promise.all(
      Array.from(this.#servers, async (server): Promise<Answer> => ({
        server,
        message: await this.#askOne(server.channel, method, params, options),
      })),
    );
    for (const ownId of ownIds) this.#subscriptions.delete(ownId);
    return answers;
  }

  async #askOne(
    channel: Channel,
    method: string,
    params: string,
    options: AskOptions,
  ): Promise<Message | undefined> {
    const answer = this.#ownRequests.ask(channel, method, params, options);
    if (method !== 'server/discover') return answer;
    // A process has started when it answers a ping, with a result or an error.
    const { timeoutMs } = options;
    if (channel.exit !== undefined)
      await Promise.race([answer, this.#ownRequests.ask(channel, 'ping', params, { timeoutMs })]);
    return Promise.race([answer, sleep(discoverMs, undefined, { ref: false })]);
  }

  async #call(message: Message, id: string): Promise<void> {
    const params = objectAtPath(message.value, 'params');
    const sentName = ownValue(params, 'name');
    const range = rangeAt(message.text, 'params');
    if (typeof sentName !== 'string' || range === undefined)
      return this.#client.send(errorOf(message, invalidParams, 'The call names no tool.'));
    const match = findTool(await this.#lists.toolOwners(params), sentName);
    if (match.kind === 'unknown')
      return this.#client.send(errorOf(message, invalidParams, match.message));
    const { tool: server, name } = match;
    const sentArguments = ownValue(params, 'arguments');
    const source = memberRanges(message.text, range).get('arguments');
    const argumentsText =
      source === undefined ? '{}' : message.text.slice(source.start, source.end);
    const isText = typeof sentArguments === 'string';
    const decision = server.tools.decide(name, isText ? sentArguments : argumentsText, isText);
    this.#options.onCall?.(name, decision, {
      id,
      sentArguments: isText ? sentArguments : argumentsText,
      schema: server.tools.schemaOf(name),
    });
    if (decision.kind === 'refused') return this.#client.send(refusal(message, decision.message));
    if (decision.kind === 'unknown')
      return this.#client.send(errorOf(message, invalidParams, decision.message));
    const isChanged = decision.kind === 'changed';
    const remote = isChanged ? decision.name : name;
    this.#pendingRequests.set(id, { server, notes: isChanged ? decision.notes : [] });
    const edits = [
      ...(remote === sentName
        ? []
        : [memberEdit(message.text, range, 'name', JSON.stringify(remote))]),
      ...(isChanged ? [memberEdit(message.text, range, 'arguments', decision.arguments)] : []),
    ];
    const headers = server.tools.headersOf(remote, isChanged ? decision.arguments : argumentsText);
    return server.channel.send(applyEdits(message.text, edits), headers);
  }

  /**
   * The server that a request is about, and the request with that server's own names, without the
   * prefix.
   */
  async #addressed(message: Message, method: string) {
    const params = objectAtPath(message.value, 'params');
    const reference = objectAtPath(params, 'ref');
    if (method === 'prompts/get' || textOrEmpty(reference, 'type') === 'ref/prompt') {
      const [holder, path] =
        method === 'prompts/get'
          ? ([params, ['params']] as const)
          : ([reference, ['params', 'ref']] as const);
      const name = textOrEmpty(holder, 'name');
      const server = await this.#lists.ownerOf('prompts/list', name, params);
      const range = rangeAt(message.text, ...path);
      if (server === undefined || range === undefined) return undefined;
      const remoteName = JSON.stringify(name.slice(server.prefix.length));
      return {
        server,
        text: applyEdits(message.text, [memberEdit(message.text, range, 'name', remoteName)]),
      };
    }
    const uri = textOrEmpty(params, 'uri') || textOrEmpty(reference, 'uri');
    const server = method.startsWith('tasks/')
      ? this.#lists.ownerOfTask(textOrEmpty(params, 'taskId'))
      : uri === ''
        ? undefined
        : await this.#lists.ownerOfResource(uri, params);
    return server && { server, text: message.text };
  }

  async fromServer(server: HubServer, text: string): Promise<void> {
    const message = readMessage(text);
    if (typeof message === 'string')
      return this.#options.log(
        `the server ${server.name} wrote a line that is not a message; it is left out`,
      );
    const { kind } = message;
    if (kind.kind === 'response') return this.#fromResponse(server, message, kind.id);
    if (kind.kind === 'request')
      return this.#client.send(this.#serverRequests.forClient(server, message));
    if (kind.kind !== 'notification') return undefined;
    if (kind.method === 'notifications/tools/list_changed') server.tools.forget();
    if (kind.method !== 'notifications/cancelled')
      return this.#client.send(this.#withSubscription(message));
    const cancelledRequest = this.#serverRequests.cancellation(server, message);
    return cancelledRequest === undefined ? undefined : this.#client.send(cancelledRequest);
  }

  async #fromResponse(server: HubServer, message: Message, id: string): Promise<void> {
    if (this.#ownRequests.take(id, message)) return;
    const request = this.#pendingRequests.get(id);
    if (request?.server !== server) return;
    this.#pendingRequests.delete(id);
    const task = textOrEmpty(objectAtPath(message.value, 'result', 'task'), 'taskId');
    if (task !== '') this.#lists.rememberTask(task, server);
    await this.#client.send(
      responseWithNotes(message, this.#tasks.atAnswer(message, request.notes)),
    );
  }

  /** Notifications of a subscription name the request that began it. */
  #withSubscription({ text, value }: Message): string {
    const key = `${protocolKey}subscriptionId`;
    const ownId = JSON.stringify(ownValue(objectAtPath(value, 'params', '_meta'), key) ?? null);
    const id = this.#subscriptions.get(ownId);
    const range = rangeAt(text, 'params', '_meta');
    return id === undefined || range === undefined
      ? text
      : applyEdits(text, [memberEdit(text, range, key, id)]);
  }
}

const serverResults = ({ server, message }: Answer): readonly ServerResult[] =>
  message !== undefined && Object.hasOwn(message.value, 'result')
    ? [{ server: server.name, result: objectAtPath(message.value, 'result') }]
    : [];

/** Empty if there is none. */
function textOrEmpty(object: JsonObject, key: string): string {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : '';
}

import { type RemoteOptions, remoteOptionKinds } from '../adapters/mcp/remote-options.ts';
import {
  type OptionKinds,
  boolean,
  callback,
  checkOptions,
  record,
  string,
} from '../options/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import type { Pins } from '../registry/interpret-call.ts';
import { notify } from '../telemetry/tool-event.ts';
import type { Channel } from './channel.ts';
import { McpRelay } from './relay.ts';
import { type CallDecision, ServerTools } from './tools.ts';

/** The transport of an MCP client, of SDK 1 or 2. */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
}

/** What became of a call. */
export interface RepairedToolCall {
  /** The tool's name as the client sent it. */
  readonly tool: string;
  /** `refused`: the call can't be repaired, and the server did not get it. */
  readonly status: 'unchanged' | 'repaired' | 'refused';
  /** The rules of the repairs. */
  readonly rules: readonly string[];
}

/** The options of `repairToolCalls` for MCP. */
export interface ToolCallRepairOptions extends Pick<RemoteOptions, 'overlay' | 'annotations'> {
  /** Hints are added to the descriptions of tools. Default: true. */
  readonly hints?: boolean;
  /**
   * Digests of accepted definitions by name. Calls of all other tools are refused. Default: all are
   * accepted.
   */
  readonly pins?: Pins;
  /** Called for each call of a listed tool. What it throws is ignored. */
  readonly onCall?: (call: RepairedToolCall) => unknown;
  /** Called with a sentence about a tool that can't be repaired. Default: nothing is said. */
  readonly onWarning?: (warning: string) => unknown;
}

const optionKinds: OptionKinds<ToolCallRepairOptions> = {
  overlay: remoteOptionKinds.overlay,
  annotations: remoteOptionKinds.annotations,
  hints: boolean,
  pins: record(string, 'write an object of digests by tool name'),
  onCall: callback('write a function that takes a call'),
  onWarning: callback('write a function that takes a sentence'),
};

/**
 * Repairs the tool calls of an MCP client: `client.connect(repairToolCalls(transport))`. Calls are
 * validated and repaired by the schemas that the server lists. A call that can't be repaired isn't
 * sent. The result of such a call is an error that the model reads. Everything else passes as it
 * is. Throws a DefinitionError for anything but a transport.
 */
export function repairToolCalls<Transport extends ClientTransport>(
  transport: Transport,
  options: ToolCallRepairOptions = {},
): Transport {
  checkOptions('repairToolCalls', options, optionKinds);
  if (typeof Reflect.get(Object(transport), 'send') !== 'function') {
    const what = 'was given something that is not a transport';
    throw new DefinitionError([
      {
        where: 'repairToolCalls',
        what,
        instead: 'write client.connect(repairToolCalls(transport))',
      },
    ]);
  }
  const repair = new TransportRepair(transport, options);
  return new Proxy(transport, {
    get(target, key) {
      if (key === 'send')
        return (message: object, sendOptions?: object) => repair.send(message, sendOptions);
      if (key === 'onmessage') return repair.handler;
      const value: unknown = Reflect.get(target, key);
      // Methods of the transport need itself, not the proxy.
      return typeof value === 'function' && !key.toString().startsWith('on')
        ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
        : value;
    },
    set(target, key, value) {
      if (key !== 'onmessage') return Reflect.set(target, key, value);
      repair.handler = value;
      return Reflect.set(target, key, (message: object, extra?: object) =>
        repair.receive(message, extra),
      );
    },
  });
}

const maxDepth = 256;
/** Messages of the client that the relay has to see. */
const watchedMethods: readonly unknown[] = ['tools/list', 'tools/call', 'notifications/cancelled'];

class TransportRepair {
  /** The client's `onmessage`. */
  handler: unknown;
  readonly #transport: ClientTransport;
  readonly #relay: McpRelay;
  /**
   * Ids of watched requests without an answer so far, with the options that they were sent with.
   */
  readonly #openRequests = new Map<unknown, object | undefined>();
  /**
   * The message that is passed on now: if its text is still the same, the object itself goes on.
   */
  #current: { readonly text: string; readonly message: object } | undefined;
  /** What the transport knows of the message that it receives now. */
  #extra: object | undefined;
  #isInSend = false;

  constructor(transport: ClientTransport, options: ToolCallRepairOptions) {
    this.#transport = transport;
    const { onCall, onWarning, ...toolOptions } = options;
    const log = (line: string): void => notify(() => onWarning?.(line));
    this.#relay = new McpRelay(
      { ...passive, send: (text) => this.#deliver(text) },
      { ...passive, send: (text, headers) => this.#pass(text, headers) },
      {
        tools: new ServerTools(toolOptions, log),
        log,
        onCall: (tool, decision) => notify(() => onCall?.(repairedCall(tool, decision))),
      },
    );
  }

  async send(message: object, options: object | undefined): Promise<void> {
    const method: unknown = Reflect.get(message, 'method');
    if (!watchedMethods.includes(method)) return this.#transport.send(message, options);
    const id: unknown = Reflect.get(message, 'id');
    if (id !== undefined) this.#openRequests.set(id, options);
    const text = JSON.stringify(message);
    this.#current = { text, message };
    this.#isInSend = true;
    const delivery = this.#relay.fromClient(text);
    this.#isInSend = false;
    return delivery;
  }

  receive(message: object, extra: object | undefined): void {
    const id: unknown = Reflect.get(message, 'id');
    const method: unknown = Reflect.get(message, 'method');
    const isAnswer =
      method === undefined && (this.#openRequests.has(id) || String(id).startsWith('toolmend:'));
    if (!isAnswer && method !== 'notifications/tools/list_changed')
      return this.#emit(message, extra);
    if (isAnswer) this.#openRequests.delete(id);
    const text = JSON.stringify(message);
    this.#current = { text, message };
    this.#extra = extra;
    void this.#relay.fromServer(text);
    this.#extra = undefined;
  }

  #emit(message: object, extra?: object): void {
    if (typeof this.handler === 'function')
      Reflect.apply(this.handler, undefined, [message, extra]);
  }

  #deliver(text: string): Promise<void> {
    const message = this.#messageOf(text);
    this.#openRequests.delete(Reflect.get(message, 'id'));
    this.#emit(message, this.#extra);
    return Promise.resolve();
  }

  #messageOf(text: string): object {
    if (this.#current?.text === text) return this.#current.message;
    const reading = parseJson(text, maxDepth);
    return reading.kind === 'read' && isJsonObject(reading.value) ? reading.value : {};
  }

  /** A failure of a call that waited for the list is its answer, because `send` has resolved. */
  async #pass(text: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const isDirect = this.#isInSend;
    const message = this.#messageOf(text);
    const id: unknown = Reflect.get(message, 'id');
    const options = this.#openRequests.get(id);
    const hasHeaders = Object.keys(headers).length > 0;
    const ownHeaders: unknown = options === undefined ? undefined : Reflect.get(options, 'headers');
    const sendOptions = hasHeaders
      ? { ...options, headers: { ...lowerCased(ownHeaders), ...headers } }
      : options;
    try {
      await this.#transport.send(message, sendOptions);
    } catch (error) {
      if (isDirect || !this.#openRequests.has(id)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      this.#emit({ jsonrpc: '2.0', id, error: { code: -32_000, message: why } });
    }
  }
}

/** The relay is called, and doesn't run. */
const passive: Pick<Channel, 'run' | 'close'> = {
  run: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const lowerCased = (headers: unknown): object =>
  Object.fromEntries(
    Object.entries(Object(headers)).map(([name, value]: [string, unknown]) => [
      name.toLowerCase(),
      value,
    ]),
  );

function repairedCall(tool: string, decision: CallDecision): RepairedToolCall {
  if (decision.kind === 'refused') return { tool, status: 'refused', rules: [] };
  const rules = decision.kind === 'changed' ? [...new Set(decision.rules)] : [];
  return { tool, status: rules.length === 0 ? 'unchanged' : 'repaired', rules };
}

// One request of a known API: reads its tools, sends it on, and asks again if a call can't be repaired and that is wanted.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusedInHistory } from '../interpret/records.ts';
import { type JsonEdit, editJson } from '../json/json-edits.ts';
import { type JsonObject, type JsonValue, isJsonObject, ownValue } from '../json/value.ts';
import { decodeBytes, plainJson } from '../json/parse.ts';
import type { CheckedCall } from './answer-repair.ts';
import { type AnswerEnd, type AnswerOptions, type HeldAnswer, passThrough, writeHead } from './answer.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { type ContractCache, OfferedTools } from './offered-tools.ts';
import type { UnsentCall } from './model-turn.ts';
import type { OfferedTool, Protocol, ProtocolError } from './protocol.ts';
import { objectAt, textAt } from './read-members.ts';
import { isStream, passStream } from './streamed-answer.ts';
import { type Connections, type Upstream, endToEnd, upstreamFor } from './upstream.ts';
import { passWhole } from './whole-answer.ts';

export interface ExchangeOptions extends Pick<
  GatewayOptions,
  'upstreams' | 'onInvalid' | 'retries' | 'callsInText' | 'hints' | 'schemasFor'
> {
  readonly connections: Connections;
  readonly contracts: ContractCache;
}

export interface ExchangeRequest {
  readonly protocol: Protocol;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export interface RecordedCall extends CheckedCall {
  /** undefined: there is no such tool. */
  readonly tool: OfferedTool | undefined;
  /** How the call was written, if it was found in text. */
  readonly notation: string | undefined;
}

/**
 * How an exchange ended. `upstream_closed`, `client_closed`: in the midst of the answer. `no_upstream`: none has the model.
 * `unreachable`: the upstream gave no answer.
 */
export interface ExchangeEnd {
  readonly id: string;
  readonly protocol: Protocol['name'];
  readonly model: string | undefined;
  /** The status that the client got; 0 for none. */
  readonly status: number;
  readonly end: AnswerEnd['end'] | 'no_upstream' | 'unreachable';
  readonly calls: readonly RecordedCall[];
  /** How often the model was asked again. */
  readonly retries: number;
  /** Time that the gateway worked, in milliseconds. */
  readonly addedMs: number;
  /** Time in which parts of calls waited for the rest of them, in milliseconds. */
  readonly heldMs: number;
}

/** Answers one request. Never rejects because of what a client or an upstream sent. */
export async function runExchange(
  request: ExchangeRequest,
  response: ServerResponse,
  options: ExchangeOptions,
): Promise<ExchangeEnd> {
  const exchange = new Exchange(request, response, options);
  return exchange.run();
}

class Exchange {
  readonly #request: ExchangeRequest;
  readonly #response: ServerResponse;
  readonly #options: ExchangeOptions;
  readonly #text: string;
  readonly #content: Readonly<Parameters<Protocol['tools']>[0]>;
  readonly #tools: OfferedTools;
  readonly #model: string | undefined;
  readonly #aborter = new AbortController();
  readonly #times = { addedMs: 0, heldMs: 0 };
  readonly #calls: CheckedCall[] = [];
  readonly #notations = new Map<string, string>();
  #edits: readonly JsonEdit[];
  /** The model's turns that the client did not get, and their results. */
  #unsent: readonly string[] = [];
  #retries = 0;

  constructor(request: ExchangeRequest, response: ServerResponse, options: ExchangeOptions) {
    const begun = performance.now();
    const { protocol, body } = request;
    const text = textOf(body);
    const value = text === undefined ? undefined : plainJson(text);
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.#text = text ?? '';
    this.#content = isJsonObject(value) ? value : {};
    this.#model = textAt(this.#content, 'model');
    this.#tools = new OfferedTools(protocol.tools(this.#content), options.contracts, options);
    this.#edits = [
      ...this.#tools.toolEdits(),
      ...this.#tools.historyEdits(protocol.pastCalls(this.#content), this.#text),
    ];
    this.#times.addedMs += performance.now() - begun;
    response.once('close', () => !response.writableFinished && this.#aborter.abort());
  }

  async run(): Promise<ExchangeEnd> {
    const upstream = upstreamFor(this.#options.upstreams, this.#model);
    if (upstream === undefined) {
      const message = 'No upstream of toolmend gateway has this model.';
      return this.#fail('no_upstream', { status: 404, code: 'unknown_model', message });
    }
    let answer: IncomingMessage;
    try {
      answer = await this.#send(upstream);
    } catch (error) {
      return this.#aborter.signal.aborted
        ? this.#end('client_closed', 0)
        : this.#fail('unreachable', unreachable(error));
    }
    const status = answer.statusCode ?? 0;
    let passed = await passAnswer(answer, this.#response, this.#answerOptions());
    while (passed.kind === 'held') passed = await this.#askAgain(upstream, passed);
    this.#calls.push(...passed.calls);
    return this.#end(passed.end, passed.status ?? status);
  }

  #answerOptions(): AnswerOptions {
    const { protocol } = this.#request;
    const { onInvalid, retries, callsInText } = this.#options;
    return {
      protocol,
      tools: this.#tools.size === 0 ? undefined : this.#tools,
      holdsToEnd: retries > 0 || onInvalid === 'reject',
      join: retries > 0 ? protocol.streamJoin() : undefined,
      newTurn: retries > 0 ? () => protocol.modelTurn(this.#content) : undefined,
      callsInText: callsInText && mayHaveCalls(this.#content),
      notations: this.#notations,
      times: this.#times,
    };
  }

  /** The body is the client's, byte for byte, unless something in it changes. */
  #send(upstream: Upstream): Promise<IncomingMessage> {
    const { method, path, headers, body } = this.#request;
    // A compressed answer can't be read as it comes.
    const own =
      this.#tools.size === 0
        ? headers
        : [...endToEnd(headers, ['accept-encoding']), 'accept-encoding', 'identity'];
    const sent = this.#edits.length === 0 ? body : Buffer.from(editJson(this.#text, this.#edits));
    return this.#options.connections.send(
      upstream,
      { method, path, headers: own, body: sent },
      this.#aborter.signal,
    );
  }

  /** Asks the model again, as often as it may be; then the answer is sent as it is, or becomes an error. */
  async #askAgain(upstream: Upstream, held: HeldAnswer): Promise<AnswerEnd | HeldAnswer> {
    const items = [...this.#unsent, ...(held.turn?.items(held.calls.map(unsentCall)) ?? [])];
    const edits =
      this.#retries < this.#options.retries
        ? this.#request.protocol.retryEdits(this.#content, items)
        : undefined;
    if (edits === undefined) return this.#giveUp(held);
    this.#retries += 1;
    const before = this.#edits;
    this.#edits = [...before, ...edits];
    let answer: IncomingMessage;
    try {
      answer = await this.#send(upstream);
    } catch {
      return await this.#giveUp(held);
    } finally {
      this.#edits = before;
    }
    if (answer.statusCode !== 200) {
      answer.resume();
      return this.#giveUp(held);
    }
    const next = await held.continueWith(answer);
    if (next === undefined) return this.#giveUp(held);
    this.#unsent = items;
    this.#calls.push(...held.calls);
    return next;
  }

  #giveUp(held: HeldAnswer): Promise<AnswerEnd> {
    if (this.#options.onInvalid === 'pass') return held.release();
    const failed = held.calls.map(messageOf).filter((message) => message !== undefined);
    const message = `The model made a call that can't be repaired. ${failed.join('\n')}`;
    return held.reject({ status: 422, code: 'invalid_tool_call', message });
  }

  #fail(end: ExchangeEnd['end'], error: ProtocolError): ExchangeEnd {
    sendError(this.#response, this.#request.protocol, error);
    return this.#end(end, error.status);
  }

  #end(end: ExchangeEnd['end'], status: number): ExchangeEnd {
    return {
      id: crypto.randomUUID(),
      protocol: this.#request.protocol.name,
      model: this.#model,
      status,
      end,
      calls: this.#calls.map((checked) => ({
        ...checked,
        tool: this.#tools.toolOf(checked.call.name),
        notation: this.#notations.get(checked.call.id),
      })),
      retries: this.#retries,
      ...this.#times,
    };
  }
}

/** Whether text of the answer may be a call: not if the client wants none, or JSON. */
function mayHaveCalls(request: JsonObject): boolean {
  const choice = objectAt(request, 'tool_choice');
  const isNone = [
    textAt(request, 'tool_choice'),
    textAt(choice ?? {}, 'type'),
    textAt(request, 'function_call'),
  ];
  const formats = [
    ownValue(request, 'response_format'),
    ownValue(objectAt(request, 'text') ?? {}, 'format'),
    ownValue(request, 'format'),
    ownValue(request, 'output_format'),
    ownValue(objectAt(request, 'output_config') ?? {}, 'format'),
  ];
  const isText = (format: JsonValue | undefined): boolean =>
    format === undefined ||
    format === null ||
    format === '' ||
    (isJsonObject(format) && ownValue(format, 'type') === 'text');
  return !isNone.includes('none') && formats.every(isText);
}

const messageOf = ({ verdict }: CheckedCall): string | undefined =>
  verdict.kind === 'rejected' || verdict.kind === 'unknown_tool' ? verdict.message : undefined;

/** A call of an answer that is replaced: the model reads why. */
function unsentCall(checked: CheckedCall): UnsentCall {
  const { id, name, arguments: text } = refusedInHistory(checked.call);
  const other = `${name} was not executed.\nAnother call of the same answer was wrong: send all calls again.`;
  return { id, name, arguments: text, message: messageOf(checked) ?? other };
}

/** Passes on a request that is not of a known API. */
export async function passRequest(
  request: Parameters<Connections['send']>[1],
  response: ServerResponse,
  { upstreams, connections }: Pick<ExchangeOptions, 'upstreams' | 'connections'>,
  onError: Protocol,
): Promise<void> {
  const upstream = upstreamFor(upstreams, undefined);
  if (upstream === undefined) return;
  const aborter = new AbortController();
  response.once('close', () => !response.writableFinished && aborter.abort());
  try {
    await passThrough(await connections.send(upstream, request, aborter.signal), response);
  } catch (error) {
    if (!response.headersSent) sendError(response, onError, unreachable(error));
  }
}

export function sendError(response: ServerResponse, protocol: Protocol, error: ProtocolError): void {
  response.writeHead(error.status, { 'content-type': 'application/json' });
  response.end(protocol.errorBody(error));
}

/** Repairs the calls of an answer that may have some; any other answer passes as it comes. */
function passAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  options: AnswerOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const { protocol, tools } = options;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = answer.headers;
  if (tools === undefined || answer.statusCode !== 200 || encoding !== 'identity')
    return passThrough(answer, response);
  if (isStream(type, protocol)) {
    writeHead(answer, response, { length: 'unknown' });
    response.flushHeaders();
    return passStream(answer, response, { ...options, tools });
  }
  return /\bjson\b/i.test(type)
    ? passWhole(answer, response, { ...options, tools })
    : passThrough(answer, response);
}

function unreachable(error: unknown): ProtocolError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const message =
    code === 'ECONNRESET' || code === 'EPIPE'
      ? `The upstream broke off the connection before it answered (${code}). It may have read the request.`
      : `The upstream can't be reached (${typeof code === 'string' ? code : 'the connection failed'}).`;
  return { status: 502, code: 'upstream_unreachable', message };
}

function textOf(bytes: Buffer): string | undefined {
  const reading = decodeBytes(bytes);
  return reading.kind === 'text' ? reading.text : undefined;
}

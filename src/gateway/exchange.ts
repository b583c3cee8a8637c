// One request of a known API: reads its tools, and sends it on. If a call can't be repaired, it
// asks the model again, as often as the options say.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusedInHistory } from '../interpret/records.ts';
import { type JsonEdit, editJson } from '../json/json-edits.ts';
import { ownValue } from '../collections/objects.ts';
import { quote } from '../json/preview.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import { plainJson, textOfBytes } from '../json/parse.ts';
import { conversationId } from './conversation-id.ts';
import type { ConversationHints, LearnedHints } from '../learning/learned-hints.ts';
import type { Addition, RefusedAdditions } from './additions.ts';
import type { CheckedCall } from './answer-repair.ts';
import {
  type AnswerEnd,
  type AnswerOptions,
  type HeldAnswer,
  type WholeAnswer,
  breakOff,
  markHeader,
  passThrough,
  readWhole,
  writeHead,
} from './answer.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { ContractCache } from './contract-cache.ts';
import { RequestTools } from './offered-tools.ts';
import { unreadableCall } from '../messages/call-messages.ts';
import type { UnsentCall } from './model-turn.ts';
import { passAnswer } from './pass-answer.ts';
import type { RequestTool, Protocol, ApiError } from './protocol.ts';
import type { RecentTools } from './recent-tools.ts';
import { pastCalls } from './request-places.ts';
import { objectAt, textAt } from '../json/members.ts';
import {
  type RecoveredCall,
  callErrorIn,
  errorBodyIn,
  isAboutCall,
  isReadableError,
  isRefusal,
  recoveredCall,
  unreadCall,
} from './server-error.ts';
import type { LeftInText } from './text-group.ts';
import { type Connections, type Upstream, endToEnd, upstreamFor } from './upstream.ts';

export interface ExchangeOptions extends Pick<
  GatewayOptions,
  | 'upstreams'
  | 'onInvalid'
  | 'retries'
  | 'callsInText'
  | 'effects'
  | 'dispatches'
  | 'hints'
  | 'toolHints'
  | 'schemasFor'
  | 'strict'
> {
  readonly connections: Connections;
  readonly contracts: ContractCache;
  readonly recentTools: RecentTools;
  readonly learnedHints: LearnedHints;
  readonly refusedAdditions: RefusedAdditions;
}

export interface ExchangeRequest {
  readonly protocol: Protocol;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export interface ExchangeCall extends CheckedCall {
  /** undefined: there is no such tool. */
  readonly tool: RequestTool | undefined;
  /** The description of the tool had learned hints. */
  readonly isHinted: boolean;
  /** How the call was written, if it was found in text. */
  readonly notation: string | undefined;
}

/**
 * How an exchange ended. `upstream_closed`, `client_closed`: in the midst of the answer. `unread`:
 * the gateway could not read the answer, and calls in it passed unrepaired. `no_upstream`: no
 * upstream has the model. `unreachable`: the upstream gave no answer.
 */
export interface ExchangeEnd {
  readonly id: string;
  readonly protocol: Protocol['name'];
  readonly model: string | undefined;
  /** The status that the client got; 0 for none. */
  readonly status: number;
  readonly end: AnswerEnd['end'] | 'no_upstream' | 'unreachable';
  readonly calls: readonly ExchangeCall[];
  /** Calls that stayed in the text. */
  readonly leftInText: readonly LeftInText[];
  /** How often the model was asked again. */
  readonly retries: number;
  /** The upstream took strict tools. */
  readonly isStrict: boolean;
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

/** What an upstream answered to a request with these additions. */
interface Reply {
  readonly answer: IncomingMessage;
  readonly additions: readonly Addition[];
  /** The body, if it was read to see whether an addition was refused. */
  readonly refusal?: WholeAnswer;
}

class Exchange {
  readonly #request: ExchangeRequest;
  readonly #response: ServerResponse;
  readonly #options: ExchangeOptions;
  readonly #text: string;
  /** The JSON object in the body; empty for any other body. */
  readonly #content: JsonObject;
  readonly #tools: RequestTools;
  readonly #model: string | undefined;
  readonly #conversation: ConversationHints | undefined;
  readonly #aborter = new AbortController();
  readonly #times = { addedMs: 0, heldMs: 0 };
  readonly #calls: CheckedCall[] = [];
  readonly #notations = new Map<string, string>();
  readonly #leftInText: LeftInText[] = [];
  /** What the gateway changes in the request, however often it is sent. */
  readonly #edits: readonly JsonEdit[];
  /** The model's turns that the client did not get, with the messages about their calls. */
  #unsent: readonly string[] = [];
  #retries = 0;
  #isStrict = false;

  constructor(request: ExchangeRequest, response: ServerResponse, options: ExchangeOptions) {
    const startedAt = performance.now();
    const { protocol, body } = request;
    const text = textOfBytes(body);
    const value = text === undefined ? undefined : plainJson(text);
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.#text = text ?? '';
    this.#content = isJsonObject(value) ? value : {};
    this.#model = textAt(this.#content, 'model');
    this.#tools = new RequestTools(protocol.tools(this.#content), options.contracts, options);
    const id = this.#tools.size === 0 ? undefined : conversationId(this.#content);
    this.#conversation =
      id === undefined ? undefined : options.learnedHints.conversation(this.#model, id);
    this.#edits = [
      ...this.#tools.toolEdits(this.#conversation),
      ...this.#tools.historyEdits(pastCalls(protocol.wire.history, this.#content), this.#text),
    ];
    this.#times.addedMs += performance.now() - startedAt;
    response.once('close', () => !response.writableFinished && this.#aborter.abort());
  }

  async run(): Promise<ExchangeEnd> {
    const upstream = upstreamFor(this.#options.upstreams, this.#model);
    if (upstream === undefined) {
      const message = 'No upstream of toolmend gateway has this model.';
      return this.#fail('no_upstream', { status: 404, code: 'unknown_model', message });
    }
    let reply: Reply;
    try {
      reply = await this.#ask(upstream, this.#strictTools());
    } catch (error) {
      return this.#aborter.signal.aborted
        ? this.#end('client_closed', 0)
        : this.#fail('unreachable', unreachable(error));
    }
    const { answer } = reply;
    const status = answer.statusCode ?? 0;
    let answerEnd = await this.#passReply(upstream, reply);
    while (answerEnd.kind === 'held') answerEnd = await this.#askAgain(upstream, answerEnd);
    this.#calls.push(...answerEnd.calls);
    if (answerEnd.end === 'unread') this.#reportUnread(upstream, answer);
    return this.#end(answerEnd.end, answerEnd.status ?? status);
  }

  #reportUnread(upstream: Upstream, { headers }: IncomingMessage): void {
    const { 'content-type': type = 'no content type', 'content-encoding': encoding } = headers;
    const form = encoding === undefined ? type : `${type}, ${encoding}`;
    const what = `answered with ${form}, neither a stream nor JSON: its calls passed unread`;
    this.#options.connections.report(upstream, this.#request, what);
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
      callsInText,
      isTextAlone: !mayHaveCalls(this.#content),
      isStreamed: this.#isStreamed,
      model: this.#model,
      notations: this.#notations,
      leftInText: this.#leftInText,
      times: this.#times,
    };
  }

  /** Ollama streams unless it is told not to. */
  get #isStreamed(): boolean {
    const isDefault = this.#request.protocol.framing === 'ndjson';
    return (ownValue(this.#content, 'stream') ?? isDefault) === true;
  }

  #passReply(upstream: Upstream, reply: Reply): Promise<AnswerEnd | HeldAnswer> {
    const { answer, refusal } = reply;
    const options = this.#answerOptions();
    return refusal !== undefined || isReadableError(answer, options)
      ? this.#passError(upstream, answer, refusal)
      : passAnswer(answer, this.#response, options);
  }

  #strictTools(): readonly Addition[] {
    const edits = this.#tools.strictEdits();
    return edits.length === 0 ? [] : [{ kind: 'strict', edits }];
  }

  /**
   * Sends the request with these additions. If the upstream refuses the request, sends it without
   * the last addition. `retryEdits`: what the model reads when it is asked again.
   */
  async #ask(
    upstream: Upstream,
    wantedAdditions: readonly Addition[],
    retryEdits: readonly JsonEdit[] = [],
  ): Promise<Reply> {
    const { refusedAdditions, connections } = this.#options;
    const additions = wantedAdditions.filter(
      ({ kind }) => !refusedAdditions.has(upstream, this.#model, kind),
    );
    const answer = await this.#send(upstream, additions, retryEdits);
    const last = additions.at(-1);
    this.#isStrict = additions.some(({ kind }) => kind === 'strict');
    if (last === undefined || !isRefusal(answer)) return { answer, additions };
    const refusal = await readWhole(answer);
    if (isAboutCall(refusal)) return { answer, additions, refusal };
    const reply = await this.#ask(upstream, additions.slice(0, -1), retryEdits);
    if (reply.additions.length === additions.length - 1 && !isRefusal(reply.answer)) {
      refusedAdditions.add(upstream, this.#model, last.kind);
      const what = `answered ${answer.statusCode} to ${last.kind}, and answered without it: it is left out for ${modelText(this.#model)}`;
      connections.report(upstream, this.#request, what);
    }
    return reply;
  }

  /** The body is the client's, byte for byte, unless something in it changes. */
  #send(
    upstream: Upstream,
    additions: readonly Addition[],
    retryEdits: readonly JsonEdit[],
  ): Promise<IncomingMessage> {
    const { method, path, headers, body } = this.#request;
    // A compressed answer can't be read as it comes.
    const ownHeaders =
      this.#tools.size === 0
        ? headers
        : [...endToEnd(headers, ['accept-encoding']), 'accept-encoding', 'identity'];
    const additionEdits = additions.flatMap((addition) => addition.edits);
    const edits = [...this.#edits, ...retryEdits, ...additionEdits];
    const requestBody = edits.length === 0 ? body : Buffer.from(editJson(this.#text, edits));
    return this.#options.connections.send(
      upstream,
      { method, path, headers: ownHeaders, body: requestBody },
      this.#aborter.signal,
    );
  }

  /**
   * If an error is about the model's call and contains the call, the client gets the call instead.
   */
  async #passError(
    upstream: Upstream,
    answer: IncomingMessage,
    wholeError: WholeAnswer | undefined,
  ): Promise<AnswerEnd | HeldAnswer> {
    const read = wholeError ?? (await readWhole(answer));
    const { kind, bytes } = read;
    const value = errorBodyIn(read);
    const error = value && callErrorIn(value);
    const recovered = error?.raw === undefined ? undefined : recoveredCall(error.raw, this.#tools);
    if (recovered !== undefined && this.#request.protocol.callAnswer !== undefined)
      return this.#sendCall(recovered);
    if (error !== undefined) this.#calls.push(unreadCall(error));
    const next = error === undefined ? undefined : await this.#askForCall(upstream);
    if (next !== undefined) return this.#passReply(upstream, next);
    writeHead(answer, this.#response);
    const status = answer.statusCode ?? 502;
    if (kind === 'whole') {
      this.#response.end(bytes);
      return { kind: 'ended', end: 'complete', calls: [], status };
    }
    breakOff(this.#response, bytes);
    return { kind: 'ended', end: 'upstream_closed', calls: [], status };
  }

  #sendCall({ checkedCall, call }: RecoveredCall): AnswerEnd {
    const { protocol } = this.#request;
    const isSse = protocol.framing === 'sse';
    const isStreamed = this.#isStreamed;
    const callAnswer = protocol.callAnswer?.(this.#model ?? '', call);
    const streamType = isSse ? 'text/event-stream' : 'application/x-ndjson';
    const type = isStreamed ? streamType : 'application/json';
    this.#response.writeHead(200, { 'content-type': type, [markHeader]: 'recovered=1' });
    this.#response.end(isStreamed ? callAnswer?.events : callAnswer?.whole);
    return { kind: 'ended', end: 'complete', calls: [checkedCall], status: 200 };
  }

  /** Asks the model to send its unreadable call again. undefined if that gives no answer. */
  #askForCall(upstream: Upstream): Promise<Reply | undefined> {
    const message = JSON.stringify({ role: 'user', content: unreadableCall });
    return this.#retry(upstream, [...this.#unsent, message], this.#strictTools());
  }

  /**
   * Asks the model again. If it was asked as often as the options say, the answer is sent as it is,
   * or becomes an error. If the answer had one call, the model must call the same tool: a server
   * with a grammar then makes its arguments valid.
   */
  async #askAgain(upstream: Upstream, heldAnswer: HeldAnswer): Promise<AnswerEnd | HeldAnswer> {
    const items = [
      ...this.#unsent,
      ...(heldAnswer.turn?.items(heldAnswer.calls.map(unsentCall)) ?? []),
    ];
    const wantedAdditions = [...this.#strictTools(), ...this.#pinnedTool(heldAnswer)];
    const reply = await this.#retry(upstream, items, wantedAdditions);
    if (reply === undefined) return this.#giveUp(heldAnswer);
    const { answer, additions } = reply;
    if (answer.statusCode !== 200) {
      answer.resume();
      return this.#giveUp(heldAnswer);
    }
    const { protocol } = this.#request;
    const isPinned = additions.some(({ kind }) => kind === 'tool_choice');
    const next = await heldAnswer.continueWith(
      answer,
      isPinned ? { ...protocol, ...protocol.withPinnedTool } : protocol,
    );
    if (next === undefined) return this.#giveUp(heldAnswer);
    this.#unsent = items;
    this.#calls.push(...heldAnswer.calls);
    return next;
  }

  /**
   * Sends the request with these items behind its messages. undefined if the model was asked as
   * often as the options say, if the request has no place for them, and if the upstream is out of
   * reach.
   */
  async #retry(
    upstream: Upstream,
    items: readonly string[],
    wantedAdditions: readonly Addition[],
  ): Promise<Reply | undefined> {
    if (this.#retries >= this.#options.retries) return undefined;
    const retryEdits = this.#request.protocol.retryEdits(this.#content, items);
    if (retryEdits === undefined) return undefined;
    this.#retries += 1;
    try {
      return await this.#ask(upstream, wantedAdditions, retryEdits);
    } catch {
      return undefined;
    }
  }

  #pinnedTool({ calls }: HeldAnswer): readonly Addition[] {
    const [checkedCall, ...others] = calls;
    if (checkedCall?.verdict.kind !== 'rejected' || others.length > 0) return [];
    const tool = this.#tools.toolOf(checkedCall.call.name);
    const edit = tool && this.#request.protocol.pinnedTool?.(this.#content, tool.name);
    return edit === undefined ? [] : [{ kind: 'tool_choice', edits: [edit] }];
  }

  #giveUp(heldAnswer: HeldAnswer): Promise<AnswerEnd> {
    if (this.#options.onInvalid === 'pass') return heldAnswer.release();
    const messages = heldAnswer.calls.map(messageOf).filter((message) => message !== undefined);
    const message = `The model made a call that can't be repaired. ${messages.join('\n')}`;
    return heldAnswer.reject({ status: 422, code: 'invalid_tool_call', message });
  }

  #fail(end: ExchangeEnd['end'], error: ApiError): ExchangeEnd {
    sendError(this.#response, this.#request.protocol, error);
    return this.#end(end, error.status);
  }

  #end(end: ExchangeEnd['end'], status: number): ExchangeEnd {
    this.#learn();
    this.#options.recentTools.add(this.#request.protocol.name, this.#tools.hintedTools);
    return {
      id: crypto.randomUUID(),
      protocol: this.#request.protocol.name,
      model: this.#model,
      status,
      end,
      calls: this.#calls.map((checkedCall) => ({
        ...checkedCall,
        tool: this.#tools.toolOf(checkedCall.call.name),
        isHinted: this.#isHinted(checkedCall.call.name),
        notation: this.#notations.get(checkedCall.call.id),
      })),
      leftInText: this.#leftInText,
      retries: this.#retries,
      isStrict: this.#isStrict,
      ...this.#times,
    };
  }

  #isHinted(name: string): boolean {
    const contract = this.#conversation && this.#tools.contractFor(name);
    return contract !== undefined && (this.#conversation?.missesOf(contract).length ?? 0) > 0;
  }

  /** Counts what the model got wrong. Calls that weren't checked say nothing of it. */
  #learn(): void {
    for (const { call, verdict } of this.#calls) {
      if (!['unchanged', 'repaired', 'rejected'].includes(verdict.kind)) continue;
      const contract = this.#tools.contractFor(call.name);
      const misses = 'misses' in verdict ? verdict.misses : [];
      if (contract !== undefined)
        this.#options.learnedHints.count({
          contract,
          model: this.#model,
          misses,
          shownHints: this.#conversation,
        });
    }
  }
}

/** Whether text of the answer may be a call. It isn't if the client wants no calls, or JSON. */
function mayHaveCalls(request: JsonObject): boolean {
  const choice = objectAt(request, 'tool_choice');
  const toolChoices = [
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
  return !toolChoices.includes('none') && formats.every(isText);
}

const messageOf = ({ verdict }: CheckedCall): string | undefined =>
  verdict.kind === 'rejected' || verdict.kind === 'unknown_tool' ? verdict.message : undefined;

/** A call of an answer that the client did not get, with what the model reads about it. */
function unsentCall(checkedCall: CheckedCall): UnsentCall {
  const { call, verdict } = checkedCall;
  const plain = verdict.kind === 'rejected' ? verdict.arguments : undefined;
  const {
    id,
    name,
    arguments: text,
  } = refusedInHistory({
    ...call,
    ...(plain === undefined ? {} : { arguments: plain }),
  });
  const resendAll = `${name} was not executed.\nAnother call of the same answer was wrong: send all calls again.`;
  return { id, name, arguments: text, message: messageOf(checkedCall) ?? resendAll };
}

/** Passes on a request that is not of a known API. Returns how the exchange ended. */
export async function passRequest(
  request: Parameters<Connections['send']>[1],
  response: ServerResponse,
  { upstreams, connections }: Pick<ExchangeOptions, 'upstreams' | 'connections'>,
  errorProtocol: Protocol,
): Promise<ExchangeEnd['end']> {
  const upstream = upstreamFor(upstreams, undefined);
  if (upstream === undefined) return 'no_upstream';
  const aborter = new AbortController();
  response.once('close', () => !response.writableFinished && aborter.abort());
  try {
    const answer = await connections.send(upstream, request, aborter.signal);
    return (await passThrough(answer, response)).end;
  } catch (error) {
    if (aborter.signal.aborted) return 'client_closed';
    if (!response.headersSent) sendError(response, errorProtocol, unreachable(error));
    return 'unreachable';
  }
}

export function sendError(response: ServerResponse, protocol: Protocol, error: ApiError): void {
  response.writeHead(error.status, { 'content-type': 'application/json' });
  response.end(protocol.errorBody(error));
}

const modelText = (model: string | undefined): string =>
  model === undefined ? 'requests without a model' : `the model ${quote(model)}`;

function unreachable(error: unknown): ApiError {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const message =
    code === 'ECONNRESET' || code === 'EPIPE'
      ? `The upstream broke off the connection before it answered (${code}). It may have read the request.`
      : `The upstream can't be reached (${typeof code === 'string' ? code : 'the connection failed'}).`;
  return { status: 502, code: 'upstream_unreachable', message };
}

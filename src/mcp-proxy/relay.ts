import { ownValue } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import type { Channel } from './channel.ts';
import {
  callWithoutId,
  connectionClosed,
  errorOf,
  invalidRequest,
  isUnaddressedCall,
  metaForOwn,
  refusal,
  responseWithNotes,
  type Message,
  type TextEdit,
  applyEdits,
  memberEdit,
  memberRanges,
  objectAtPath,
  rangeAt,
  batchText,
  readBatch,
  readMessage,
  errorForUnreadable,
} from './message.ts';
import { OwnRequests } from './proxy-requests.ts';
import { TaskNotes } from './task-notes.ts';
import type { CallDecision, ServerTools } from './tools.ts';

/** What is done with the answer to a request of the client. */
type ExpectedAnswer =
  | { readonly kind: 'list'; readonly isFirst: boolean }
  | { readonly kind: 'call'; readonly notes: readonly string[] }
  | { readonly kind: 'other' };

/** A message that was decided on. */
interface Outgoing {
  readonly to: 'client' | 'server';
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const isCall = ({ kind }: Message): boolean =>
  kind.kind === 'request' && kind.method === 'tools/call';

const idOf = ({ kind }: Message): string => (kind.kind === 'request' ? kind.id : 'null');

/** Called for each call of a tool. */
export type OnCall = (tool: string, decision: CallDecision, call: ReceivedCall) => void;

export interface ReceivedCall {
  /** As JSON. */
  readonly id: string;
  /** JSON text of the arguments, or text that the client sent as a string. */
  readonly sentArguments: string;
  readonly schema: object | undefined;
}

interface RelayOptions {
  readonly tools: ServerTools;
  readonly log: (line: string) => void;
  readonly onCall?: OnCall;
}

const unreadableMessage =
  'This message can’t be read, so it was not passed on: send one JSON-RPC message, nested less deeply, with each key once.';

/** Milliseconds that a call waits for the list of tools. Then it is passed on as it came. */
const timeoutMs = 30_000;
const maxPages = 64;

/**
 * Connects a client with one server. Messages pass byte for byte, except for descriptions in the
 * list of tools, arguments of calls that need repair, and answers to calls that can't be repaired.
 */
export class McpRelay {
  readonly #client: Channel;
  readonly #server: Channel;
  readonly #options: RelayOptions;
  /** Requests of the client without an answer so far, by id. */
  readonly #expectedAnswers = new Map<string, ExpectedAnswer>();
  /** Calls that wait for the list of tools, by id. */
  readonly #heldCalls = new Map<string, Promise<void>>();
  readonly #ownRequests = new OwnRequests();
  readonly #tasks = new TaskNotes();
  #listing: Promise<void> | undefined;

  constructor(client: Channel, server: Channel, options: RelayOptions) {
    this.#client = client;
    this.#server = server;
    this.#options = options;
  }

  /** Resolves when one side has ended, with that side. The other one is still open. */
  async run(): Promise<'client' | 'server'> {
    const server = this.#server.run((text) => this.fromServer(text));
    const client = this.#client.run((text) => this.fromClient(text));
    const endedSide = await Promise.race([
      server.then(() => 'server' as const),
      client.then(() => 'client' as const),
    ]);
    if (endedSide === 'client') await Promise.race([server, Promise.all(this.#heldCalls.values())]);
    return endedSide;
  }

  /** Answers all requests that the server can't answer any more. */
  async fail(why: string): Promise<void> {
    this.#ownRequests.abandon();
    const error = JSON.stringify({ code: connectionClosed, message: why });
    for (const id of new Set([...this.#expectedAnswers.keys(), ...this.#heldCalls.keys()]))
      await this.#client.send(`{"jsonrpc":"2.0","id":${id},"error":${error}}`);
    this.#expectedAnswers.clear();
  }

  async fromClient(text: string): Promise<void> {
    const message = readMessage(text);
    if (typeof message === 'string') {
      const batch = message === 'opaque' ? readBatch(text) : undefined;
      if (batch !== undefined) return this.#fromBatch(text, batch);
      // An unread message may be a call. It must not get around a pin or a fixed argument.
      return this.#options.tools.restrictsCalls
        ? this.#client.send(errorForUnreadable(text, invalidRequest, unreadableMessage))
        : this.#server.send(text);
    }
    if (isUnaddressedCall(message))
      return this.#client.send(errorOf(message, invalidRequest, callWithoutId));
    const { kind, value } = message;
    const params = objectAtPath(value, 'params');
    if (kind.kind === 'request') {
      if (kind.method === 'tools/call') return this.#fromCall(message, kind.id, params);
      this.#expect(kind.id, kind.method, params);
    }
    if (kind.kind === 'notification' && kind.method === 'notifications/cancelled') {
      const id = JSON.stringify(ownValue(params, 'requestId') ?? null);
      this.#expectedAnswers.delete(id);
      // The server has not seen the call.
      if (this.#heldCalls.delete(id)) return undefined;
    }
    return this.#server.send(text);
  }

  #expect(id: string, method: string, params: JsonObject): void {
    const isFirst = !Object.hasOwn(params, 'cursor');
    const notes = this.#tasks.ofRequest(method, params);
    const other: ExpectedAnswer = notes.length === 0 ? { kind: 'other' } : { kind: 'call', notes };
    this.#expectedAnswers.set(id, method === 'tools/list' ? { kind: 'list', isFirst } : other);
  }

  /** The list is asked for only if the client hasn't done so. */
  #fromCall(message: Message, id: string, params: JsonObject): Promise<void> | undefined {
    const name = ownValue(params, 'name');
    const { tools } = this.#options;
    if (typeof name !== 'string' || tools.isWhole) return this.#pass(message, id, params);
    const heldCall = this.#list(params).then(() =>
      this.#heldCalls.delete(id) ? this.#pass(message, id, params) : undefined,
    );
    this.#heldCalls.set(id, heldCall);
    // Later messages needn't wait, and the server may ask the client before it answers.
    return undefined;
  }

  /**
   * A batch, which only revision 2025-03-26 has: its calls are repaired in it, and those that can't
   * be are taken out of it.
   */
  #fromBatch(text: string, batch: readonly Message[]): Promise<void> | undefined {
    const calls = batch.filter(isCall);
    if (calls.length === 0 || this.#options.tools.isWhole) return this.#sendBatch(text, batch);
    const [first] = calls;
    const heldBatch = this.#list(objectAtPath(first?.value ?? {}, 'params')).then(() => {
      // A call that was cancelled meanwhile is not held any more.
      const remainder = batch.filter(
        (message) => !isCall(message) || this.#heldCalls.delete(idOf(message)),
      );
      return this.#sendBatch(remainder.length === batch.length ? text : '', remainder);
    });
    for (const message of calls) this.#heldCalls.set(idOf(message), heldBatch);
    return undefined;
  }

  async #sendBatch(text: string, batch: readonly Message[]): Promise<void> {
    const decidedMessages = batch.map((message): Outgoing => {
      const { kind, value } = message;
      const params = objectAtPath(value, 'params');
      if (isCall(message)) return this.#decide(message, idOf(message), params);
      if (isUnaddressedCall(message))
        return { to: 'client', text: errorOf(message, invalidRequest, callWithoutId) };
      if (kind.kind === 'request') this.#expect(kind.id, kind.method, params);
      return { to: 'server', text: message.text };
    });
    for (const { to, text: answer } of decidedMessages)
      if (to === 'client') await this.#client.send(answer);
    const serverTexts = decidedMessages
      .filter(({ to }) => to === 'server')
      .map((outgoing) => outgoing.text);
    if (serverTexts.length > 0) await this.#server.send(batchText(text, batch, serverTexts));
  }

  async #pass(message: Message, id: string, params: JsonObject): Promise<void> {
    const { to, text, headers } = this.#decide(message, id, params);
    return to === 'client' ? this.#client.send(text) : this.#server.send(text, headers);
  }

  #decide(message: Message, id: string, params: JsonObject): Outgoing {
    const name = ownValue(params, 'name');
    const sentArguments = ownValue(params, 'arguments');
    const range = rangeAt(message.text, 'params');
    this.#expectedAnswers.set(id, { kind: 'other' });
    if (typeof name !== 'string' || range === undefined)
      return { to: 'server', text: message.text };
    const source = memberRanges(message.text, range).get('arguments');
    const argumentsText =
      source === undefined ? '{}' : message.text.slice(source.start, source.end);
    const isText = typeof sentArguments === 'string';
    const { tools } = this.#options;
    const decision = tools.decide(name, isText ? sentArguments : argumentsText, isText);
    this.#options.onCall?.(name, decision, {
      id,
      sentArguments: isText ? sentArguments : argumentsText,
      schema: tools.schemaOf(name),
    });
    if (decision.kind === 'refused') {
      this.#expectedAnswers.delete(id);
      return { to: 'client', text: refusal(message, decision.message) };
    }
    if (decision.kind !== 'changed')
      return { to: 'server', text: message.text, headers: tools.headersOf(name, argumentsText) };
    this.#expectedAnswers.set(id, { kind: 'call', notes: decision.notes });
    const edits = [
      ...(decision.name === name
        ? []
        : [memberEdit(message.text, range, 'name', JSON.stringify(decision.name))]),
      memberEdit(message.text, range, 'arguments', decision.arguments),
    ];
    return {
      to: 'server',
      text: applyEdits(message.text, edits),
      headers: tools.headersOf(decision.name, decision.arguments),
    };
  }

  async fromServer(text: string): Promise<void> {
    const message = readMessage(text);
    if (message === 'garbage') {
      this.#options.log('the server wrote a line that is not a message; it is left out');
      return undefined;
    }
    if (message === 'opaque') {
      const batch = readBatch(text);
      if (batch === undefined) return this.#client.send(text);
      const texts = batch.flatMap((part) => this.#clientTextOf(part) ?? []);
      return texts.length === 0 ? undefined : this.#client.send(batchText(text, batch, texts));
    }
    const clientText = this.#clientTextOf(message);
    return clientText === undefined ? undefined : this.#client.send(clientText);
  }

  /** What the client gets of a message of the server; undefined if it is not for the client. */
  #clientTextOf(message: Message): string | undefined {
    const { kind, text } = message;
    if (kind.kind === 'notification' && kind.method === 'notifications/tools/list_changed') {
      this.#options.tools.forget();
      this.#listing = undefined;
    }
    if (kind.kind !== 'response') return text;
    if (this.#ownRequests.take(kind.id, message)) return undefined;
    const expectedAnswer = this.#expectedAnswers.get(kind.id);
    this.#expectedAnswers.delete(kind.id);
    if (expectedAnswer?.kind === 'list')
      return applyEdits(text, this.#readPage(message, expectedAnswer.isFirst));
    return expectedAnswer?.kind === 'call'
      ? responseWithNotes(message, this.#tasks.atAnswer(message, expectedAnswer.notes))
      : text;
  }

  #readPage({ value, text }: Message, isFirst: boolean): readonly TextEdit[] {
    const range = rangeAt(text, 'result');
    return range === undefined
      ? []
      : this.#options.tools.readPage(objectAtPath(value, 'result'), text, range, isFirst);
  }

  /**
   * Asks the server for its tools, once for all calls that wait. `call`: the parameters of the call
   * that needs them.
   */
  #list(call: JsonObject): Promise<void> {
    // Kept after a failure, so that the next call doesn't wait again.
    this.#listing ??= this.#listPages(metaForOwn(call));
    return this.#listing;
  }

  async #listPages(meta: JsonObject | undefined): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const params = {
        ...(cursor === undefined ? {} : { cursor }),
        ...(meta === undefined ? {} : { _meta: meta }),
      };
      const answer = await this.#ownRequests.ask(
        this.#server,
        'tools/list',
        JSON.stringify(params),
        {
          timeoutMs,
        },
      );
      if (answer === undefined || !Object.hasOwn(answer.value, 'result')) {
        this.#options.log('the server did not list its tools; the call is passed on as it came');
        return;
      }
      this.#readPage(answer, page === 0);
      const nextCursor = ownValue(objectAtPath(answer.value, 'result'), 'nextCursor');
      if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) return;
      cursor = nextCursor;
    }
  }
}

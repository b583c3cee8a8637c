import type { ServerResponse } from 'node:http';
import { ownValue } from '../collections/objects.ts';
import { type JsonValue } from '../json/value.ts';
import type { Channel } from './channel.ts';
import {
  type Message,
  applyEdits,
  connectionClosed,
  idText,
  memberEdit,
  objectAtPath,
  protocolKey,
  rangeAt,
  readMessage,
} from './message.ts';
import { idAt, withMember } from './server-requests.ts';

/** A request whose answer is being streamed. */
interface OpenRequest {
  readonly response: ServerResponse;
  /** The client's own id, as JSON. */
  readonly id: string;
  /** Its progress token, as JSON. */
  readonly token: string | undefined;
}

/** How many messages may wait for a stream; later ones are dropped. */
const mostWaiting = 1_000;

/**
 * The client's side of Streamable HTTP. `session`: one client. `shared`: all clients of the
 * stateless revision, whose ids and progress tokens may be equal, so that the server sees ids of
 * ours.
 */
export class HttpClients implements Channel {
  readonly #kind: 'session' | 'shared';
  /** By the id that the server sees, as JSON. */
  readonly #open = new Map<string, OpenRequest>();
  /** The stream of messages that belong to no request. */
  #events: ServerResponse | undefined;
  readonly #waitingTexts: string[] = [];
  /** The id of the request to initialize, and the revision that was agreed on. */
  #initialize: string | undefined;
  #revision: JsonValue | undefined;
  readonly #closing = Promise.withResolvers<void>();
  #receive: (text: string) => void | Promise<void> = () => undefined;
  #last = 0;

  constructor(kind: 'session' | 'shared') {
    this.#kind = kind;
  }

  /** Whether a stream is open. */
  get isBusy(): boolean {
    return this.#open.size > 0 || this.#events !== undefined;
  }

  /** Whether the session's revision has batches: that of 2025-03-26, and only that. */
  get hasBatches(): boolean {
    return this.#revision === '2025-03-26';
  }

  run(receive: (text: string) => void | Promise<void>): Promise<void> {
    this.#receive = receive;
    return this.#closing.promise;
  }

  close(): Promise<void> {
    for (const { response, id } of this.#open.values()) {
      const error = { code: connectionClosed, message: 'The proxy has ended.' };
      if (!response.writableEnded)
        writeEvent(response, `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
    }
    for (const response of this.#streams()) response.end();
    this.#events?.end();
    this.#closing.resolve();
    return Promise.resolve();
  }

  /** Takes a request of a client, and streams what belongs to it. */
  async ask(message: Message, response: ServerResponse): Promise<void> {
    const { kind } = message;
    if (kind.kind === 'request' && kind.method === 'initialize') this.#initialize = kind.id;
    const text = this.#openRequest(message, response);
    beginStream(response);
    await this.#receive(text);
  }

  /** Takes a batch with at least one request, and streams one answer after the other. */
  async askAll(batch: readonly Message[], response: ServerResponse): Promise<void> {
    const texts = batch.map((message) =>
      message.kind.kind === 'request' ? this.#openRequest(message, response) : message.text,
    );
    beginStream(response);
    for (const text of texts) await this.#receive(text);
  }

  /** The request as the server gets it. */
  #openRequest(message: Message, response: ServerResponse): string {
    const { text, value } = message;
    const isShared = this.#kind === 'shared';
    const id = isShared ? JSON.stringify(`http:${(this.#last += 1)}`) : idAtRoot(message);
    const token = ownValue(objectAtPath(value, 'params', '_meta'), 'progressToken');
    this.#open.set(id, {
      response,
      id: idText(message),
      token: token === undefined ? undefined : JSON.stringify(token),
    });
    response.on('close', () => this.#endRequest(id, response));
    const meta = rangeAt(text, 'params', '_meta');
    const edits = [
      ...(rangeAt(text, 'id') === undefined ? [] : [{ ...idRange(text), text: id }]),
      ...(token === undefined || meta === undefined
        ? []
        : [memberEdit(text, meta, 'progressToken', id)]),
    ];
    return isShared ? applyEdits(text, edits) : text;
  }

  /** Takes a notification or a response of a client. */
  async tell(text: string): Promise<void> {
    await this.#receive(text);
  }

  /** Streams what belongs to no request. False if such a stream is open already. */
  listen(response: ServerResponse): boolean {
    if (this.#events !== undefined) return false;
    this.#events = response;
    response.on('close', () => (this.#events = undefined));
    beginStream(response);
    for (const text of this.#waitingTexts.splice(0)) writeEvent(response, text);
    return true;
  }

  send(text: string): Promise<void> {
    const message = readMessage(text);
    if (typeof message === 'object' && message.kind.kind === 'response')
      this.#answer(message, message.kind.id);
    else if (typeof message === 'object' && this.#kind === 'shared') this.#sendShared(message);
    else this.#sendToSession(text);
    return Promise.resolve();
  }

  #answer({ text, value }: Message, id: string): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#open.delete(id);
    if (id === this.#initialize)
      this.#revision = ownValue(objectAtPath(value, 'result'), 'protocolVersion');
    writeEvent(request.response, applyEdits(text, [{ ...idRange(text), text: request.id }]));
    if (!this.#streams().has(request.response)) request.response.end();
  }

  /** The streams of open requests. */
  #streams(): ReadonlySet<ServerResponse> {
    return new Set(Array.from(this.#open.values(), ({ response }) => response));
  }

  /**
   * Progress and subscriptions name their request; anything else goes to the only open request, and
   * is dropped if there are several.
   */
  #sendShared(message: Message): void {
    const { text, value } = message;
    const byToken = this.#open.get(idAt(message, 'progressToken'));
    if (byToken?.token !== undefined)
      return writeEvent(byToken.response, withMember(message, 'progressToken', byToken.token));
    const key = `${protocolKey}subscriptionId`;
    const subscription = JSON.stringify(
      ownValue(objectAtPath(value, 'params', '_meta'), key) ?? null,
    );
    const subscriber = this.#open.get(subscription);
    const meta = rangeAt(text, 'params', '_meta');
    if (subscriber !== undefined && meta !== undefined)
      return writeEvent(
        subscriber.response,
        applyEdits(text, [memberEdit(text, meta, key, subscriber.id)]),
      );
    const [only, ...others] = this.#open.values();
    if (only !== undefined && others.length === 0) writeEvent(only.response, text);
  }

  #sendToSession(text: string): void {
    const [first, ...others] = this.#streams();
    const stream = others.length === 0 && first !== undefined ? first : (this.#events ?? first);
    if (stream !== undefined) return writeEvent(stream, text);
    if (this.#waitingTexts.length < mostWaiting) this.#waitingTexts.push(text);
  }

  /** In the stateless revision, a client cancels a request by closing its stream. */
  #endRequest(id: string, response: ServerResponse): void {
    if (this.#open.get(id)?.response !== response) return;
    this.#open.delete(id);
    const params = `{"requestId":${id}}`;
    if (this.#kind === 'shared')
      void this.#receive(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
  }
}

const idAtRoot = ({ kind }: Message): string => (kind.kind === 'request' ? kind.id : 'null');

const idRange = (text: string) => rangeAt(text, 'id') ?? { start: 0, end: 0 };

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

/** SSE data is written as one line; in JSON text a line break is only whitespace. */
function writeEvent(response: ServerResponse, text: string): void {
  response.write(`event: message\ndata: ${text.replace(/[\r\n]+/g, ' ')}\n\n`);
}

import { ownValue } from '../collections/objects.ts';
import { type JsonValue } from '../json/value.ts';
import type { HubServer } from './lists.ts';
import { type Message, applyEdits, idText, memberEdit, objectAtPath, rangeAt } from './message.ts';

interface ServerRequest {
  readonly server: HubServer;
  /** The server's own id, as JSON. */
  readonly id: string;
  /** Its progress token, as JSON. */
  readonly token: string | undefined;
}

/** A message for one server. */
interface Addressed {
  readonly server: HubServer;
  readonly text: string;
}

/**
 * Requests of servers to the client: several servers may use one id, so that the client sees ids of
 * ours.
 */
export class ServerRequests {
  /** By our id, as JSON, which is also our progress token. */
  readonly #open = new Map<string, ServerRequest>();
  #last = 0;

  /** The request for the client. */
  forClient(server: HubServer, message: Message): string {
    const id = JSON.stringify(`${server.name}:${(this.#last += 1)}`);
    const { text, value } = message;
    const meta = rangeAt(text, 'params', '_meta');
    const token: JsonValue | undefined = ownValue(
      objectAtPath(value, 'params', '_meta'),
      'progressToken',
    );
    const hasToken = token !== undefined && meta !== undefined;
    this.#open.set(id, {
      server,
      id: idText(message),
      token: hasToken ? JSON.stringify(token) : undefined,
    });
    const range = rangeAt(text, 'id');
    return applyEdits(text, [
      ...(range === undefined ? [] : [{ ...range, text: id }]),
      ...(hasToken ? [memberEdit(text, meta, 'progressToken', id)] : []),
    ]);
  }

  /** The client's response for the server; undefined if no server waits for it. */
  response(message: Message, id: string): Addressed | undefined {
    const request = this.#open.get(id);
    const range = rangeAt(message.text, 'id');
    this.#open.delete(id);
    if (request === undefined || range === undefined) return undefined;
    return {
      server: request.server,
      text: applyEdits(message.text, [{ ...range, text: request.id }]),
    };
  }

  /** The client's progress of a request. */
  progress(message: Message): Addressed | undefined {
    const request = this.#open.get(idAt(message, 'progressToken'));
    if (request?.token === undefined) return undefined;
    return { server: request.server, text: withMember(message, 'progressToken', request.token) };
  }

  /** The server's cancellation of its request, for the client. */
  cancellation(server: HubServer, message: Message): string | undefined {
    const id = idAt(message, 'requestId');
    const [ownId] =
      [...this.#open].find(([, request]) => request.server === server && request.id === id) ?? [];
    if (ownId === undefined) return undefined;
    this.#open.delete(ownId);
    return withMember(message, 'requestId', ownId);
  }

  /** The server is gone. */
  forget(server: HubServer): void {
    for (const [id, request] of this.#open) if (request.server === server) this.#open.delete(id);
  }
}

/** A member of the parameters, as JSON. */
export const idAt = ({ value }: Message, key: string): string =>
  JSON.stringify(ownValue(objectAtPath(value, 'params'), key) ?? null);

/** With another value of a member of the parameters. `value`: JSON text. */
export function withMember({ text }: Message, key: string, value: string): string {
  const range = rangeAt(text, 'params');
  return range === undefined ? text : applyEdits(text, [memberEdit(text, range, key, value)]);
}

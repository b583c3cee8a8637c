// Reads the answers of the service over HTTP, as any client does.
import type { ChatEvent } from './chat/chat-event.ts';

/** What the service shows of an order. */
export interface ShownOrder {
  readonly id: number;
  readonly refunded: number;
  readonly address: string;
  readonly gift_card: string | null;
}

export interface ChatClient {
  open(): Promise<string>;
  /**
   * The events of one answer, as they come. Rejects with the status of a request that was refused.
   */
  send(path: string, body: object): AsyncGenerator<ChatEvent>;
  orders(): Promise<readonly ShownOrder[]>;
}

/** `token`: identifies the customer. */
export function createChatClient(address: string, token: string): ChatClient {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${address}${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    async open() {
      const response = await request('/chats', { method: 'POST' });
      const { id }: { readonly id: string } = JSON.parse(await response.text());
      return id;
    },
    async *send(path, body) {
      const response = await request(path, { method: 'POST', body: JSON.stringify(body) });
      let rest = '';
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = `${rest}${piece}`.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) yield* eventsOf(block);
      }
    },
    async orders() {
      return JSON.parse(await (await request('/orders')).text());
    },
  };
}

/**
 * One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html), without
 * comments.
 */
function eventsOf(block: string): readonly ChatEvent[] {
  const field = (name: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const [type, data] = [field('event'), field('data')];
  return type === undefined || data === undefined
    ? []
    : [JSON.parse(`{"type":"${type}","data":${data}}`)];
}

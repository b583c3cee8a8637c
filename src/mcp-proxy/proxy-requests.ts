import type { Channel } from './channel.ts';
import type { Message } from './message.ts';

export interface AskOptions {
  /** Milliseconds; undefined: the answer may take any time. */
  readonly timeoutMs: number | undefined;
  /** Called with the id, as JSON, before the request is sent. */
  readonly onId?: (id: string) => void;
}

interface OwnRequest {
  readonly channel: Channel;
  resolve(answer: Message | undefined): void;
}

/** Requests that the proxy makes itself, beside those of its clients. */
export class OwnRequests {
  readonly #open = new Map<string, OwnRequest>();
  #last = 0;

  /** `params`: JSON text. Undefined if there is no answer in time. */
  async ask(
    channel: Channel,
    method: string,
    params: string,
    { timeoutMs, onId }: AskOptions,
  ): Promise<Message | undefined> {
    const id = JSON.stringify(`toolmend:${(this.#last += 1)}`);
    onId?.(id);
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    this.#open.set(id, { channel, resolve });
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => resolve(undefined), timeoutMs);
    timer?.unref();
    const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
    await channel.send(text).catch(() => resolve(undefined));
    const answer = await promise;
    clearTimeout(timer);
    this.#open.delete(id);
    return answer;
  }

  /** Takes the answer to one of these requests; false for any other message. */
  take(id: string, answer: Message): boolean {
    const request = this.#open.get(id);
    request?.resolve(answer);
    return request !== undefined;
  }

  /** Ends requests without an answer: all, or those to one server. */
  abandon(channel?: Channel): void {
    for (const request of this.#open.values())
      if (channel === undefined || request.channel === channel) request.resolve(undefined);
  }

  /** The server of a request. */
  channelOf(id: string): Channel | undefined {
    return this.#open.get(id)?.channel;
  }

  /** Ends one request without an answer. */
  drop(id: string): void {
    this.#open.get(id)?.resolve(undefined);
  }
}

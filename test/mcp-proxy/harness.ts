// Connections in memory: what a proxy sends to each side, and servers that answer at once.
import type { Channel } from '../../src/mcp-proxy/channel.ts';

export interface FakeChannel extends Channel {
  /** The texts that were sent to this side. */
  readonly sent: string[];
  /** Ends the connection. */
  readonly end: () => void;
  /** Sends a message from this side. */
  readonly say: (message: unknown) => Promise<void>;
}

/** `answer` gets each message that is sent to this side. */
export function fakeChannel(
  answer: (message: Message, channel: FakeChannel) => unknown = () => undefined,
  exit?: string,
): FakeChannel {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const sent: string[] = [];
  let receive: (text: string) => void | Promise<void> = () => undefined;
  const channel: FakeChannel = {
    sent,
    end,
    say: async (message) =>
      receive(typeof message === 'string' ? message : JSON.stringify(message)),
    run: (receiver) => {
      receive = receiver;
      return promise;
    },
    send: (text) => {
      sent.push(text);
      if (text.startsWith('{')) answer(JSON.parse(text), channel);
      return Promise.resolve();
    },
    close: () => {
      end();
      return Promise.resolve();
    },
    ...(exit === undefined ? {} : { exit: Promise.resolve(exit) }),
  };
  return channel;
}

// eslint-disable-next-line typescript/no-explicit-any -- messages of tests
export type Message = any;

/** The messages that were sent to a side. */
export const messagesTo = (channel: FakeChannel): Message[] =>
  channel.sent.map((text): Message => JSON.parse(text));

/** A server that answers requests by method with the results of functions; others get no answer. */
export const fakeServer = (
  results: Readonly<Record<string, (message: Message, channel: FakeChannel) => object | undefined>>,
  exit?: string,
): FakeChannel =>
  fakeChannel((message, channel) => {
    const result = results[message.method]?.(message, channel);
    if (message.id !== undefined && result !== undefined)
      void channel.say({
        jsonrpc: '2.0',
        id: message.id,
        ...('error' in result ? result : { result }),
      });
  }, exit);

export const request = (id: unknown, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** Until everything that was sent has been handled. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const listTool = (name: string, properties: object, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object', properties, additionalProperties: false, ...more },
});

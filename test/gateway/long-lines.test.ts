// The time that a long message takes grows with its length, not with its square.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { lineChannel } from '../../src/mcp-proxy/channel.ts';
import { HttpChannel } from '../../src/mcp-proxy/http-channel.ts';
import { leastProcessorTime } from './least-processor-time.ts';

const length = 8 * 1024 * 1024;
const messageOf = (size: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(size) } });

/** The messages of a channel. */
async function readLines(chunks: readonly string[]) {
  const messages: string[] = [];
  const channel = lineChannel(Readable.from(chunks), { write: () => true });
  await channel.run((text) => void messages.push(text));
  return messages;
}

const inChunks = (text: string, size: number): readonly string[] =>
  text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

test('a line of standard input: as fast as many short ones of the same length', async () => {
  const long = messageOf(length);
  const short = `${messageOf(4_000)}\n`;
  const ofOne = await leastProcessorTime(() => readLines(inChunks(`${long}\n`, 4_096)));
  const ofMany = await leastProcessorTime(() =>
    readLines(inChunks(short.repeat(length / short.length), 4_096)),
  );

  for (const messages of ofOne.results) expect(messages).toEqual([long]);
  for (const messages of ofMany.results) expect(messages.length).toBeGreaterThan(2_000);
  expect(ofOne.milliseconds / ofMany.milliseconds).toBeLessThan(10);
});

test('a slow reader leaves no listeners behind', async () => {
  const output = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => void setImmediate(done),
  });
  const channel = lineChannel(Readable.from([]), output);
  await channel.send('one');
  const before = output.listenerCount('close');
  for (let count = 0; count < 20; count += 1) await channel.send('more');

  expect(output.listenerCount('close')).toBe(before);
  expect(output.listenerCount('drain')).toBe(0);
});

test('lines, whatever the chunks', async () => {
  const text = 'one\n\ntwo\r\nthr\u2028ee\n  \nfour';

  for (let size = 1; size <= text.length; size += 1)
    expect(await readLines(inChunks(text, size))).toEqual(['one', 'two\r', 'thr\u2028ee', 'four']);
});

/** What answers a request to a server with this body. */
async function answerOver(type: string, chunks: readonly string[]) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type });
    const write = async (): Promise<void> => {
      for (const chunk of chunks) {
        response.write(chunk);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      response.end();
    };
    void write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const channel = new HttpChannel({ url, headers: {} }, () => undefined);
  const answered = Promise.withResolvers<string>();
  void channel.run(answered.resolve);
  await channel.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}');
  const text = await answered.promise;
  await channel.close();
  server.closeAllConnections();
  server.close();
  return text;
}

test('an event of a stream over HTTP: as fast as an answer in JSON', async () => {
  const message = messageOf(length);
  const asJson = await leastProcessorTime(() => answerOver('application/json', [message]));
  const asEvent = await leastProcessorTime(() =>
    answerOver('text/event-stream', [`data: ${message}\n\n`]),
  );

  for (const text of asEvent.results) expect(text).toBe(message);
  expect(asEvent.milliseconds / asJson.milliseconds).toBeLessThan(10);
});

test('events of a stream over HTTP, whatever ends their lines and wherever chunks end', async () => {
  const text = '{"jsonrpc":"2.0","id":1,\n"result":{}}';
  const lines = ['id: 7', ': comment', 'data: {"jsonrpc":"2.0","id":1,', 'data:"result":{}}', ''];

  for (const end of ['\n', '\r\n', '\r'])
    for (const size of [4, 7, 1_000]) {
      const body = lines.map((line) => line + end).join('');
      const answer = await answerOver('text/event-stream', inChunks(body, size));

      expect(answer).toBe(text);
    }
});

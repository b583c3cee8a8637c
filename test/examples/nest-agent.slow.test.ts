// The example service when things go wrong: a failing model server, a client that leaves, a large
// body, another user's conversation.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createChatClient } from '../../examples/nest-agent/chat-client.ts';
import type { ChatEvent } from '../../examples/nest-agent/chat/chat-event.ts';
import { playConversation } from '../../examples/nest-agent/played-conversation.ts';
import { conversation, nextShopStep } from '../../examples/nest-agent/scripted-shop.ts';
import { createService } from '../../examples/nest-agent/service.ts';
import { AuditService } from '../../examples/nest-agent/shop/audit.service.ts';
import {
  type ScriptedModelServer,
  startModelServer,
} from '../../examples/main-job/scripted-model-server.ts';
import { RecordingLogger } from '../adapters/nestjs/recording-logger.ts';
import { pgliteFolder } from '../journal/pglite-folder.ts';

const key = 'key-that-nobody-may-see';
const logger = new RecordingLogger();

/** In front of the scripted model: fails, hangs or passes on, as a test says. */
type Behaviour = 'pass' | 'fail' | 'break' | 'hang';
let behaviour: Behaviour = 'pass';
let hanging = Promise.withResolvers<void>();
let dropped = Promise.withResolvers<void>();

async function startProxy(target: string): Promise<Server> {
  const server = createServer((request, response) => void pass(target, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (behaviour === 'hang') {
    response.on('close', () => dropped.resolve());
    hanging.resolve();
    return;
  }
  if (behaviour === 'fail') {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } }));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = await fetch(`${target}/chat/completions`, {
    method: 'POST',
    body: Buffer.concat(chunks),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  const body = await answer.text();
  if (behaviour === 'break') response.write(body.slice(0, 200), () => response.destroy());
  else response.end(body);
}

let model: ScriptedModelServer;
let proxy: Server;
let app: NestExpressApplication;
let server: Parameters<typeof createService>[0];
let address = '';

beforeAll(async () => {
  model = await startModelServer(nextShopStep);
  proxy = await startProxy(model.baseURL);
  const bound = proxy.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  server = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: key, model: 'scripted' };
  app = await createService(server, logger);
  await app.listen(0, '127.0.0.1');
  address = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  proxy.closeAllConnections();
  proxy.close();
  await model.close();
});
beforeEach(() => {
  behaviour = 'pass';
  hanging = Promise.withResolvers();
  dropped = Promise.withResolvers();
});

const client = (name: string) => createChatClient(address, `token-of-${name}`);

async function all(events: AsyncGenerator<ChatEvent>): Promise<ChatEvent[]> {
  const found: ChatEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.data.text : '')).join('');

/** Text is sent as it is. */
const post = (path: string, body: unknown, token = 'token-of-ada', more: RequestInit = {}) =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });

const first = { text: 'Which of my orders are on their way?' };

describe('a conversation', () => {
  it('streams text and calls, and ends', async () => {
    const id = await client('ada').open();
    const events = await all(client('ada').send(`/chats/${id}/messages`, first));
    expect(textOf(events)).toBe('The kettle of order 1003 is on its way.');
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
    const calls = events.filter(({ type }) => type === 'call');
    expect(calls).toMatchObject([{ data: { tool: 'list_orders', status: 'completed' } }]);
    expect(events.at(-1)).toEqual({ type: 'end', data: {} });
  });

  it('belongs to one customer, and to those who work here', async () => {
    const id = await client('ada').open();
    expect((await post(`/chats/${id}/messages`, first, 'token-of-bob')).status).toBe(404);
    expect((await post(`/chats/${id}/messages`, first, 'no-token')).status).toBe(401);
    expect((await post(`/chats/${crypto.randomUUID()}/messages`, first)).status).toBe(404);
    expect((await post('/chats/no-id/messages', first)).status).toBe(400);
    expect((await post(`/chats/${id}/approvals/call_1`, { decision: 'approve' })).status).toBe(403);
  });

  it('shows a customer only what is theirs', async () => {
    const id = await client('bob').open();
    const events = await all(client('bob').send(`/chats/${id}/messages`, first));
    // The script expects Ada's orders; what the model really read is Bob's: none of his is shipped.
    expect(textOf(events)).toContain('but "[]"');
  });

  it.each([
    ['too large', { text: 'x'.repeat(20_000) }, 413],
    ['too long', { text: 'x'.repeat(5000) }, 400],
    ['empty', '{}', 400],
    ['no JSON', '{"text": ', 400],
  ])('refuses a body that is %s', async (_name, body, status) => {
    const id = await client('ada').open();
    expect((await post(`/chats/${id}/messages`, body)).status).toBe(status);
  });
});

describe('a model’s server that fails', () => {
  const failures: Behaviour[] = ['fail', 'break'];

  it.each(failures)('%s: the client is told, the conversation goes on', async (how) => {
    const id = await client('ada').open();
    behaviour = how;
    const events = await all(client('ada').send(`/chats/${id}/messages`, first));
    behaviour = 'pass';
    const again = await all(client('ada').send(`/chats/${id}/messages`, first));
    const message = 'There is no answer at the moment. Send the message again later.';
    expect(events.slice(-2)).toEqual([
      { type: 'error', data: { message } },
      { type: 'end', data: {} },
    ]);
    // The first message was forgotten: to the script, this is the first one.
    expect(textOf(again)).toBe('The kettle of order 1003 is on its way.');
  });

  it('is logged without what it said: it may repeat the key', () => {
    expect(logger.of('ChatController')).toContain(
      "error The model's server failed: AuthenticationError 401",
    );
    expect(logger.lines.join('\n')).not.toContain(key);
    expect(logger.lines.join('\n')).not.toContain('token-of-');
  });
});

it('a client that leaves ends the run: the request to the model is dropped, and the conversation is free again', async () => {
  const id = await client('ada').open();
  behaviour = 'hang';
  const leaving = new AbortController();
  const request = post(`/chats/${id}/messages`, first, undefined, { signal: leaving.signal }).then(
    (response) => response.text(),
  );
  await hanging.promise;
  // One answer at a time.
  expect((await post(`/chats/${id}/messages`, first)).status).toBe(409);
  leaving.abort();
  await expect(request).rejects.toThrow();
  await dropped.promise;
  behaviour = 'pass';
  let events: readonly ChatEvent[] = [];
  while (events.length === 0) {
    events = await all(client('ada').send(`/chats/${id}/messages`, first)).catch((error: Error) => {
      if (!error.message.includes('409')) throw error;
      return [];
    });
  }
  expect(textOf(events)).toBe('The kettle of order 1003 is on its way.');
});

describe('a question of a tool', () => {
  it('is answered by its customer after a restart, once, and the conversation goes on', async () => {
    const folder = await pgliteFolder();
    const start = async (): Promise<NestExpressApplication> => {
      const service = await createService(server, logger, folder);
      await service.listen(0, '127.0.0.1');
      return service;
    };
    const clientOf = async (service: NestExpressApplication, name: string) =>
      createChatClient(await service.getUrl(), `token-of-${name}`);
    let service = await start();
    const before = await clientOf(service, 'ada');
    const id = await before.open();
    let question = '';
    for (const { customer, answers } of conversation) {
      if (answers !== undefined) break;
      const events = await all(before.send(`/chats/${id}/messages`, { text: customer }));
      for (const { type, data } of events) if (type === 'question') question = data.id;
      const waiting = events.find(({ type }) => type === 'approval');
      if (waiting?.type !== 'approval') continue;
      const staff = await clientOf(service, 'zoe');
      const approval = {
        decision: 'approve',
        arguments: { ...waiting.data.arguments, amount: 80 },
      };
      await all(staff.send(`/chats/${id}/approvals/${waiting.data.id}`, approval));
    }
    await service.close();

    service = await start();
    const ada = await clientOf(service, 'ada');
    const answer = (chat: ReturnType<typeof createChatClient>, card: string) =>
      all(chat.send(`/chats/${id}/questions/${question}`, { action: 'accept', content: { card } }));
    await expect(answer(await clientOf(service, 'bob'), 'thanks')).rejects.toThrow('404');
    const refused = await answer(ada, 'a poem');
    const events = await answer(ada, 'Birthday');
    await expect(answer(ada, 'thanks')).rejects.toThrow('404');
    const orders = await ada.orders();
    await service.close();

    expect(refused).toMatchObject([
      {
        type: 'question',
        data: { id: question, problem: expect.stringContaining('expected one of') },
      },
      { type: 'end' },
    ]);
    expect(events[0]).toMatchObject({
      type: 'call',
      data: { tool: 'wrap_as_gift', status: 'completed' },
    });
    expect(textOf(events)).toBe('It is wrapped, with a birthday card.');
    expect(orders.map(({ gift_card: card }) => card)).toEqual([null, 'birthday', null]);
  });
});

test('the service’s own routes and DTOs work beside the tools', async () => {
  const order = {
    orderId: 2001,
    address: { street: 'Hafen 2', postalCode: '20457', city: 'Hamburg' },
  };
  expect((await post('/orders/address', order, 'token-of-bob')).status).toBe(201);
  expect(await client('bob').orders()).toMatchObject([
    { id: 2001, address: 'Hafen 2, 20457 Hamburg' },
  ]);
  expect((await post('/orders/address', { orderId: 'x' }, 'token-of-bob')).status).toBe(400);
});

test('an interceptor has written down every call that ran', async () => {
  const entries = await app.get(AuditService, { strict: false }).entries();
  expect(entries).toContainEqual({ customer: 'ada', tool: 'list_orders', ended: 'returned' });
});

it('npm run start:nest judges itself: all as expected once, and told what differs where the shop is another one', async () => {
  const lines: string[] = [];
  const line = (text = ''): void => void lines.push(text);
  const terminal = { line, paint: (_style: string, text: string) => text };
  expect(await playConversation(address, terminal)).toEqual([]);
  expect(lines).toContain('model  You get 80 back.');
  // The same again finds the teapot refunded.
  const differences = await playConversation(address, terminal);
  expect(differences).toHaveLength(2); // what became of the call, and what the model said
  expect(differences[0]).toContain('“The teapot of order 1001 is broken. I want my money back.”: ');
});

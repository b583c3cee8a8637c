// The data of the gateway's page: two models, of which one is clumsy.
import { gzipSync } from 'node:zlib';

import { GatewayRecord, type GatewayStats } from '../../src/gateway/gateway-record.ts';
import type { GatewaySettings } from '../../src/gateway/gateway-options.ts';
import type { CallDetail, CallNumbers, CallsPage } from '../../src/page/page-data.ts';
import { listenForEvents } from '../page/events.ts';
import { chatAnswer, offering } from './chat-answers.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const files = new Map([
  [
    'index.html',
    { type: 'text/html', bytes: Buffer.from('<p>page'), gzipped: gzipSync('<p>page') },
  ],
]);

const clumsy = [
  '{"paths":"[\\"a\\"]"}',
  '{"limit":"many"}',
  '{"paths":["sk-secretsecret"],"limit":"1"}',
];

async function start({
  pageContents = false,
  settings = {},
}: { pageContents?: boolean; settings?: GatewaySettings } = {}) {
  const upstream = await startUpstream(({ text, path }, index) => ({
    type: 'application/json',
    chunks: [
      path === '/api/tags'
        ? '{"models":[]}'
        : chatAnswer(text.includes('"large"') ? '{"paths":["a"]}' : (clumsy[index % 3] ?? '')),
    ],
  }));
  const record = new GatewayRecord({ writeLine: undefined, contents: false, pageContents });
  const gateway = await startTestGateway(upstream.origin, settings, record, undefined, files);
  const read = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(new URL(path, gateway.page))).json()) as Answer;
  const call = (model: string) =>
    ask(gateway.port, '/v1/chat/completions', { body: offering({ model }) });
  return { gateway, read, call };
}

test('the numbers of the page are those of /stats', async () => {
  const { read, call } = await start();
  for (const model of ['small', 'small', 'small', 'large', 'large']) await call(model);
  const numbers = await read<CallNumbers>('api/numbers');
  const { models } = await read<GatewayStats>('stats');
  expect(numbers.cells).toEqual([
    { model: 'small', tool: 'read_files', valid: 0, repaired: 2, rejected: 1, failed: 0 },
    { model: 'large', tool: 'read_files', valid: 2, repaired: 0, rejected: 0, failed: 0 },
  ]);
  for (const { model, tools } of models) {
    const cell = numbers.cells.find((one) => one.model === model);
    const { unchanged = 0, repaired = 0, rejected = 0 } = tools[0]?.statuses ?? {};
    expect([cell?.valid, cell?.repaired, cell?.rejected]).toEqual([unchanged, repaired, rejected]);
    const rules = Object.entries(tools[0]?.rules ?? {});
    if (rules.length > 0)
      expect(numbers.rules.map(({ rule, calls }) => [rule, calls])).toEqual(rules);
  }
});

test('what became of mistakes: prevented by a grammar, repaired, retried and refused', async () => {
  const { read, call } = await start({ settings: { strict: true, retries: 1 } });
  // The third answer of the clumsy model is that to the retry of its second one, which is refused.
  for (const model of ['small', 'small', 'large', 'large']) await call(model);
  const { mistakes } = await read<CallNumbers>('api/numbers');
  expect(mistakes).toEqual([
    { model: 'small', calls: 3, prevented: 0, repaired: 1, retried: 1, refused: 1 },
    { model: 'large', calls: 2, prevented: 2, repaired: 0, retried: 0, refused: 0 },
  ]);
});

test('a call has its arguments if the gateway may show them, without what looks like a secret', async () => {
  for (const pageContents of [true, false]) {
    const { read, call } = await start({ pageContents });
    for (const model of ['small', 'small', 'small']) await call(model);
    const { calls } = await read<CallsPage>('api/calls');
    expect(calls.map(({ status }) => status)).toEqual(['repaired', 'rejected', 'repaired']);
    const details = await Promise.all(calls.map(({ id }) => read<CallDetail>(`api/calls/${id}`)));
    expect(JSON.stringify([calls, details])).not.toContain('sk-secret');
    expect(details.map(({ sent, missing }) => sent ?? missing)).toEqual(
      pageContents
        ? ['{"paths":["(left out)"],"limit":"1"}', clumsy[1], clumsy[0]]
        : ['contents', 'contents', 'contents'],
    );
  }
});

test('a call is an event, and the stream ends when the gateway does', async () => {
  const { gateway, call } = await start();
  const stream = await listenForEvents(new URL('api/changes', gateway.page));
  expect((await stream.next()).event).toBe('reset');
  await call('small');
  expect((await stream.next()).data.calls?.map(({ model }) => model)).toEqual(['small']);
  const drained = gateway.drain(5_000);
  await expect(stream.next()).rejects.toThrow('the stream has ended');
  await drained;
});

test('a browser gets the page at /; paths that are not its own go to the upstream', async () => {
  const { gateway } = await start();
  const page = await fetch(gateway.page, { headers: { accept: 'text/html' } });
  expect(await page.text()).toBe('<p>page');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const tags = await fetch(new URL('api/tags', gateway.page));
  expect(await tags.json()).toEqual({ models: [] });
});

test('a wrong token is 401', async () => {
  const { gateway } = await start({ settings: { tokenFrom: 'TOKEN' } });
  for (const path of ['', 'api/calls', 'api/changes', 'assets/x.js', 'stats']) {
    const url = new URL(path, gateway.page);
    const headers = { accept: 'text/html', authorization: `Basic ${btoa(':wrong')}` };
    expect([path, (await fetch(url, { headers })).status]).toEqual([path, 401]);
  }
  const headers = { authorization: `Basic ${btoa(':tok')}` };
  expect((await fetch(new URL('api/calls', gateway.page), { headers })).status).toBe(200);
});

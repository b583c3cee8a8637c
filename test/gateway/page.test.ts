// The data of the gateway's page: two models, of which one is clumsy.
import { gzipSync } from 'node:zlib';

import { GatewayRecord, type GatewayStats } from '../../src/gateway/gateway-record.ts';
import type { GatewaySettings } from '../../src/gateway/gateway-options.ts';
import { ToolRegistry, defineTool } from 'toolmend';
import type { ShownCosts } from '../../src/page/known-costs.ts';
import type { CallDetail, CallNumbers, CallsPage } from '../../src/page/page-data.ts';
import { listenForEvents } from '../page/events.ts';
import { chatAnswer, offering } from './chat-answers.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const files = new Map([['index.html', { type: 'text/html', gzipped: gzipSync('<p>page') }]]);

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
  const offer = (tools: readonly object[], path = '/v1/chat/completions') =>
    ask(gateway.port, path, { body: offering({ model: 'large', tools }) });
  return { gateway, read, call, offer };
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

const chatTool = (name: string, description: string, key = 'path') => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties: { [key]: { type: 'string' } } },
  },
});

const definedTool = (name: string, description: string) =>
  defineTool({
    name,
    description,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    execute: () => '',
  });

test('the costs are those of the tools that requests have offered, each as it came last', async () => {
  const { read, offer } = await start();
  expect(await read('api/costs')).toEqual({});
  await offer([chatTool('shut', 'Shuts a file.', 'file')]);
  // Costs that were read before don't stay.
  expect((await read<ShownCosts>('api/costs')).cost.tools).toHaveLength(1);
  await offer([chatTool('open', 'Opens.')]);
  expect((await read<ShownCosts>('api/costs')).cost.tools).toHaveLength(2);
  await offer([chatTool('shut', 'Shuts it.'), chatTool('open', 'Opens.')]);
  const { providers, cost } = await read<ShownCosts>('api/costs');
  expect(providers).toEqual(['openai']);
  const json = (name: string, description: string): string =>
    `{"type":"function","function":{"name":"${name}","description":"${description}","parameters":{"type":"object","properties":{"path":{"type":"string"}}},"strict":false}}`;
  expect(cost.tools).toMatchObject([
    { tool: 'shut', bytes: json('shut', 'Shuts it.').length, description: { bytes: 9 }, hints: [] },
    { tool: 'open', bytes: json('open', 'Opens.').length, fields: [{ field: 'path' }] },
  ]);
  const tools = new ToolRegistry({ hints: 'off' });
  tools.register(definedTool('shut', 'Shuts it.'), definedTool('open', 'Opens.'));
  expect(cost).toEqual(tools.cost('openai'));
});

test('the costs are told apart by API, and tools that were offered long ago are forgotten', async () => {
  const { read, offer } = await start({ settings: { toolHints: { open: ['Ask first.'] } } });
  const { name, description, parameters } = chatTool('open', 'Opens.').function;
  await offer([{ name, description, input_schema: parameters }], '/v1/messages');
  await offer([chatTool('first', 'Is first.'), chatTool('open', 'Opens.')]);
  await offer(Array.from({ length: 255 }, (_none, at) => chatTool(`tool_${at}`, 'Is one.')));
  const { providers, cost } = await read<ShownCosts>('api/costs?provider=anthropic');
  expect([providers, cost.provider]).toEqual([['openai'], 'openai']);
  expect(cost.tools).toHaveLength(256);
  const names = cost.tools.map(({ tool }) => tool);
  expect([names.includes('open'), names.includes('first')]).toEqual([true, false]);
  expect(cost.tools.find(({ tool }) => tool === 'open')?.hints).toMatchObject([
    { hint: 'Ask first.', bytes: 10 },
  ]);
  await offer([{ name, description, input_schema: parameters }], '/v1/messages');
  const { cost: anthropicCost } = await read<ShownCosts>('api/costs?provider=anthropic');
  expect(anthropicCost.tools).toMatchObject([{ tool: 'open', hints: [{ hint: 'Ask first.' }] }]);
});

test('hints about arguments cost something if the gateway adds them', async () => {
  for (const hints of [true, false]) {
    const { read, call } = await start({ settings: { hints } });
    await call('large');
    const { cost } = await read<ShownCosts>('api/costs');
    expect(cost.tools[0]?.hints.map(({ hint }) => hint)).toEqual(
      hints ? ['paths is a JSON array of strings.'] : [],
    );
  }
});

test('the costs have no sentence of a description', async () => {
  const { read, offer } = await start();
  const note = 'The folder is that of Ada Lovelace.';
  await offer([chatTool('open', note), chatTool('shut', note)]);
  const { cost } = await read<ShownCosts>('api/costs');
  expect(cost.tools).toHaveLength(2);
  expect(JSON.stringify(cost)).not.toContain('Lovelace');
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

test('without the token, a browser is told what to do, and a program gets JSON', async () => {
  const { gateway } = await start({ settings: { tokenFrom: 'TOKEN' } });
  const headers = { accept: 'text/html,*/*;q=0.8', authorization: `Basic ${btoa(':wrong')}` };
  const browser = await fetch(gateway.page, { headers });
  expect([browser.status, browser.headers.get('www-authenticate')]).toEqual([401, 'Basic']);
  expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await browser.text()).toContain('give the token as the password');
  const program = await fetch(gateway.page, { headers: { accept: '*/*' } });
  expect(program.status).toBe(401);
  expect(await program.json()).toMatchObject({ error: { code: 'token_required' } });
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

// The requests of the page, to a server over a log.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineTool, ToolRegistry } from 'toolmend';
import { LogCalls } from '../../src/cli/log-calls.ts';
import { type PageServer, startPageServer } from '../../src/cli/page-server.ts';
import { type ShownCosts, registryCosts } from '../../src/page/known-costs.ts';
import { type PageFiles, readPageFiles } from '../../src/page/page-files.ts';
import type { CallDetail, CallNumbers, CallsPage, Counts } from '../../src/page/page-data.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { listenForEvents } from './events.ts';

const schema = {
  type: 'object',
  properties: { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
  required: ['paths'],
  additionalProperties: false,
};

/** Lines are in the order of their indexes, whenever they are made. */
const firstTime = Date.now() - 60_000;
const lineOf = (index: number, members: object): string =>
  `${JSON.stringify({ time: new Date(firstTime + index).toISOString(), ...members })}\n`;

const valid = {
  model: 'm1',
  tool: 'ls',
  status: 'unchanged',
  id: 'call_1',
  run: 'r1',
  schema,
  arguments: '{"paths":["a"]}',
};
const repaired = {
  model: 'm1',
  tool: 'ls',
  status: 'repaired',
  rules: ['json_text_to_array'],
  id: 'call_2',
  run: 'r1',
  schema,
  arguments: '{"paths":"[\\"a\\"]"}',
};
const rejected = {
  model: 'm2',
  tool: 'ls',
  status: 'rejected',
  issues: [{ keyword: 'type', path: '/limit' }],
  id: 'call_3',
  run: 'r1',
  schema,
  arguments: '{"paths":["a"],"limit":"many"}',
};
/** As the gateway logs calls without --log-contents. */
const bare = { model: 'm2', tool: 'rm', status: 'unknown_tool', id: 'call_4' };

const builtFiles = new Map([['index.html', { type: 'text/html', gzipped: gzipSync('<p>page') }]]);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

interface Started {
  readonly server: PageServer;
  readonly file: string;
}

interface StartOptions {
  readonly token?: string;
  readonly tools?: ToolRegistry;
  readonly files?: PageFiles;
}

async function start(
  records: readonly object[],
  { token, tools, files = builtFiles }: StartOptions = {},
): Promise<Started> {
  const file = join(temporaryFolder(), 'calls.jsonl');
  writeFileSync(file, records.map((record, index) => lineOf(index, record)).join(''));
  const log = await LogCalls.open(file, 'calls.jsonl');
  closers.push(() => log.close());
  const costs = tools && registryCosts(tools);
  const options = { host: '127.0.0.1', port: 0, token, data: log.calls, files, costs };
  const server = await startPageServer(options);
  closers.push(() => server.close());
  return { server, file };
}

async function read<Answer>({ server }: Started, path: string): Promise<Answer> {
  const response = await fetch(new URL(path, server.url));
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

test('lists the calls of a log, the newest first, by their status', async () => {
  const started = await start([valid, repaired, rejected, bare]);
  const { calls, next } = await read<CallsPage>(started, 'api/calls');
  expect(
    calls.map(({ callId, tool, model, status, rules, issues }) => [
      callId,
      tool,
      model,
      status,
      rules.map(({ rule }) => rule),
      issues,
    ]),
  ).toEqual([
    ['call_4', 'rm', 'm2', 'rejected', [], ['unknown_tool']],
    ['call_3', 'ls', 'm2', 'rejected', [], ['type /limit']],
    ['call_2', 'ls', 'm1', 'repaired', ['json_text_to_array'], []],
    ['call_1', 'ls', 'm1', 'valid', [], []],
  ]);
  expect(next).toBeUndefined();
  expect(await read<Counts>(started, 'api/counts')).toEqual({
    valid: 1,
    repaired: 1,
    rejected: 2,
    failed: 0,
  });
});

test('pages of a list follow each other without a gap', async () => {
  const many = Array.from({ length: 450 }, (_none, index) => ({ ...valid, id: `call_${index}` }));
  const started = await start(many);
  const ids: string[] = [];
  for (let before = ''; ;) {
    const { calls, next } = await read<CallsPage>(started, `api/calls?limit=200&before=${before}`);
    ids.push(...calls.map(({ callId = '' }) => callId));
    if (next === undefined) break;
    before = next;
  }
  expect(ids).toEqual(many.map(({ id }) => id).toReversed());
});

test.each([
  ['model=m1', 2],
  ['model=M1', 0],
  ['tool=rm', 1],
  ['status=rejected', 2],
  ['rule=json_text_to_array', 1],
  ['issue=type%20/limit', 1],
  ['run=r1&status=valid', 1],
  ['text=_ARRAY', 1],
  ['text=nothing', 0],
  ['since=4102444800000', 0],
])('the filter %s lets %i calls through', async (query, count) => {
  const { calls } = await read<CallsPage>(
    await start([valid, repaired, rejected, bare]),
    `api/calls?${query}`,
  );
  expect(calls).toHaveLength(count);
});

async function detailOf(started: Started, callId: string): Promise<CallDetail> {
  const { calls } = await read<CallsPage>(started, 'api/calls');
  const id = calls.find((call) => call.callId === callId)?.id;
  return read<CallDetail>(started, `api/calls/${id}`);
}

test('a repaired call has what was sent and used, its repairs, and its run', async () => {
  const started = await start([valid, repaired, rejected, bare]);
  const detail = await detailOf(started, 'call_2');
  expect([detail.sent, detail.used]).toEqual(['{"paths":"[\\"a\\"]"}', '{"paths":["a"]}']);
  expect(detail.repairs.map(({ rule, path }) => [rule, path])).toEqual([
    ['json_text_to_array', '/paths'],
  ]);
  expect(detail.run.map(({ callId }) => callId)).toEqual(['call_1', 'call_2', 'call_3']);
  expect(JSON.parse(detail.line ?? '')).toEqual({
    id: 'call_2',
    model: 'm1',
    tool: 'ls',
    schema,
    inputText: '{"paths":"[\\"a\\"]"}',
    expect: { outcome: 'repaired', value: { paths: ['a'] } },
  });
});

test('a rejected call has the message that the model read', async () => {
  const { message, used, issues } = await detailOf(await start([rejected]), 'call_3');
  expect(message).toMatch(
    /^ls was not executed\.\n- limit: expected an integer, got the string "many"/,
  );
  expect(used).toBeUndefined();
  expect(issues.map(({ keyword, path }) => [keyword, path])).toEqual([['type', '/limit']]);
});

test('a call of a log without contents says so', async () => {
  const detail = await detailOf(await start([bare]), 'call_4');
  expect([detail.missing, detail.sent]).toEqual(['contents', undefined]);
});

test('what looks like a secret, and the arguments of a tool that declares one, are in no byte', async () => {
  const secrets = {
    ...valid,
    id: 'call_5',
    schema: { type: 'object', properties: { api_key: { type: 'string' }, paths: {} } },
    arguments: '{"api_key":"k-aaaa","paths":["ghp_bbbbbbbbbbbb"]}',
  };
  const declared = {
    ...rejected,
    id: 'call_6',
    schema: {
      type: 'object',
      properties: { door: { type: 'string', writeOnly: true }, n: { type: 'integer' } },
    },
    arguments: '{"door":"dddd","n":"dddd"}',
  };
  const started = await start([secrets, declared]);
  const texts = await Promise.all(
    ['call_5', 'call_6'].map(async (id) => JSON.stringify(await detailOf(started, id))),
  );
  expect(texts.join()).not.toMatch(/k-aaaa|ghp_b|dddd/);
  expect(texts[0]).toContain('(left out)');
  expect(JSON.parse(texts[1] ?? '')).toMatchObject({ missing: 'secrets' });
});

test('counts by model and tool, rule, issue and step are those of the log', async () => {
  const numbers = await read<CallNumbers>(
    await start([valid, repaired, rejected, bare]),
    `api/numbers?since=${Date.now() - 3_600_000}`,
  );
  expect(numbers.total).toEqual({ valid: 1, repaired: 1, rejected: 2, failed: 0 });
  expect(numbers.cells).toEqual([
    { model: 'm1', tool: 'ls', valid: 1, repaired: 1, rejected: 0, failed: 0 },
    { model: 'm2', tool: 'ls', valid: 0, repaired: 0, rejected: 1, failed: 0 },
    { model: 'm2', tool: 'rm', valid: 0, repaired: 0, rejected: 1, failed: 0 },
  ]);
  expect(numbers.rules).toEqual([{ rule: 'json_text_to_array', calls: 1 }]);
  expect(numbers.issues).toEqual([
    { tool: 'ls', issue: 'type /limit', calls: 1 },
    { tool: 'rm', issue: 'unknown_tool', calls: 1 },
  ]);
  expect(numbers.steps.reduce((sum, { rejected: count }) => sum + count, 0)).toBe(2);
  expect(numbers.steps.length).toBeGreaterThanOrEqual(60);
});

test('a source without tools has no costs, nor has a registry without tools', async () => {
  expect(await read(await start([valid]), 'api/costs')).toEqual({});
  expect(await read(await start([], { tools: new ToolRegistry() }), 'api/costs')).toEqual({});
});

test('the costs have every hint and repeated sentence, and what looks like a secret is left out', async () => {
  const note = 'Paths are relative to the root folder.';
  const hints = ['Ask before you read.', 'Send password: hunter2.'];
  const tool = (name: string) =>
    defineTool({
      name,
      description: `${note} Log in with API_KEY=abcdefgh always.`,
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      hints,
      execute: () => '',
    });
  const tools = new ToolRegistry({ hints: 'off' }).register(tool('one'), tool('other'));
  const { cost } = await read<ShownCosts>(await start([], { tools }), 'api/costs');
  expect(JSON.stringify(cost)).not.toMatch(/hunter2|abcdefgh/);
  expect(cost.tools[0]?.hints).toMatchObject([
    { hint: 'Ask before you read.', bytes: 20 },
    { hint: '(left out)', bytes: 23 },
  ]);
  expect(cost.repeatedSentences.map(({ sentence, times }) => [sentence, times])).toEqual(
    expect.arrayContaining([
      [note, 2],
      ['(left out)', 2],
    ]),
  );
  expect(cost.tokens).toBe(tools.cost('openai').tokens);
});

test('a new line is an event, and a reconnect loses none', async () => {
  const started = await start([valid]);
  const first = await listenForEvents(new URL('api/changes', started.server.url));
  expect((await first.next()).event).toBe('reset');
  appendFileSync(started.file, lineOf(1, repaired));
  const event = await first.next();
  expect(event.data.calls?.map(({ callId }) => callId)).toEqual(['call_2']);

  // Another reader sees when the log has been read: only then are the calls missed ones.
  appendFileSync(started.file, lineOf(2, rejected) + lineOf(3, bare));
  for (let seen = 0; seen < 2;) seen += (await first.next()).data.calls?.length ?? 0;
  first.close();
  const second = await listenForEvents(new URL('api/changes', started.server.url), event.id);
  const ids: (string | undefined)[] = [];
  while (ids.length < 2)
    ids.push(...((await second.next()).data.calls ?? []).map(({ callId }) => callId));
  expect(ids).toEqual(['call_3', 'call_4']);
  second.close();
});

test.each([
  {
    what: 'replaced',
    renew: (file: string, line: string) => {
      appendFileSync(file, lineOf(1, rejected).trimEnd());
      renameSync(file, `${file}.1`);
      writeFileSync(file, line);
    },
    ids: ['call_2', 'call_3', 'call_1'],
  },
  { what: 'emptied', renew: writeFileSync, ids: ['call_2', 'call_1'] },
])('a log that is $what goes on with its new lines', async ({ renew, ids }) => {
  const started = await start([valid]);
  const stream = await listenForEvents(new URL('api/changes', started.server.url));
  await stream.next();
  // Shorter than what it replaces.
  renew(started.file, lineOf(2, { ...repaired, schema: {}, arguments: '{}' }));
  const newIds: (string | undefined)[] = [];
  while (!newIds.includes('call_2'))
    newIds.push(...((await stream.next()).data.calls ?? []).map(({ callId }) => callId));
  stream.close();

  const { calls } = await read<CallsPage>(started, 'api/calls');
  expect(calls.map(({ callId }) => callId)).toEqual(ids);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(ids.length);
  expect((await detailOf(started, 'call_2')).sent).toBe('{}');
  expect(await detailOf(started, 'call_1')).toMatchObject({ missing: 'replaced' });
});

test('a cursor of another process is a reset', async () => {
  const { server } = await start([valid]);
  const stream = await listenForEvents(new URL('api/changes', server.url), 'other.1');
  expect((await stream.next()).event).toBe('reset');
  stream.close();
});

test('half a line waits for its end', async () => {
  const started = await start([]);
  const line = lineOf(0, valid);
  appendFileSync(started.file, line.slice(0, 40));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect((await read<CallsPage>(started, 'api/calls')).calls).toEqual([]);
  const stream = await listenForEvents(new URL('api/changes', started.server.url));
  await stream.next();
  appendFileSync(started.file, line.slice(40));
  expect((await stream.next()).data.calls?.map(({ callId }) => callId)).toEqual(['call_1']);
  stream.close();
});

const basic = (token: string) => ({
  authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
});

test('a wrong token is 401, for every request', async () => {
  const { server } = await start([valid], { token: 'right-token' });
  for (const path of ['', 'api/calls', 'api/changes', 'assets/x.js'])
    for (const headers of [{}, basic('wrong-token')]) {
      const response = await fetch(new URL(path, server.url), { headers });
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.text()).not.toContain('call_1');
    }
  const right = await fetch(new URL('api/calls', server.url), { headers: basic('right-token') });
  expect(right.status).toBe(200);
});

test('without the token, a browser is told what to do, and a program in its own form', async () => {
  const { server } = await start([valid], { token: 'right-token' });
  const browser = await fetch(server.url, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([browser.status, browser.headers.get('www-authenticate')]).toEqual([401, 'Basic']);
  expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await browser.text()).toContain('give the token as the password');
  const program = await fetch(new URL('api/calls', server.url));
  expect(program.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await program.text()).toBe(
    'toolmend ui needs its token: send it as the password, or as the header x-toolmend-token.\n',
  );
});

test('a page of another host, and one that asks for another name, get nothing', async () => {
  const { server } = await start([valid]);
  const response = await fetch(new URL('api/calls', server.url), {
    headers: { origin: 'https://elsewhere.test' },
  });
  expect(response.status).toBe(403);
});

test('a client gets the page as it takes it: gzipped as it was built, or decompressed', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.html.gz'), gzipSync('<p>built'));
  const { server } = await start([], { files: readPageFiles(folder) ?? new Map() });
  const page = async (accepted: string) => {
    const response = await fetch(server.url, { headers: { 'accept-encoding': accepted } });
    const [type, encoding] = ['content-type', 'content-encoding'].map((name) =>
      response.headers.get(name),
    );
    return { type, encoding, text: await response.text() };
  };
  const expected = { type: 'text/html; charset=utf-8', text: '<p>built' };
  expect(await page('gzip, br')).toEqual({ ...expected, encoding: 'gzip' });
  expect(await page('identity')).toEqual({ ...expected, encoding: null });
});

test.each([
  ['numbers?since=-9e15', 'since: write a time in milliseconds since 1970, such as'],
  ['numbers?since=yesterday', 'since: write a time in milliseconds since 1970, such as'],
  ['calls?since=1.5', 'since: write a time in milliseconds since 1970, such as'],
  ['counts?since=8.64e15', 'since: write a time in milliseconds since 1970, such as'],
  ['alarms?since=-1', 'since: write a time in milliseconds since 1970, such as'],
  ['numbers?since=5&until=9e15', 'until: write a time in milliseconds since 1970, such as'],
  ['numbers?since=5&until=4', 'until: write a time after since, which is 5'],
])('api/%s is answered with what to write', async (path, error) => {
  const { server } = await start([valid]);
  const response = await fetch(new URL(`api/${path}`, server.url));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.stringMatching(`^${error}`) });
});

test.each(['since=0', 'since=&until=', 'since=0&until=253402300799999', 'since=7&until=7'])(
  'api/numbers?%s is answered with numbers',
  async (query) => {
    const started = await start([valid]);
    expect(await read<CallNumbers>(started, `api/numbers?${query}`)).toHaveProperty('total');
  },
);

test('the page runs no text as code and loads nothing from elsewhere', async () => {
  const { server } = await start([]);
  const { headers } = await fetch(server.url);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
  );
  expect(policy).not.toContain('unsafe');
  expect((await fetch(new URL('../package.json', server.url))).status).toBe(404);
});

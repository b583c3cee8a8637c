// The page behind the guards of an application, over a journal in memory.
import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type DefinedTool, defineTool, ToolRegistry } from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { ToolmendModule, type ToolmendPageOptions } from 'toolmend/nestjs';
import type { DecisionCase, OpenDecision } from '../../../src/page/decision-data.ts';
import type { ShownCosts } from '../../../src/page/known-costs.ts';
import type { CallsPage, ListedCall } from '../../../src/page/page-data.ts';
import { listenForEvents } from '../../page/events.ts';

const readTool = defineTool({
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  execute: ({ n }) => String(n),
});

/** Lets people in, and writes into the request whose calls they may see. */
@Injectable()
class PeopleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request: Record<string, unknown> & { readonly headers: Record<string, string> } = context
      .switchToHttp()
      .getRequest();
    request['tenant'] = request.headers['x-person'];
    return request.headers['x-person'] !== undefined;
  }
}

/** As a guard of tokens does. */
@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context
      .switchToHttp()
      .getRequest<{ readonly headers: Record<string, string> }>();
    if (headers['authorization'] !== 'Bearer right') throw new UnauthorizedException();
    return true;
  }
}

interface Application {
  readonly page: ToolmendPageOptions;
  readonly journal: Journal;
  readonly tool: DefinedTool;
}

const listOf = async (response: Response): Promise<readonly (string | undefined)[]> =>
  ((await response.json()) as CallsPage).calls.map(({ callId }) => callId);

describe.each([
  { server: 'Express', adapter: () => new ExpressAdapter(), index: '' },
  { server: 'Fastify', adapter: () => new FastifyAdapter(), index: 'index.html' },
])('behind $server', ({ adapter, index }) => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  async function startApp({ page, journal, tool }: Application): Promise<INestApplication> {
    const app = await NestFactory.create(
      ToolmendModule.forRootAsync({
        page,
        useFactory: () => ({ journal, tools: [tool], approval: {} }),
      }),
      adapter(),
      { logger: false },
    );
    await app.listen(0, '127.0.0.1');
    stops.push(() => app.close());
    return app;
  }

  /** The address of an application in which two tenants have made a call each. */
  async function start(page: ToolmendPageOptions): Promise<string> {
    const app = await startApp({ page, journal: await openJournal(), tool: readTool });
    const tools = app.get(ToolRegistry);
    for (const tenant of ['ann', 'bob'])
      await tools.call({ id: tenant, name: 'read', arguments: '{"n":"1"}' }, { tenant });
    return app.getUrl();
  }

  test('the guards of the page decide who sees it', async () => {
    const url = await start({ path: 'admin/calls', guards: [PeopleGuard] });
    for (const path of ['', `/${index}`, '/api/calls', '/api/changes', '/assets/x.js'])
      expect((await fetch(`${url}/admin/calls${path}`)).status).toBe(403);
    const headers = { 'x-person': 'ann' };
    const response = await fetch(`${url}/admin/calls/api/calls?status=repaired`, { headers });
    expect(await listOf(response)).toEqual(['bob', 'ann']);
  });

  test('a person sees the calls of the own tenant alone', async () => {
    const tenant = (request: { readonly tenant: string }) => request.tenant;
    const url = await start({ guards: [PeopleGuard], tenant });
    const read = (person: string, path: string): Promise<Response> =>
      fetch(`${url}/toolmend/api/${path}`, { headers: { 'x-person': person } });
    expect(await listOf(await read('ann', 'calls'))).toEqual(['ann']);
    const [call] = ((await (await read('bob', 'calls')).json()) as CallsPage).calls;
    expect((await read('bob', `calls/${call?.id}`)).status).toBe(200);
    expect((await read('ann', `calls/${call?.id}`)).status).toBe(404);
    const numbers: unknown = await (await read('ann', 'numbers')).json();
    expect(numbers).toMatchObject({ total: { repaired: 1 } });
  });

  test('the costs are those of the registry, for the provider that is asked for', async () => {
    const url = await start({});
    const read = async (query: string): Promise<ShownCosts> =>
      (await (await fetch(`${url}/toolmend/api/costs${query}`)).json()) as ShownCosts;
    const { providers, cost } = await read('');
    expect([providers[0], providers.length]).toEqual(['openai', 16]);
    const parameters = '{"type":"object","properties":{"n":{"type":"integer"}}}';
    const json = `{"type":"function","function":{"name":"read","description":"Reads.","parameters":${parameters},"strict":false}}`;
    expect(cost).toMatchObject({
      provider: 'openai',
      bytes: `[${json}]`.length,
      tools: [
        {
          tool: 'read',
          bytes: json.length,
          description: { bytes: 6 },
          hints: [],
          fields: [{ field: 'n', bytes: '"n":{"type":"integer"}'.length }],
        },
      ],
    });
    const tools = new ToolRegistry().register(readTool);
    expect(cost).toEqual(tools.cost('openai'));
    expect((await read('?provider=anthropic')).cost).toEqual(tools.cost('anthropic'));
    expect((await read('?provider=none')).cost).toEqual(tools.cost('openai'));
  });

  test('without a tenant, a request sees nothing', async () => {
    const url = await start({ tenant: (request: { readonly tenant: string }) => request.tenant });
    expect((await fetch(`${url}/toolmend/api/calls`)).status).toBe(403);
  });

  test('the address without a slash leads to the page', async () => {
    const url = await start({ path: 'admin/calls' });
    const response = await fetch(`${url}/admin/calls?a=1`, { redirect: 'manual' });
    const place = `./calls/${index}?a=1`;
    expect([response.status, response.headers.get('location')]).toEqual([302, place]);
    expect((await fetch(`${url}/admin/calls/api/nothing`)).status).toBe(404);
  });

  test('a guard that throws answers with its status, also for the stream', async () => {
    const url = await start({ guards: [TokenGuard] });
    const statusOf = async (path: string, token: string): Promise<number> => {
      const authorization = `Bearer ${token}`;
      const response = await fetch(`${url}/toolmend/api/${path}`, { headers: { authorization } });
      await response.body?.cancel();
      return response.status;
    };
    for (const path of ['calls', 'changes', 'decisions']) {
      expect(await statusOf(path, 'wrong')).toBe(401);
      expect(await statusOf(path, 'right')).toBe(200);
    }
  });

  test('the stream sends a call that is made while it is open', async () => {
    const app = await startApp({ page: {}, journal: await openJournal(), tool: readTool });
    const events = await listenForEvents(new URL(`${await app.getUrl()}/toolmend/api/changes`));
    await app.get(ToolRegistry).call({ id: 'late', name: 'read', arguments: '{"n":"1"}' });
    let calls: readonly ListedCall[] = [];
    while (calls.length === 0) calls = (await events.next()).data.calls ?? [];
    expect(calls.map(({ callId }) => callId)).toEqual(['late']);
    events.close();
  });

  test('a person decides about calls of the own tenant, and the journal keeps who it was', async () => {
    const journal = await openJournal();
    const deletions: unknown[] = [];
    const remove = defineTool({
      name: 'remove',
      description: 'Removes.',
      effects: 'destructive',
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      execute: ({ n }) => {
        deletions.push(n);
        return 'done';
      },
    });
    const name = (request: { readonly tenant: string }) => request.tenant;
    const page = { guards: [PeopleGuard], tenant: name, decidedBy: name };
    const app = await startApp({ page, journal, tool: remove });
    const tools = app.get(ToolRegistry);
    await tools.call({ id: 'c', name: 'remove', arguments: '{"n":1}' }, { tenant: 'ann' });
    const url = await app.getUrl();
    const ask = (person: string, path: string, body?: object): Promise<Response> =>
      fetch(`${url}/toolmend/api/${path}`, {
        headers: { 'x-person': person, 'content-type': 'application/json', 'x-toolmend-page': '1' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
    const { decisions } = (await (await ask('ann', 'decisions')).json()) as {
      readonly decisions: readonly OpenDecision[];
    };
    const id = decisions[0]?.id ?? '';
    expect((await ask('bob', `decisions/${id}`, { decision: 'deny' })).status).toBe(404);
    expect((await ask('bob', `decisions/${id}`)).status).toBe(404);
    const { approval } = (await (await ask('ann', `decisions/${id}`)).json()) as DecisionCase;
    const edit = { values: { n: '2' }, removed: [] };
    const judgement: unknown = await (await ask('ann', `decisions/${id}/judge`, edit)).json();
    expect(judgement).toMatchObject({ status: 'repaired', arguments: '{"n":2}' });
    const approved = await ask('ann', `decisions/${id}`, { decision: 'approve', approval, edit });
    expect(await approved.json()).toEqual({ kind: 'counts', status: 'completed' });
    expect(deletions).toEqual([2]);
    expect((await journal.entry(id))?.decidedBy).toBe('ann');
  });
});

test('a page needs a journal, and its options have names', async () => {
  const withPage = (page: object): Promise<unknown> =>
    NestFactory.create(ToolmendModule.forRoot({ page }), {
      logger: false,
      abortOnError: false,
    });
  await expect(withPage({})).rejects.toThrow('has a page without a journal');
  expect(() => ToolmendModule.forRoot({ page: { pathh: 'x' } as object })).toThrow('pathh');
});

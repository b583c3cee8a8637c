// The page behind the guards of an application on Express, over a journal in memory.
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { defineTool, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { ToolmendModule, type ToolmendPageOptions } from 'toolmend/nestjs';
import type { DecisionCase, OpenDecision } from '../../../src/page/decision-data.ts';
import type { CallsPage } from '../../../src/page/page-data.ts';

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

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function start(page: ToolmendPageOptions): Promise<string> {
  const journal = await openJournal();
  const app = await NestFactory.create(
    ToolmendModule.forRootAsync({
      page,
      useFactory: () => ({ journal, tools: [readTool] }),
    }),
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
  stops.push(() => app.close());
  const tools = app.get(ToolRegistry);
  for (const tenant of ['ann', 'bob'])
    await tools.call({ id: tenant, name: 'read', arguments: '{"n":"1"}' }, { tenant });
  return app.getUrl();
}

const listOf = async (response: Response): Promise<readonly (string | undefined)[]> =>
  ((await response.json()) as CallsPage).calls.map(({ callId }) => callId);

test('the guards of the page decide who sees it', async () => {
  const url = await start({ path: 'admin/calls', guards: [PeopleGuard] });
  for (const path of ['', '/', '/api/calls', '/api/changes', '/assets/x.js'])
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

test('without a tenant, a request sees nothing', async () => {
  const url = await start({ tenant: (request: { readonly tenant: string }) => request.tenant });
  expect((await fetch(`${url}/toolmend/api/calls`)).status).toBe(403);
});

test('the address without a slash leads to the page', async () => {
  const url = await start({ path: 'admin/calls' });
  const response = await fetch(`${url}/admin/calls`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, './calls/']);
  expect((await fetch(`${url}/admin/calls/api/nothing`)).status).toBe(404);
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
  const app = await NestFactory.create(
    ToolmendModule.forRootAsync({
      page: { guards: [PeopleGuard], tenant: name, decidedBy: name },
      useFactory: () => ({ journal, tools: [remove], approval: {} }),
    }),
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
  stops.push(() => app.close());
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

// Kills processes at every write point of a journal, and compares what they did with what the
// journal says.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Journal, JournalEntry } from '../../src/store/call-store.ts';
import { openJournal } from '../../src/journal/index.ts';
import {
  asks,
  conversation,
  isAnswered,
  isTransactional,
  leaseMs,
  mayRunTwice,
  points,
  toolOfCall,
} from './crash-plan.ts';

export interface CrashReport {
  /** Processes that were killed, by point. */
  readonly kills: ReadonlyMap<string, number>;
  readonly calls: number;
  readonly states: Readonly<Record<string, number>>;
  /** The states of the calls whose work is committed with the outcome. */
  readonly transactional: Readonly<Record<string, number>>;
  /** What must not happen; empty if the journal is right. */
  readonly wrong: readonly string[];
}

/** `folder`: one process at a time. `connectionString`: two. */
export type CrashStore = { readonly folder: string } | { readonly connectionString: string };

const worker = join(import.meta.dirname, 'crash-worker.ts');
/** Calls that each process is given; the next one begins a part of them later. */
const window = 48;
const step = 8;

/** `onKill`: called with the number of processes that are dead. */
export async function crash(
  store: CrashStore,
  kills: number,
  onKill: (dead: number) => void = () => undefined,
): Promise<CrashReport> {
  const home = mkdtempSync(join(tmpdir(), 'toolmend-crash-'));
  const log = join(home, 'log');
  const killed = new Map<string, number>();
  let started = 0;
  let dead = 0;
  const start = (from: number, calls: number, point: string): Promise<boolean> => {
    const target =
      'folder' in store ? ['--folder', store.folder] : ['--url', store.connectionString];
    const nth = /takeAbandoned|doubt/.test(point) ? 1 : 1 + (started % 5);
    const plan = ['--from', from, '--calls', calls, '--point', point, '--nth', nth].map(String);
    return ended(
      spawn(process.execPath, [worker, ...target, '--log', log, ...plan], {
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
  };
  await onDatabase(store, (sql) =>
    sql.query('create table booked (call_id text, key text, result text)'),
  );
  const lane = async (): Promise<void> => {
    while (dead < kills && started < kills * 4) {
      const point = points[started % points.length] ?? '';
      const from = started * step;
      started += 1;
      if (!(await start(from, window, point))) continue;
      dead += 1;
      onKill(dead);
      killed.set(point, (killed.get(point) ?? 0) + 1);
    }
  };
  await Promise.all('folder' in store ? [lane()] : [lane(), lane()]);
  // What was left is taken over.
  if ('connectionString' in store) await whenDisconnected(store.connectionString);
  await sleep(leaseMs * 1.5);
  await start(0, 0, '');
  const journal = await openJournal('folder' in store ? { folder: store.folder } : store);
  const entries = await journal.list({ conversation, limit: 1_000_000 });
  await journal.close();
  const booked = await onDatabase(store, (sql) => sql.query('select * from booked', []));
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  rmSync(home, { recursive: true });
  return {
    kills: killed,
    calls: entries.length,
    states: countStates(entries),
    transactional: countStates(entries.filter(({ tool }) => isTransactional(tool))),
    wrong: whatIsWrong(entries, [
      ...lines,
      ...booked.map((row) => ['effect', row['call_id'], row['key'], row['result']].join(' ')),
    ]),
  };
}

/** A server may still run the last statement of a process that was killed. */
async function whenDisconnected(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  const others = "select from pg_stat_activity where application_name = 'toolmend'";
  while ((await client.query(others)).rowCount !== 0) await sleep(50);
  await client.end();
}

async function onDatabase<Result>(
  store: CrashStore,
  work: (sql: NonNullable<Journal['sql']>) => Promise<Result>,
): Promise<Result> {
  const journal = await openJournal(store);
  if (journal.sql === undefined) throw new Error('has no database');
  const result = await work(journal.sql);
  await journal.close();
  return result;
}

/** Whether the process was killed. Throws if it failed otherwise. */
async function ended(child: ReturnType<typeof spawn>): Promise<boolean> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>(
    (resolve) => child.on('close', (exit, by) => resolve({ code: exit, signal: by })),
  );
  if (code !== 0 && signal !== 'SIGKILL')
    throw new Error(`a process ended with ${code}: ${errors}`);
  return signal === 'SIGKILL';
}

function countStates(entries: readonly JournalEntry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of entries) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

interface Done {
  readonly keys: Set<string>;
  readonly results: string[];
  readonly returned: Set<string>;
}

/** What each call did and returned, by its id, as the processes noted it. */
function whatWasDone(lines: readonly string[]): ReadonlyMap<string, Done> {
  const calls = new Map<string, Done>();
  for (const line of lines) {
    const [what, id = '', ...rest] = line.split(' ');
    const done = calls.get(id) ?? { keys: new Set(), results: [], returned: new Set() };
    calls.set(id, done);
    if (what === 'returned') done.returned.add(rest[0] ?? '');
    else {
      done.keys.add(rest[0] ?? '');
      done.results.push(rest[1] ?? '');
    }
  }
  return calls;
}

/** `lines`: what the processes noted. */
export function whatIsWrong(
  entries: readonly JournalEntry[],
  lines: readonly string[],
): readonly string[] {
  const byId = new Map(entries.map((entry) => [entry.callId, entry]));
  const wrong = entries.length === byId.size ? [] : ['two entries have the same call id'];
  for (const [id, { keys, results, returned }] of whatWasDone(lines)) {
    const tool = toolOfCall(Number(id.slice('call_'.length)));
    const entry = byId.get(id);
    const text = entry?.outcome?.status === 'completed' ? entry.outcome.content.text : undefined;
    const say = (what: string): void =>
      void wrong.push(`${id} (${tool}, ${entry?.state}): ${what}`);
    if (entry === undefined) say('ran, and is not in the journal');
    if (results.length > 1 && !mayRunTwice(tool)) say(`ran ${results.length} times`);
    if (keys.size > 1) say('ran with two idempotency keys');
    if (returned.size > 1) say('returned two results');
    for (const result of returned)
      if (result !== text) say('returned a result that the journal does not have');
    if (isTransactional(tool) && text === undefined) say('has done its work without an outcome');
    if (text !== undefined && !results.includes(text)) say('has the result of no run');
  }
  for (const { callId, tool, state, attempts } of entries) {
    // A call that was started five times may be what ends its process.
    const isDoubted =
      state === 'in_doubt' && (isTransactional(tool) || (mayRunTwice(tool) && attempts < 5));
    // Nobody answers it, so that it has gone on by itself.
    const hasExpired = state === 'waiting' && asks(tool) && !isAnswered(tool);
    const isLeft = state === 'running' || state === 'queued' || isDoubted || hasExpired;
    if (isLeft) wrong.push(`${callId} (${tool}) was left ${state}`);
  }
  return wrong;
}

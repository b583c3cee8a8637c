// What the page asks of its server. All addresses are below the page's own.
import { useEffect, useState } from 'preact/hooks';
import { defined } from '../src/collections/objects.ts';
import type { LearnedHint } from '../src/learning/hint-report.ts';
import type { ShownCosts } from '../src/page/known-costs.ts';
import {
  type Alarms,
  type CallDetail,
  type CallFilter,
  type CallNumbers,
  type CallsPage,
  type Counts,
  type ListedCall,
  filterKeys,
} from '../src/page/page-data.ts';

export interface Source {
  readonly source: string;
  readonly newest?: number;
}

/** Why an answer is missing. */
class ServerProblem extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server answered ${status}.`);
    this.status = status;
  }
}

export async function answerTo<Answer>(
  path: string,
  query = new URLSearchParams(),
): Promise<Answer> {
  const text = query.toString();
  const response = await fetch(`./api/${path}${text === '' ? '' : `?${text}`}`);
  if (!response.ok) throw new ServerProblem(response.status);
  const answer: Answer = await response.json();
  return answer;
}

/** The header says that the page itself asks: pages of other sites can't send it. */
export async function postTo<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`./api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-toolmend-page': '1' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new ServerProblem(response.status);
  const answer: Answer = await response.json();
  return answer;
}

function queryOf(
  filter: CallFilter,
  numbers: Readonly<Record<string, number | string | undefined>>,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const key of filterKeys) {
    const value = filter[key];
    if (value !== undefined) query.set(key, value);
  }
  for (const [key, value] of Object.entries(numbers))
    if (value !== undefined) query.set(key, String(value));
  return query;
}

export const readSource = (): Promise<Source> => answerTo('source');

export const readCalls = (
  filter: CallFilter,
  since: number | undefined,
  before: string | undefined,
): Promise<CallsPage> => answerTo('calls', queryOf(filter, { since, before, limit: 200 }));

/** Undefined: the source can't count these calls. */
export const readCounts = (
  filter: CallFilter,
  since: number | undefined,
): Promise<Counts | undefined> =>
  answerTo<Partial<Counts>>('counts', queryOf(filter, { since })).then((counts) =>
    isCounts(counts) ? counts : undefined,
  );

const isCounts = (counts: Partial<Counts>): counts is Counts => counts.valid !== undefined;

export const readNumbers = (since: number | undefined): Promise<CallNumbers> =>
  answerTo('numbers', queryOf({}, { since }));

export const readAlarms = (since: number | undefined): Promise<Alarms> =>
  answerTo('alarms', queryOf({}, { since }));

/** Undefined: the source doesn't count what models often get wrong. */
export const readHints = (): Promise<readonly LearnedHint[] | undefined> =>
  answerTo<{ readonly hints?: readonly LearnedHint[] }>('hints').then(({ hints }) => hints);

/** For this provider, else for the source's default. Undefined: the source knows no tools. */
export const readCosts = (provider: string | undefined): Promise<ShownCosts | undefined> =>
  answerTo<Partial<ShownCosts>>('costs', queryOf({}, { provider })).then(({ providers, cost }) =>
    providers === undefined || cost === undefined ? undefined : { providers, cost },
  );

export const readCall = (id: string): Promise<CallDetail> =>
  answerTo(`calls/${encodeURIComponent(id)}`);

/** `unknown`: the server answers that it has no such thing. */
export const knownTo = <Answer>(answer: Promise<Answer>): Promise<Answer | 'unknown'> =>
  answer.catch((error: unknown) => {
    if (error instanceof ServerProblem && error.status === 404) return 'unknown';
    throw error;
  });

export interface Connection {
  /** Since when there is no connection. */
  readonly lost?: number;
  /** The status of the server's answer in place of something that is shown. */
  readonly problem?: number;
}

export interface ChangeReader {
  onCalls(calls: readonly ListedCall[]): void;
  /** Everything is to be loaded again: what was missed is unknown. */
  onReset(): void;
}

const readers = new Set<ChangeReader>();
const watchers = new Set<(connection: Connection) => void>();
let connection: Connection = {};
const retryMs = 2_000;

/**
 * The browser connects again by itself, and tells the server what it has read last. It gives up if
 * the server answers with an error. `isAgain`: after that, what was missed is unknown.
 */
export function connect(isAgain = false): void {
  const events = new EventSource('./api/changes');
  events.addEventListener('open', () => {
    setConnection({ lost: undefined });
    if (isAgain) for (const reader of readers) reader.onReset();
  });
  events.addEventListener('error', () => {
    setConnection({ lost: connection.lost ?? Date.now() });
    if (events.readyState === EventSource.CLOSED) setTimeout(() => connect(true), retryMs);
  });
  events.addEventListener('calls', ({ data }: MessageEvent<string>) => {
    const { calls }: { readonly calls: readonly ListedCall[] } = JSON.parse(data);
    for (const reader of readers) reader.onCalls(calls);
  });
  events.addEventListener('reset', () => {
    for (const reader of readers) reader.onReset();
  });
}

type ConnectionChange = { readonly [Key in keyof Connection]: Connection[Key] | undefined };

function setConnection(change: ConnectionChange): void {
  connection = defined({ ...connection, ...change });
  for (const watch of watchers) watch(connection);
}

const problems = new Map<object, number>();

/** `error` undefined: what the asker asked for was read, or is not shown any more. */
export function noteProblem(asker: object, error: unknown): void {
  if (error instanceof ServerProblem) problems.set(asker, error.status);
  else problems.delete(asker);
  const problem = [...problems.values()].at(-1);
  if (problem !== connection.problem) setConnection({ problem });
}

/** Whether the same question may be answered later: not if the server refuses it. */
export const mayComeLater = (error: unknown): boolean =>
  !(error instanceof ServerProblem) || error.status >= 500;

export function useConnection(): Connection {
  const [state, setState] = useState(connection);
  useEffect(() => {
    watchers.add(setState);
    return () => void watchers.delete(setState);
  }, []);
  return state;
}

/** Tells of changes while a view is shown. */
export function useChanges(reader: ChangeReader): void {
  useEffect(() => {
    readers.add(reader);
    return () => void readers.delete(reader);
  }, [reader]);
}

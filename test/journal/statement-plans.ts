// What PostgreSQL really did for each statement, by its own account: the extension auto_explain
// writes the plan of every statement that runs to the server's log.
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** A statement that ran. */
export interface ExplainedStatement {
  readonly text: string;
  readonly milliseconds: number;
  /** Blocks of 8 KB that it read, from memory or from disk. */
  readonly blocks: number;
  readonly nodes: readonly PlanNode[];
}

/** One node of a plan. */
export interface PlanNode {
  /** Such as `Seq Scan`. */
  readonly type: string;
  readonly relation: string | undefined;
  readonly index: string | undefined;
  /** Rows that it looked at, those that it left out included. */
  readonly rows: number;
}

/** Connections to the database that are opened from now on explain their statements. */
export async function explainStatements(client: Client): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
  };
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter database postgres set ${name} = '${value}'`);
}

/** The statements that end while `work` runs. */
export async function statementsOf(
  log: string,
  work: () => Promise<unknown>,
): Promise<readonly ExplainedStatement[]> {
  const before = readFileSync(log, 'utf8').length;
  await work();
  return readFileSync(log, 'utf8')
    .slice(before)
    .split(/^(?=\d{4}-\d\d-\d\d )/m)
    .flatMap(readMessage);
}

function readMessage(message: string): readonly ExplainedStatement[] {
  const [, duration, json] = /LOG: {2}duration: ([\d.]+) ms {2}plan:\n([^]+)/.exec(message) ?? [];
  if (json === undefined) return [];
  const explained: unknown = JSON.parse(json);
  const plan: unknown = Reflect.get(Object(explained), 'Plan');
  const numbers = numbersOf(plan);
  return [
    {
      text: textOf(explained, 'Query Text') ?? '',
      milliseconds: Number(duration),
      blocks: numbers('Shared Hit Blocks') + numbers('Shared Read Blocks'),
      nodes: nodesOf(plan),
    },
  ];
}

function nodesOf(plan: unknown): readonly PlanNode[] {
  const numbers = numbersOf(plan);
  const inner: unknown = Reflect.get(Object(plan), 'Plans');
  const rows =
    numbers('Actual Rows') +
    numbers('Rows Removed by Filter') +
    numbers('Rows Removed by Index Recheck');
  const node = {
    type: textOf(plan, 'Node Type') ?? '',
    relation: textOf(plan, 'Relation Name'),
    index: textOf(plan, 'Index Name'),
    rows: rows * numbers('Actual Loops'),
  };
  return [node, ...(Array.isArray(inner) ? inner.flatMap(nodesOf) : [])];
}

const numbersOf =
  (plan: unknown) =>
  (name: string): number =>
    Number(Reflect.get(Object(plan), name) ?? 0);

function textOf(value: unknown, name: string): string | undefined {
  const text: unknown = Reflect.get(Object(value), name);
  return typeof text === 'string' ? text : undefined;
}

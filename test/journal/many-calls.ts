// A journal with the history of months.
import type { Client } from 'pg';

/**
 * Drops the indexes of the calls, and writes `count` old ones. Opening the journal makes the
 * indexes again.
 */
export async function writeWithoutIndexes(client: Client, count: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select indexname as name from pg_indexes where tablename = 'calls' and indexname <> 'calls_pkey'",
  );
  for (const { name } of rows) await client.query(`drop index toolmend.${name}`);
  await writeManyCalls(client, count);
}

/**
 * Writes `count` old calls, one every five seconds up to now: of 50 tenants, in conversations of 20
 * calls, by ten tools, under three limits. Nearly all of them have ended. Some run, wait for a
 * worker or an approval, or are in doubt.
 */
export async function writeManyCalls(client: Client, count: number): Promise<void> {
  await client.query(
    `insert into toolmend.calls (id, tenant, conversation, call_id, tool, sent, call, contract, interpreter, digest,
       idempotency_key, rerun, has_secrets, state, attempts, outcome, outcome_status, is_late, delivered_at, limit_key,
       owner, lease_until, created_at, updated_at)
     select gen_random_uuid(), 'tenant-' || n / 20 % 50, 'conversation-' || n / 20, 'call_' || n % 20,
       'tool_' || n % 10, '{"payment":"p1","amount":"250"}', $2, 'sha256:0', '0.2.0', 'sha256:' || md5(n::text),
       case when n % 3 = 0 then 'key-' || n end, false, false, state, 1,
       case when state in ('ended', 'not_run') then $3::json end,
       case state when 'ended' then 'completed' when 'not_run' then 'invalid_arguments' end, n % 7 = 0,
       case when n % 7 = 0 and n % 7000 <> 0 then now() end, 'limit-' || n % 3,
       case when state = 'running' then gen_random_uuid() end,
       case when state = 'running' then now() + (n % 2 * 2 - 1) * interval '10 minutes' end,
       now() - ($1::integer - n) * interval '5 seconds', now() - ($1::integer - n) * interval '5 seconds'
     from generate_series(1, $1::integer) n, lateral (select case
       when n % 4999 = 0 then 'running' when n % 9973 = 0 then 'queued' when n % 4993 = 0 then 'waiting'
       when n % 19997 = 0 then 'in_doubt' when n % 11 = 0 then 'not_run' else 'ended' end as state) as states`,
    [count, JSON.stringify(record), JSON.stringify(outcome)],
  );
  await client.query(
    `insert into toolmend.approvals (id, call, seal, state, expires_at)
     select gen_random_uuid(), id, 'seal', case when state = 'waiting' then 'open' else 'used' end, now() + interval '1 day'
     from toolmend.calls where state = 'waiting' or call_id = 'call_3'`,
  );
  await client.query('vacuum (analyze) toolmend.calls');
  await client.query('vacuum (analyze) toolmend.approvals');
}

const record = {
  format: 'toolmend.call',
  version: 1,
  id: 'call_1',
  tool: 'pay',
  arguments: '{"payment":"p1","amount":250}',
  meta: {},
  repairs: [],
  notes: [],
};

const outcome = {
  status: 'completed',
  duration: 1,
  content: { text: 'Refunded 250.' },
  returnDirect: false,
};

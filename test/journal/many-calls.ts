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
  await writeManyCalls(client, count, facts);
  await writeMisses(client);
}

/**
 * Writes `count` old calls, one every five seconds up to now: of 50 tenants, in conversations of 20
 * calls, by ten tools, under three limits. Nearly all of them have ended, and
 * every tenth was repaired. Some run, wait for a
 * worker or an approval, or are in doubt.
 */
export async function writeManyCalls(
  client: Client,
  count: number,
  more: readonly (readonly [column: string, value: string])[] = [],
): Promise<void> {
  await client.query(
    `insert into toolmend.calls (id, tenant, conversation, call_id, tool, sent, call, contract, interpreter, digest,
       idempotency_key, rerun, has_secrets, state, attempts, outcome, outcome_status, is_late, delivered_at, limit_key,
       owner, lease_until, created_at, updated_at${more.map(([column]) => `, ${column}`).join('')})
     select gen_random_uuid(), 'tenant-' || n / 20 % 50, 'conversation-' || n / 20, 'call_' || n % 20,
       'tool_' || n % 10, '{"payment":"p1","amount":"250"}', case when n % 10 = 0 and n % 11 <> 0 then $4 else $2 end::json, 'sha256:0', '0.2.0', 'sha256:' || md5(n::text),
       case when n % 3 = 0 then 'key-' || n end, false, false, state, 1,
       case when state in ('ended', 'not_run') then $3::json end,
       case state when 'ended' then 'completed' when 'not_run' then 'invalid_arguments' end, n % 7 = 0,
       case when n % 7 = 0 and n % 7000 <> 0 then now() end, 'limit-' || n % 3,
       case when state = 'running' then gen_random_uuid() end,
       case when state = 'running' then now() + (n % 2 * 2 - 1) * interval '10 minutes' end,
       now() - ($1::integer - n) * interval '5 seconds', now() - ($1::integer - n) * interval '5 seconds'${more.map(([, value]) => `, ${value}`).join('')}
     from generate_series(1, $1::integer) n, lateral (select case
       when n % 4999 = 0 then 'running' when n % 9973 = 0 then 'queued' when n % 4993 = 0 then 'waiting'
       when n % 19997 = 0 then 'in_doubt' when n % 11 = 0 then 'not_run' else 'ended' end as state) as states`,
    [count, JSON.stringify(record), JSON.stringify(outcome), JSON.stringify(repairedRecord)],
  );
  await client.query(
    `insert into toolmend.approvals (id, call, seal, state, expires_at)
     select gen_random_uuid(), id, 'seal', case when state = 'waiting' then 'open' else 'used' end, now() + interval '1 day'
     from toolmend.calls where state = 'waiting' or call_id = 'call_3'`,
  );
  await client.query('vacuum (analyze) toolmend.calls');
  await client.query('vacuum (analyze) toolmend.approvals');
}

/**
 * What pages and reports look at: 12 models, eight releases, runs of 20 calls. A tenth was repaired, a
 * hundredth failed, and what was not run was rejected.
 */
const facts = [
  ['model', "'model-' || n / 7 % 12"],
  ['release', "'1.' || n * 8::bigint / $1::integer"],
  ['run', "'run-' || n / 20"],
  ['rules', `case when state <> 'not_run' and n % 10 = 0 then '["text_to_integer"]'::json end`],
  [
    'issues',
    `case when state = 'not_run' then '[{"keyword":"required","path":"","key":"path"}]'::json end`,
  ],
  [
    'status',
    `case when state = 'not_run' then 'rejected' when n % 101 = 0 then 'failed' when n % 10 = 0 then 'repaired' else 'valid' end`,
  ],
] as const;

/** One rule is seldom: it repaired a fiftieth of the calls that were repaired. */
async function writeMisses(client: Client): Promise<void> {
  await client.query(
    `insert into toolmend.misses (call, kind, name, fields, created_at)
     select id, 'rule', case when get_byte(uuid_send(id), 3) < 5 then 'rename_key' else 'text_to_integer' end,
       array['/amount'], created_at from toolmend.calls where rules is not null
     union all select id, 'issue', 'required', array['/path'], created_at from toolmend.calls where issues is not null`,
  );
  await client.query('vacuum (analyze) toolmend.misses');
}

const record = {
  format: 'toolmend.call',
  version: 1,
  id: 'call_1',
  tool: 'pay',
  model: 'small',
  arguments: '{"payment":"p1","amount":250}',
  meta: {},
  repairs: [],
  notes: [],
};

const repairedRecord = {
  ...record,
  repairs: [
    { rule: 'text_to_integer', path: '/amount', was: '"250"', shownToModel: false, operations: [] },
  ],
};

const outcome = {
  status: 'completed',
  duration: 1,
  content: { text: 'Refunded 250.' },
  returnDirect: false,
};

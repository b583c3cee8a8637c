// The tables of journals as earlier versions made them.

/** The statements that make a journal of a version. */
export const journalOfVersion = (version: number): string => `
  create schema toolmend;
  create table toolmend.journal (format text not null, version integer not null);
  insert into toolmend.journal values ('toolmend.journal', ${version});
  ${steps.slice(0, version).join('\n')}`;

const steps: readonly string[] = [
  `
    create table toolmend.calls (
      id uuid primary key,
      tenant text not null,
      conversation text,
      call_id text not null,
      tool text not null,
      sent text,
      call json,
      contract text,
      interpreter text not null,
      digest text not null,
      idempotency_key text,
      rerun boolean not null,
      has_secrets boolean not null,
      state text not null,
      attempts integer not null,
      approved text,
      approval json,
      outcome json,
      outcome_status text,
      is_late boolean not null,
      delivered_at timestamptz,
      limit_key text,
      owner uuid,
      lease_until timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp()
    );
    create unique index calls_by_id on toolmend.calls (tenant, conversation, call_id)
      where conversation is not null and state <> 'not_run';
    create unique index calls_by_key on toolmend.calls (tenant, tool, idempotency_key)
      where idempotency_key is not null and state <> 'not_run'
        and (state <> 'ended' or outcome_status = 'completed');
    create index calls_by_lease on toolmend.calls (lease_until) where state = 'running';
    create index calls_in_doubt on toolmend.calls (created_at) where state = 'in_doubt';
    create index calls_to_deliver on toolmend.calls (tenant, conversation)
      where is_late and state = 'ended' and delivered_at is null;
    create index calls_by_limit on toolmend.calls (limit_key, created_at) where limit_key is not null;
    create index calls_by_age on toolmend.calls (created_at);
    create table toolmend.approvals (
      id uuid primary key,
      call uuid not null references toolmend.calls (id) on delete cascade,
      seal text not null,
      state text not null,
      expires_at timestamptz not null,
      approval json
    );
    create index approvals_by_call on toolmend.approvals (call);
    create table toolmend.definitions (digest text primary key, definition json not null);`,
  `alter table toolmend.journal add column pruned_at timestamptz;`,
  `
    drop index toolmend.calls_to_deliver;
    create index calls_to_deliver on toolmend.calls (tenant, conversation)
      where is_late and state in ('ended', 'not_run') and delivered_at is null;`,
  `
    alter table toolmend.calls add column turn text not null default '', add column secrets text;
    drop index toolmend.calls_by_id;
    create unique index calls_by_id on toolmend.calls (tenant, conversation, turn, call_id)
      where conversation is not null and state <> 'not_run';
    create index calls_by_turn on toolmend.calls (limit_key, tenant, created_at) where limit_key is not null;
    create table toolmend.waiting (
      id uuid primary key,
      limit_key text not null,
      tenant text not null,
      since timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp()
    );
    create index waiting_by_limit on toolmend.waiting (limit_key);`,
  `
    alter table toolmend.approvals add column used_by uuid;
    create index calls_queued on toolmend.calls (updated_at) where state = 'queued';`,
];

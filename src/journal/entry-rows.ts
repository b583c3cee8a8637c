// Rows of the table `calls` as entries, and back.
import { type PendingApproval, isApproval } from '../outcomes/approval.ts';
import {
  type PendingQuestion,
  type StoredAnswer,
  answersIn,
  isQuestion,
} from '../outcomes/question.ts';
import type { JournalEntry, JournalState, NewEntry, SqlRow } from '../store/call-store.ts';
import { isStoredOutcome } from '../outcomes/stored-outcome.ts';
import { isCallRecord } from '../interpret/records.ts';
import { parseJson } from '../json/parse.ts';
import { defined, ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { rulesOf, statusOf } from '../store/call-facts.ts';
import type { CallFacts, CallStatus, RejectedPlace } from '../store/call-figures.ts';

const time = (column: string): string =>
  `to_char(calls.${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

/**
 * What `entryOfRow` reads. JSON comes as text: drivers would parse it into values without a type.
 */
export const entryColumns = `calls.id, calls.tenant, calls.conversation, calls.call_id, calls.tool, calls.sent,
  calls.call::text as call, calls.contract, calls.interpreter, calls.digest, calls.idempotency_key, calls.rerun,
  calls.has_secrets, calls.turn, calls.secrets, calls.state, calls.attempts, calls.approved, calls.decided_by, calls.approval::text as approval,
  calls.answers::text as answers,
  calls.outcome::text as outcome, calls.model, calls.provider, calls.run, calls.release, calls.status,
  calls.rules::text as rules, calls.issues::text as issues, (calls.state = 'running' and calls.lease_until < clock_timestamp()) as is_abandoned,
  ${time('created_at')}, ${time('updated_at')}`;

export function entryOfRow(row: SqlRow): JournalEntry {
  const [storedCall, outcome] = [row['call'], row['outcome']].map(objectIn);
  // Beside the members of the call.
  const { interpreted: interpretedCall, ...call } = storedCall ?? {};
  return Object.freeze({
    id: textOf(row, 'id'),
    tenant: textOf(row, 'tenant'),
    callId: textOf(row, 'call_id'),
    tool: textOf(row, 'tool'),
    interpreter: textOf(row, 'interpreter'),
    digest: textOf(row, 'digest'),
    rerun: row['rerun'] === true ? 'allowed' : 'never',
    hasSecrets: row['has_secrets'] === true,
    state: stateOf(row['state']),
    attempts: Number(row['attempts']),
    isAbandoned: row['is_abandoned'] === true,
    ...factsOfRow(row),
    ...pendingIn(row),
    createdAt: textOf(row, 'created_at'),
    updatedAt: textOf(row, 'updated_at'),
    ...defined({
      conversation: optionalText(row, 'conversation'),
      turn: row['turn'] === '' ? undefined : optionalText(row, 'turn'),
      secrets: optionalText(row, 'secrets'),
      sent: optionalText(row, 'sent'),
      contract: optionalText(row, 'contract'),
      idempotencyKey: optionalText(row, 'idempotency_key'),
      approved: optionalText(row, 'approved'),
      decidedBy: optionalText(row, 'decided_by'),
      call: isCallRecord(call) ? call : undefined,
      interpreted:
        isJsonObject(interpretedCall) && isCallRecord(interpretedCall)
          ? interpretedCall
          : undefined,
      answers: answersOfRow(row),
      outcome: outcome !== undefined && isStoredOutcome(outcome) ? outcome : undefined,
    }),
  });
}

/** What a call waits for: an approval or a question. */
export function pendingIn(row: SqlRow): {
  readonly approval?: PendingApproval;
  readonly question?: PendingQuestion;
} {
  const pending = objectIn(row['approval']);
  if (pending === undefined) return {};
  if (isApproval(pending)) return { approval: pending };
  return isQuestion(pending) ? { question: pending } : {};
}

/** Undefined if the call has asked nothing. */
export function answersOfRow({ answers }: SqlRow): readonly StoredAnswer[] | undefined {
  if (typeof answers !== 'string') return undefined;
  const reading = parseJson(answers, deepest);
  return answersIn(reading.kind === 'read' ? reading.value : undefined);
}

const callStatuses: readonly CallStatus[] = ['valid', 'repaired', 'rejected', 'failed'];

/** Of a call that an older version wrote, as far as its record has them. */
function factsOfRow(row: SqlRow): CallFacts {
  const outcome = objectIn(row['outcome']);
  const call = objectIn(row['call']);
  const record = call !== undefined && isCallRecord(call) ? call : undefined;
  const { rules, issues } = row;
  const status = callStatuses.find((one) => one === row['status']);
  const facts = {
    ...defined({
      model: optionalText(row, 'model') ?? record?.model,
      provider: optionalText(row, 'provider'),
      run: optionalText(row, 'run'),
      release: optionalText(row, 'release'),
    }),
    rules:
      status === undefined
        ? rulesOf(record ?? noRepairs)
        : listIn(typeof rules === 'string' ? rules : '').filter(isText),
    issues: typeof issues === 'string' ? listIn(issues).flatMap(issueOf) : [],
  };
  if (status !== undefined) return { ...facts, status };
  const storedOutcome = outcome !== undefined && isStoredOutcome(outcome) ? outcome : undefined;
  const isRejected =
    storedOutcome?.status === 'invalid_arguments' ||
    storedOutcome?.status === 'unknown_tool' ||
    (storedOutcome?.status === 'limit_exceeded' && record === undefined);
  const before = isRejected ? 'rejected' : 'valid';
  return { ...facts, status: statusOf({ status: before, rules: facts.rules }, storedOutcome) };
}

const noRepairs = { repairs: [] };

const isText = (value: JsonValue): value is string => typeof value === 'string';

function listIn(text: string): readonly JsonValue[] {
  const reading = parseJson(text);
  return reading.kind === 'read' && isJsonArray(reading.value) ? reading.value : [];
}

function issueOf(value: JsonValue): readonly RejectedPlace[] {
  if (!isJsonObject(value)) return [];
  const [keyword, path, key] = ['keyword', 'path', 'key'].map((name) => ownValue(value, name));
  if (typeof keyword !== 'string' || typeof path !== 'string') return [];
  return [{ keyword, path, ...(typeof key === 'string' ? { key } : {}) }];
}

const optionalText = (row: SqlRow, column: string): string | undefined => {
  const value = row[column];
  return typeof value === 'string' ? storedText(value) : undefined;
};

const textOf = (row: SqlRow, column: string): string => optionalText(row, column) ?? '';

const deepest = 256;

/** The object in a column of JSON that was read as text. */
export function objectIn(text: unknown): JsonObject | undefined {
  const reading = typeof text === 'string' ? parseJson(text, deepest) : undefined;
  return reading?.kind === 'read' && isJsonObject(reading.value) ? reading.value : undefined;
}

const states: readonly JournalState[] = [
  'queued',
  'running',
  'waiting',
  'in_doubt',
  'ended',
  'not_run',
];

/**
 * A state that only a newer version knows counts as ended, so that this version leaves the call
 * alone.
 */
const stateOf = (value: unknown): JournalState =>
  states.find((state) => state === value) ?? 'ended';

/** The columns of a new row, in the order of `insertValues`. */
export const insertColumns = `id, tenant, conversation, call_id, tool, sent, call, contract, interpreter, digest, idempotency_key,
  rerun, has_secrets, turn, secrets, model, provider, run, release, status, rules, issues`;

export const insertValues = (entry: NewEntry): readonly unknown[] => [
  entry.id,
  storable(entry.tenant),
  entry.conversation === undefined ? null : storable(entry.conversation),
  storable(entry.callId),
  storable(entry.tool),
  entry.sent === undefined ? null : storable(entry.sent),
  entry.call === undefined ? null : JSON.stringify(entry.call),
  entry.contract ?? null,
  entry.interpreter,
  entry.digest,
  entry.idempotencyKey === undefined ? null : storable(entry.idempotencyKey),
  entry.rerun === 'allowed',
  entry.hasSecrets,
  storable(entry.turn ?? ''),
  entry.secrets ?? null,
  ...[entry.model, entry.provider, entry.run, entry.release].map((text) =>
    text === undefined ? null : storable(text),
  ),
  entry.status,
  entry.rules.length === 0 ? null : JSON.stringify(entry.rules),
  entry.issues.length === 0 ? null : JSON.stringify(entry.issues),
];

/**
 * A character that is in no text on purpose. After it, a column has JSON: PostgreSQL's text has
 * neither NUL nor lone surrogates, and two texts that differ in them must stay different.
 */
const mark = '\uFFFF';

/** A text as a column has it. */
export const storable = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') && !text.startsWith(mark)
    ? text
    : mark + JSON.stringify(text);

/** The text of which `storable` made the one in a column. */
export function storedText(column: string): string {
  const reading = column.startsWith(mark) ? parseJson(column.slice(mark.length)) : undefined;
  return reading?.kind === 'read' && typeof reading.value === 'string' ? reading.value : column;
}

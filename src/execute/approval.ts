import { createHash } from 'node:crypto';
import { RecordError } from '../errors/errors.ts';
import type { Accepted } from '../interpret/interpretation.ts';
import { type CallRecord, fromRecord } from '../interpret/records.ts';
import { canonicalJson, readPlainValue } from '../json/serialize.ts';
import { type JsonObject, type JsonValue, isJsonObject, ownValue } from '../json/value.ts';

// Of one call to one definition, with these arguments, for one tenant.
/** All that is bound; another value in any of them is another approval. */
export interface ApprovedSubject {
  readonly callId: string;
  readonly tool: string;
  /** Of the tool's contract. */
  readonly contract: string;
  /** What the tool says of its danger. */
  readonly effects: string | undefined;
  readonly interpretation: Pick<Accepted, 'value' | 'meta' | 'text'>;
  readonly scope: string | undefined;
}

/** `sha256:…`, whatever the order of keys. */
export const approvalDigest = ({ interpretation, effects, scope, ...bound }: ApprovedSubject): string =>
  sealOf({
    ...bound,
    effects: effects ?? null,
    arguments: interpretation.value,
    meta: interpretation.meta,
    // Its numbers may have digits that the value has lost.
    ...(interpretation.text === undefined ? {} : { text: interpretation.text }),
    scope: scope ?? null,
  });

/** `sha256:…`; half of a character is another text than any other half. */
const sealOf = (value: JsonValue): string =>
  `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;

// A plain JSON value.
export const approvalFormat = 'toolmend.approval';
export const approvalVersion = 1;

/**
 * A call that waits for a decision, as it would run. Like the record in it, it holds all arguments in full, secrets too:
 * keep it where they may be kept, and show an approver what an approver may see.
 */
export interface PendingApproval {
  readonly format: typeof approvalFormat;
  readonly version: typeof approvalVersion;
  /** Good for one decision. */
  readonly id: string;
  /** The call as it was interpreted; its `arguments` are what would run. */
  readonly call: CallRecord;
  /** `sha256:…` over call id, tool, its definition and effects, arguments, meta arguments and scope. */
  readonly digest: string;
  /** The registry's `contractDigest` of the tool. */
  readonly contract: string;
  /** Whose call it is, where the registry's `approval.scope` says so. */
  readonly scope?: string;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}

// Kept in memory until they expire.
/** `open`: as it was made, and nobody has decided. `changed`: something in it is not as it was made. */
export type ApprovalState = 'open' | 'used' | 'expired' | 'changed' | 'unknown';

interface Entry {
  readonly seal: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  state: 'open' | 'used';
}

/** The approvals of one registry. */
export class ApprovalStore {
  // In the order in which they were made, and so, with one duration for all, in which they expire.
  readonly #entries = new Map<string, Entry>();

  open(approval: PendingApproval, now: number): void {
    this.#forget(now);
    const expires = Date.parse(approval.expiresAt);
    this.#entries.set(approval.id, { seal: sealOfApproval(approval), expires, state: 'open' });
  }

  stateOf(approval: PendingApproval, now: number): ApprovalState {
    const entry = this.#entries.get(approval.id);
    if (entry === undefined) return Date.parse(approval.expiresAt) <= now ? 'expired' : 'unknown';
    if (entry.state === 'used') return 'used';
    if (entry.seal !== sealOfApproval(approval)) return 'changed';
    return entry.expires <= now ? 'expired' : 'open';
  }

  /** Whoever comes first: true once for each approval. */
  use({ id }: PendingApproval): boolean {
    const entry = this.#entries.get(id);
    if (entry?.state !== 'open') return false;
    entry.state = 'used';
    return true;
  }

  #forget(now: number): void {
    for (const [id, { expires }] of this.#entries) {
      if (expires > now) return;
      this.#entries.delete(id);
    }
  }
}

const deepest = 256;

/** Over every member, those that only people read too. */
function sealOfApproval(approval: PendingApproval): string {
  const reading = readPlainValue(approval, deepest);
  return reading.kind === 'plain' ? sealOf(reading.value) : reading.kind;
}

// Every member is looked at before anything is done with it.
const instead = 'pass the approval of a waiting call, parsed from JSON';

/** Throws a RecordError for anything that no waiting call had. */
export function readApproval(data: unknown): PendingApproval {
  const reading = readPlainValue(data, deepest);
  const approval = reading.kind === 'plain' ? reading.value : undefined;
  if (!isJsonObject(approval)) throw new RecordError('', `The approval is none: ${instead}.`);
  if (!isApproval(approval)) throw wrong(approval);
  fromRecord(approval.call);
  return approval;
}

const texts = ['id', 'digest', 'contract', 'expiresAt'];

const isApproval = (approval: JsonObject): approval is JsonObject & PendingApproval =>
  firstWrong(approval) === undefined;

function firstWrong(approval: JsonObject): string | undefined {
  if (ownValue(approval, 'format') !== approvalFormat) return 'format';
  if (ownValue(approval, 'version') !== approvalVersion) return 'version';
  if (!isJsonObject(ownValue(approval, 'call'))) return 'call';
  if (Object.hasOwn(approval, 'scope') && typeof approval['scope'] !== 'string') return 'scope';
  const missing = texts.find((member) => typeof ownValue(approval, member) !== 'string');
  return missing ?? (isDate(ownValue(approval, 'expiresAt')) ? undefined : 'expiresAt');
}

const isDate = (text: JsonValue | undefined): boolean =>
  typeof text === 'string' && !Number.isNaN(Date.parse(text));

function wrong(approval: JsonObject): RecordError {
  const member = firstWrong(approval) ?? '';
  return new RecordError(member, `The approval's ${member} is not what it was: ${instead}.`);
}

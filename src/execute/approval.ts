import { RecordError } from '../errors/errors.ts';
import { type CallRecord, fromRecord } from '../interpret/records.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonObject, type JsonValue, isJsonObject, ownValue } from '../json/value.ts';
import { digestOf } from '../tool/tool-contract.ts';

export const approvalFormat = 'toolmend.approval';
export const approvalVersion = 1;

/**
 * A call that waits for a decision; plain JSON. It holds all arguments in full, secrets included: store it where secrets may be
 * stored, and show an approver only what the approver may see.
 */
export interface PendingApproval {
  readonly format: typeof approvalFormat;
  readonly version: typeof approvalVersion;
  /** Valid for one decision. */
  readonly id: string;
  /** The call as interpreted, with the arguments that would run. */
  readonly call: CallRecord;
  /** `sha256:…` over call id, tool, its definition and effects, arguments, meta arguments and scope. */
  readonly digest: string;
  /** The registry's `contractDigest` of the tool. */
  readonly contract: string;
  /** The result of the registry's `approval.scope`, if it has one. */
  readonly scope?: string;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
  /**
   * A random part of the digest, so that secrets can't be guessed from it. Present if the arguments hold secrets and the registry
   * has a journal, which then stores the digest instead of the approval.
   */
  readonly nonce?: string;
}

/**
 * `open`: undecided and unchanged. `used`: a decision on its call has been made, by this or another approval. `changed`: its data
 * differs from what the registry made.
 */
export type ApprovalState = 'open' | 'used' | 'expired' | 'changed' | 'unknown' | 'other_tenant';

/** A digest of an approval with all its members. */
export function sealOfApproval(approval: PendingApproval): string {
  const reading = readPlainValue(approval);
  return reading.kind === 'plain' ? digestOf(reading.value) : reading.kind;
}

const instead =
  'pass the approval of an outcome approval_required, parsed from JSON, or its id if a journal has it';

/** Throws a RecordError for data that is not an approval. */
export function readApproval(data: unknown): PendingApproval {
  const reading = readPlainValue(data);
  const approval = reading.kind === 'plain' ? reading.value : undefined;
  if (!isJsonObject(approval)) throw new RecordError('', `The data is not an approval: ${instead}.`);
  if (!isApproval(approval)) {
    const member = firstWrong(approval) ?? '';
    throw new RecordError(member, `The approval's ${member} is missing or invalid: ${instead}.`);
  }
  fromRecord(approval.call);
  return approval;
}

const texts = ['id', 'digest', 'contract', 'expiresAt'];

/** Whether data has the members of an approval. Its call is not checked. */
export const isApproval = (approval: JsonObject): approval is JsonObject & PendingApproval =>
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

import { RecordError } from '../errors/errors.ts';
import type { CallRecord } from '../interpret/records.ts';
import { readPlainValue } from '../json/serialize.ts';
import { freezeDeep, ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { digestOf } from './digests.ts';

export const approvalFormat = 'toolmend.approval';
export const approvalVersion = 1;

/**
 * A call that waits for a decision; plain JSON. An approval holds all arguments in full, secrets
 * included: store approvals where secrets may be stored, and show an approver only what the
 * approver may see.
 */
export interface PendingApproval {
  readonly format: typeof approvalFormat;
  readonly version: typeof approvalVersion;
  /** Valid for one decision. */
  readonly id: string;
  /** The call as interpreted, with the arguments that would run. */
  readonly call: CallRecord;
  /**
   * `sha256:…` over call id, tool, its definition and effects, arguments, meta arguments and scope.
   */
  readonly digest: string;
  /** The registry's `contractDigest` of the tool. */
  readonly contract: string;
  /** The result of the registry's `approval.scope`, if it has one. */
  readonly scope?: string;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
  /**
   * A random part of the digest, so that secrets can't be guessed from it. Present if the arguments
   * hold secrets and the registry has a journal, which then stores the digest instead of the
   * approval.
   */
  readonly nonce?: string;
}

/** A digest of an approval with all its members. */
export function sealOfApproval(approval: PendingApproval): string {
  const reading = readPlainValue(approval);
  return reading.kind === 'plain' ? digestOf(reading.value) : reading.kind;
}

const instead =
  'pass the approval of an outcome approval_required, as it was or parsed from JSON, or its id';

/** What an application gives back: nothing of it is known to be true but what the store confirms. */
export interface GivenApproval {
  readonly id: string;
  /** Undefined if the id alone was given. */
  readonly seal: string | undefined;
  /** Undefined if it lacks a member. */
  readonly approval: PendingApproval | undefined;
}

/** Throws a RecordError for data that is not an approval. */
export function readApproval(data: unknown): GivenApproval {
  if (typeof data === 'string') return { id: data, seal: undefined, approval: undefined };
  const reading = readPlainValue(data);
  const value = reading.kind === 'plain' ? reading.value : undefined;
  if (!isJsonObject(value) || ownValue(value, 'format') !== approvalFormat)
    throw new RecordError('', `The data is not an approval: ${instead}.`);
  const id = ownValue(value, 'id');
  if (typeof id !== 'string')
    throw new RecordError('id', `The approval's id is missing or invalid: ${instead}.`);
  // A copy: the application may go on using the object.
  const copy: JsonObject = structuredClone(value);
  return { id, seal: digestOf(copy), approval: isApproval(copy) ? freezeDeep(copy) : undefined };
}

const texts = ['id', 'digest', 'contract', 'expiresAt'];

/** Whether data has the members of an approval. Its call is not checked. */
export const isApproval = (approval: JsonObject): approval is JsonObject & PendingApproval =>
  ownValue(approval, 'format') === approvalFormat &&
  ownValue(approval, 'version') === approvalVersion &&
  isJsonObject(ownValue(approval, 'call')) &&
  (!Object.hasOwn(approval, 'scope') || typeof approval['scope'] === 'string') &&
  texts.every((member) => typeof ownValue(approval, member) === 'string');

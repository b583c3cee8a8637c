// Calls that wait for a person, as plain JSON: for an approval, or for the answer to a question.
import { freezeDeep, ownValue } from '../collections/objects.ts';
import { RecordError } from '../errors/errors.ts';
import type { CallRecord } from '../interpret/records.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { digestOf } from './digests.ts';

/** What an approval and a question have in common. */
export interface PendingCall {
  /** Valid for one decision or answer. */
  readonly id: string;
  /** The call as interpreted. */
  readonly call: CallRecord;
  /** The result of the registry's `approval.scope`, if it has one. */
  readonly scope?: string;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
  /**
   * A random part, so that secrets can't be guessed from a digest. Present if the arguments hold
   * secrets and the registry has a journal, which then stores a digest instead of all this.
   */
  readonly nonce?: string;
}

/** A digest of all members. */
export function sealOf(pendingCall: PendingCall): string {
  const reading = readPlainValue(pendingCall);
  return reading.kind === 'plain' ? digestOf(reading.value) : reading.kind;
}

/** What an application gives back: nothing of it is known to be true but what the store confirms. */
export interface GivenPending<Pending> {
  readonly id: string;
  /** Undefined if the id alone was given. */
  readonly seal: string | undefined;
  /** Undefined if it lacks a member. */
  readonly pendingCall: Pending | undefined;
}

/** How one kind of pending call is read. */
export interface PendingKind<Pending> {
  readonly format: string;
  /** For errors: 'approval'. */
  readonly noun: string;
  /** With its article. */
  readonly oneOf: string;
  readonly instead: string;
  readonly isPending: (data: JsonObject) => data is JsonObject & Pending;
}

/** Throws a RecordError for data of another kind. */
export function readPending<Pending>(
  data: unknown,
  { format, noun, oneOf, instead, isPending }: PendingKind<Pending>,
): GivenPending<Pending> {
  if (typeof data === 'string') return { id: data, seal: undefined, pendingCall: undefined };
  const reading = readPlainValue(data);
  const value = reading.kind === 'plain' ? reading.value : undefined;
  if (!isJsonObject(value) || ownValue(value, 'format') !== format)
    throw new RecordError('', `The data is not ${oneOf}: ${instead}.`);
  const id = ownValue(value, 'id');
  if (typeof id !== 'string')
    throw new RecordError('id', `The ${noun}'s id is missing or invalid: ${instead}.`);
  // A copy: the application may go on using the object.
  const copy: JsonObject = structuredClone(value);
  return { id, seal: digestOf(copy), pendingCall: isPending(copy) ? freezeDeep(copy) : undefined };
}

/** Whether data has the members that all pending calls have. Its call is not checked. */
export const hasPendingMembers = (
  data: JsonObject,
  format: string,
  version: number,
  texts: readonly string[],
): boolean =>
  ownValue(data, 'format') === format &&
  ownValue(data, 'version') === version &&
  isJsonObject(ownValue(data, 'call')) &&
  (!Object.hasOwn(data, 'scope') || typeof data['scope'] === 'string') &&
  texts.every((member) => typeof ownValue(data, member) === 'string');

// Approvals that calls wait for.
import type { AcceptedCall } from './interpreted-call.ts';
import {
  type Denied,
  wasExecuted,
  type ApprovalRequired,
  type WithheldOutcome,
  type LimitExceeded,
  refuse,
  waitingFor,
} from '../outcomes/tool-outcome.ts';
import {
  notEndedYet,
  leftInDoubt,
  notExecuted,
  whyNotExecuted,
  executedBefore,
} from '../messages/call-messages.ts';
import type { ApprovalSettings } from './approval-settings.ts';
import { digestOf } from '../outcomes/digests.ts';
import { definitionDigest, declaresSecrets } from './call-digests.ts';
import { defined, freezeDeep } from '../collections/objects.ts';
import { type PendingApproval, approvalFormat, approvalVersion } from '../outcomes/approval.ts';
import { sealOf } from '../outcomes/pending-call.ts';
import { randomId } from '../platform/random-id.ts';
import { toRecord } from '../interpret/records.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { frozenCall } from './interceptor.ts';
import type { RunningCall } from './running-call.ts';
import type { JournalEntry, CallStore, CallEntry } from '../store/call-store.ts';
import { entryOf } from './call-entry.ts';
import { callEntryOf } from './entry-outcome.ts';

export const deniedOutcome = (
  { call, tool, interpretation }: AcceptedCall,
  by: Denied['by'],
  message: string,
): Denied => Object.freeze({ status: 'denied', call, tool, interpretation, by, message });

/** The outcome of a decision or answer that comes too late: it says what became of the call. */
export const decidedBefore = (
  acceptedCall: AcceptedCall,
  call: DecidedCall,
  goesOn: (tool: string) => string = notEndedYet,
): Denied => deniedOutcome(acceptedCall, 'used', whatBecame(acceptedCall.tool, call, goesOn));

function whatBecame(
  tool: string,
  { state, outcome, question }: DecidedCall,
  goesOn: (tool: string) => string,
): string {
  const isAsking = state === 'waiting' && question !== undefined;
  if (state === 'running' || state === 'queued' || isAsking) return goesOn(tool);
  if (state === 'in_doubt') return leftInDoubt(tool);
  if (outcome === undefined || !wasExecuted(outcome))
    return notExecuted(tool, whyNotExecuted.decided_before);
  if (outcome.status === 'failed' && outcome.reason === 'in_doubt') return outcome.message;
  return executedBefore(
    tool,
    outcome.status === 'completed' ? outcome.content.text : outcome.message,
  );
}

/** A call that was decided on, as far as it has come. */
type DecidedCall = Pick<JournalEntry, 'state' | 'outcome' | 'question'>;

/** The call of an approval, as far as it has come. */
export async function callOfApproval(
  store: CallStore,
  entry: CallEntry | undefined,
): Promise<DecidedCall> {
  const entryNow = entry && (await store.entry(entry.id));
  return entryNow ?? { state: 'not_run' };
}

/**
 * What an approval is bound to: if any of it differs, the approval is not valid for the call.
 * Throws what `scope` throws.
 */
export function callDigest({ scope }: ApprovalSettings, runningCall: RunningCall): string {
  const { acceptedCall, values } = runningCall;
  const { call, tool, contract, interpretation } = acceptedCall;
  const { value, meta, text } = interpretation;
  return digestOf({
    callId: call.id,
    tool,
    contract: definitionDigest(contract),
    effects: contract.effects ?? null,
    arguments: value,
    meta,
    // The text may have digits that the value has lost.
    ...defined({ text }),
    scope: scope?.(values) ?? null,
  });
}

/** The approval of the same call that was not sufficient. `running`: it was used. */
interface PreviousApproval {
  readonly id: string;
  readonly call: 'waiting' | 'running';
}

/**
 * Opens a new approval for the call as it would run now. Denied if the call was decided on already,
 * and refused if too many calls wait.
 */
export async function openApproval(
  approvals: ApprovalSettings,
  call: RunningCall,
  why: Exclude<ApprovalRequired['why'], 'refused'>,
  previous?: PreviousApproval,
): Promise<WithheldOutcome | LimitExceeded> {
  const { acceptedCall, values, settings } = call;
  const { expiresAfter } = approvals;
  const { store } = settings;
  const needsNonce = !store.keepsSecrets && declaresSecrets(acceptedCall.contract);
  const approval: PendingApproval = freezeDeep({
    format: approvalFormat,
    version: approvalVersion,
    id: randomId(),
    call: toRecord(acceptedCall),
    digest: callDigest(approvals, call),
    contract: definitionDigest(acceptedCall.contract),
    ...defined({ scope: approvals.scope?.(values) }),
    expiresAt: new Date(Date.now() + expiresAfter).toISOString(),
    ...(needsNonce ? { nonce: randomId() } : {}),
  });
  const writtenEntry = call.entry ?? (await waitingEntry(call));
  if (writtenEntry === 'full') return refuse(acceptedCall, 'busy');
  const isOpen = await store.openApproval(writtenEntry.id, {
    id: approval.id,
    seal: sealOf(approval),
    expiresAfter,
    from: previous?.call ?? (call.entry === undefined ? 'waiting' : 'running'),
    ...(needsNonce ? {} : { approval }),
  });
  return isOpen
    ? waitingFor(acceptedCall, approval, why, [])
    : decidedBefore(acceptedCall, await callOfApproval(store, writtenEntry));
}

/** Writes a call that was not written before. */
async function waitingEntry(call: RunningCall): Promise<CallEntry | 'full'> {
  const entry = entryOf(call);
  const begunEntry = await call.settings.store.begin(entry, { state: 'waiting' });
  return begunEntry.kind === 'limited' ? 'full' : callEntryOf(entry);
}

/** The outcome of a call that has to wait; undefined if it may run. */
export async function requireApproval(
  settings: ApprovalSettings,
  call: RunningCall,
): Promise<WithheldOutcome | LimitExceeded | undefined> {
  const { acceptedCall, values, options, approvedDigest, approvalId } = call;
  if (approvedDigest === undefined)
    return options.approval === 'required' || (await isRequired(settings, acceptedCall, values))
      ? openApproval(settings, call, 'asked')
      : undefined;
  if (callDigest(settings, call) === approvedDigest) return undefined;
  const previous =
    approvalId === undefined ? undefined : ({ id: approvalId, call: 'running' } as const);
  return openApproval(settings, call, 'changed', previous);
}

/**
 * Whether a call without an approval would require one. Throws what the application's function
 * throws.
 */
export const wouldRequireApproval = (
  settings: ApprovalSettings,
  acceptedCall: AcceptedCall,
  values: ApplicationContext,
): Promise<boolean> => isRequired(settings, frozenCall(acceptedCall), values);

async function isRequired(
  { needed }: ApprovalSettings,
  { call, tool, contract, interpretation }: AcceptedCall,
  values: ApplicationContext,
): Promise<boolean> {
  const isNeeded: unknown = await needed(
    Object.freeze({ call, tool, contract, interpretation, values }),
  );
  return isNeeded !== false;
}

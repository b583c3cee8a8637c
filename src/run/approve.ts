import * as accept from '../options/check-options.ts';
import { type OptionKinds, checkOptions } from '../options/check-options.ts';
import {
  type PendingApproval,
  approvalFormat,
  approvalVersion,
  readApproval,
} from '../execute/approval.ts';
import {
  type ApprovalStore,
  type DecidedCall,
  type PreviousApproval,
  JournalApprovals,
  MemoryApprovals,
  otherScope,
  otherTenant,
  unknownApproval,
  withoutArguments,
} from '../store/approval-store.ts';
import { digestOf } from '../execute/digests.ts';
import type { CallEntry, Journal } from '../store/journal.ts';
import { storeOutcome } from '../execute/stored-outcome.ts';
import {
  type ApprovalRequired,
  type Denied,
  type InvalidArguments,
  type LimitExceeded,
  type UnknownTool,
  type WithheldOutcome,
  refuse,
  wasExecuted,
} from '../execute/tool-outcome.ts';
import { fromRecord, toRecord } from '../interpret/records.ts';
import type { ToolCall } from '../providers/tool-call.ts';
import { defined, freezeDeep } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import {
  executedBefore,
  leftInDoubt,
  notEndedYet,
  notExecuted,
  whyNotExecuted,
} from '../messages/call-messages.ts';
import type { Issue } from '../messages/issue.ts';
import { randomId } from '../platform/random-id.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { argumentsKind, frozenCall, interpretEdit } from './intercept.ts';
import type { AcceptedCall, InterpretedCall } from './interpreted-call.ts';
import { declaresSecrets, definitionDigest, recordOf } from './journal-entry.ts';

/**
 * `arguments`: arguments to run instead, without meta arguments. `message`: the reason, for the
 * model.
 */
export type ApprovalDecision =
  | { readonly decision: 'approve'; readonly arguments?: JsonObject }
  | { readonly decision: 'deny'; readonly message?: string };

/** `approved`: exactly this may run. The others carry the outcome; nothing is executed. */
export type ResolvedCall =
  | {
      readonly kind: 'approved';
      readonly accepted: AcceptedCall;
      readonly digest: string;
      /** The id of the approval. */
      readonly approval: string;
      /** The call in the journal. */
      readonly entry: CallEntry | undefined;
    }
  | {
      readonly kind: 'withheld';
      readonly accepted: AcceptedCall;
      readonly outcome: WithheldOutcome | LimitExceeded;
    }
  | { readonly kind: 'invalid'; readonly outcome: InvalidArguments | UnknownTool };

const withheld = (
  accepted: AcceptedCall,
  outcome: WithheldOutcome | LimitExceeded,
): ResolvedCall => ({
  kind: 'withheld',
  accepted,
  outcome,
});

const denied = (
  { call, tool, interpretation }: AcceptedCall,
  by: Denied['by'],
  message: string,
): Denied => Object.freeze({ status: 'denied', call, tool, interpretation, by, message });

/** The outcome of a decision that comes too late: it says what became of the call. */
const decidedBefore = (accepted: AcceptedCall, call: DecidedCall): Denied =>
  denied(accepted, 'used', whatBecame(accepted.tool, call));

function whatBecame(tool: string, { state, outcome }: DecidedCall): string {
  if (state === 'running' || state === 'queued') return notEndedYet(tool);
  if (state === 'in_doubt') return leftInDoubt(tool);
  if (outcome === undefined || !wasExecuted(outcome))
    return notExecuted(tool, whyNotExecuted.decided_before);
  if (outcome.status === 'failed' && outcome.reason === 'in_doubt') return outcome.message;
  return executedBefore(
    tool,
    outcome.status === 'completed' ? outcome.content.text : outcome.message,
  );
}

const decisionKind = accept.required(
  accept.hinted(
    accept.oneOf('approve', 'deny'),
    "write { decision: 'approve' } or { decision: 'deny' }",
  ),
);
const messageKind = accept.hinted(accept.string, 'write why, for the model');

/** Throws a DefinitionError with every problem: a decision may come from a web page. */
function requireDecision(decision: ApprovalDecision): void {
  const word: unknown = Reflect.get(Object(decision), 'decision');
  const edited = word === 'deny' ? {} : { arguments: argumentsKind };
  const reason = word === 'approve' ? {} : { message: messageKind };
  const kinds = { decision: decisionKind, ...edited, ...reason };
  checkOptions('ToolRegistry.resolveApproval', decision, kinds);
}

/** A call that may require approval. */
export interface ApprovableCall extends Omit<AcceptedCall, 'status'> {
  readonly values: ApplicationContext;
}

/** The registry option `approval`. */
export interface ApprovalOptions {
  /**
   * Whether a call requires approval. Only the result false means that the call requires none: a
   * function without a result makes every call wait. An exception keeps the call from being
   * executed. Default: calls of destructive tools require approval.
   */
  readonly needed?: (call: ApprovableCall) => boolean | Promise<boolean>;
  /** Milliseconds until an approval expires. Default: 15 minutes. */
  readonly expiresAfter?: number;
  /**
   * The scope of an approval, such as a tenant's or user's id; an approval is valid only in the
   * scope of its call. Default: no scope.
   */
  readonly scope?: (values: ApplicationContext) => string;
}

export const approvalOptionKinds: OptionKinds<ApprovalOptions> = {
  needed: accept.callback(
    'write a function that returns whether the call requires approval, (call) => true',
  ),
  expiresAfter: accept.milliseconds,
  scope: accept.callback('write a function that returns the scope of a call, (values) => …'),
};

/** The options as a registry uses them. */
export interface ApprovalSettings extends Required<Omit<ApprovalOptions, 'scope'>> {
  readonly scope: ((values: ApplicationContext) => string) | undefined;
  readonly store: ApprovalStore;
  readonly journal: Journal | undefined;
}

const quarterOfAnHour = 15 * 60_000;
const isDestructive = ({ contract }: ApprovableCall): boolean => contract.effects === 'destructive';

export function approvalSettings(
  options: ApprovalOptions,
  journal: Journal | undefined,
): ApprovalSettings {
  const { needed = isDestructive, expiresAfter = quarterOfAnHour, scope } = options;
  const store = journal === undefined ? new MemoryApprovals() : new JournalApprovals(journal);
  return { needed, expiresAfter, scope, store, journal };
}

/**
 * What an approval is bound to: if any of it differs, the approval is not valid for the call.
 * Throws what `scope` throws.
 */
function callDigest(
  { scope }: ApprovalSettings,
  { call, tool, contract, interpretation: { value, meta, text } }: AcceptedCall,
  values: ApplicationContext,
): string {
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

/** A call that may have to wait for approval. `entry`: the call in the journal. */
export interface Approvable {
  readonly accepted: AcceptedCall;
  readonly values: ApplicationContext;
  readonly tenant: string;
  readonly entry: CallEntry | undefined;
}

/**
 * Opens a new approval for the call as it would run now. Denied if the call was decided on already,
 * and refused if too many calls wait.
 */
async function openApproval(
  settings: ApprovalSettings,
  { accepted, values, tenant, entry }: Approvable,
  why: Exclude<ApprovalRequired['why'], 'refused'>,
  previous?: PreviousApproval,
): Promise<WithheldOutcome | LimitExceeded> {
  const { expiresAfter, store, journal } = settings;
  const needsNonce = journal !== undefined && declaresSecrets(accepted.contract);
  const approval: PendingApproval = freezeDeep({
    format: approvalFormat,
    version: approvalVersion,
    id: randomId(),
    call: toRecord(accepted),
    digest: callDigest(settings, accepted, values),
    contract: definitionDigest(accepted.contract),
    ...defined({ scope: settings.scope?.(values) }),
    expiresAt: new Date(Date.now() + expiresAfter).toISOString(),
    ...(needsNonce ? { nonce: randomId() } : {}),
  });
  const opened = await store.open(approval, { expiresAfter, tenant, entry, previous });
  if (opened.kind === 'decided') return decidedBefore(accepted, opened.call);
  return opened.kind === 'full'
    ? refuse(accepted, 'busy')
    : waitingFor(accepted, approval, why, []);
}

/** The outcome of a call with an approval that is open. */
export function waitingFor(
  { call, tool, interpretation }: AcceptedCall,
  approval: PendingApproval,
  why: ApprovalRequired['why'],
  issues: readonly Issue[],
): ApprovalRequired {
  const message = notExecuted(tool, whyNotExecuted.approval_required);
  const facts = { call, tool, interpretation, why, approval, issues, message };
  return Object.freeze({ status: 'approval_required', ...facts });
}

/** Uses the approval, unless the approver's arguments are refused. */
async function approvedCall(
  approvable: Approvable,
  approval: PendingApproval,
  edited: JsonObject | undefined,
  settings: ApprovalSettings,
): Promise<ResolvedCall> {
  const { accepted, values, tenant, entry } = approvable;
  const { id } = approval;
  if (callDigest(settings, accepted, values) !== approval.digest) {
    const again = await openApproval(settings, approvable, 'changed', { id, call: 'waiting' });
    return withheld(accepted, again);
  }
  const interpretation =
    edited === undefined ? accepted.interpretation : interpretEdit(accepted, edited);
  if (interpretation.status === 'rejected')
    return withheld(accepted, waitingFor(accepted, approval, 'refused', interpretation.issues));
  const approved: AcceptedCall = Object.freeze({ ...accepted, interpretation });
  const digest = callDigest(settings, approved, values);
  const use = { kind: 'run', call: recordOf(approved), approved: digest } as const;
  const used = await settings.store.use(id, tenant, use);
  if (used.kind === 'decided') return withheld(accepted, decidedBefore(accepted, used.call));
  // Arguments that needed a repair differ from those that were approved.
  const isRepaired = interpretation.repairs.length > accepted.interpretation.repairs.length;
  if (!isRepaired) return { kind: 'approved', accepted: approved, digest, approval: id, entry };
  const repaired = { ...approvable, accepted: approved };
  const again = await openApproval(settings, repaired, 'changed', { id, call: 'running' });
  return withheld(approved, again);
}

/** The digest of the call that was approved, and the id of the approval. */
interface ApprovedBefore {
  readonly approved: string | undefined;
  readonly approval: string | undefined;
}

/** The outcome of a call that has to wait; undefined if it may run. */
export async function requireApproval(
  settings: ApprovalSettings,
  approvable: Approvable,
  { approved, approval }: ApprovedBefore,
): Promise<WithheldOutcome | LimitExceeded | undefined> {
  const { accepted, values } = approvable;
  if (approved === undefined)
    return (await isRequired(settings, accepted, values))
      ? openApproval(settings, approvable, 'asked')
      : undefined;
  if (callDigest(settings, accepted, values) === approved) return undefined;
  const previous =
    approval === undefined ? undefined : ({ id: approval, call: 'running' } as const);
  return openApproval(settings, approvable, 'changed', previous);
}

/**
 * Whether a call without an approval would require one. Throws what the application's function
 * throws.
 */
export const wouldRequireApproval = (
  settings: ApprovalSettings,
  accepted: AcceptedCall,
  values: ApplicationContext,
): Promise<boolean> => isRequired(settings, frozenCall(accepted), values);

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

export interface ResolutionContext {
  readonly settings: ApprovalSettings;
  readonly values: ApplicationContext;
  readonly tenant: string;
  readonly interpret: (call: ToolCall) => InterpretedCall;
}

/**
 * Uses an approval. Whatever of the given data differs from the stored approval changes nothing:
 * the call is always the stored one. Rejects with a DefinitionError for an invalid decision, and a
 * RecordError for data that is not an approval of this store, tenant and scope.
 */
export async function resolveCall(
  data: unknown,
  decision: ApprovalDecision,
  context: ResolutionContext,
): Promise<ResolvedCall> {
  requireDecision(decision);
  const { settings, values, tenant } = context;
  const given = readApproval(data);
  const found = await settings.store.find(given.id, tenant);
  if (!('seal' in found))
    throw found.state === 'unknown' ? unknownApproval(settings.store) : otherTenant();
  const isIntact = given.seal === undefined || given.seal === found.seal;
  const approval = found.approval ?? (isIntact ? given.approval : undefined);
  if (approval === undefined) throw withoutArguments(given.seal === undefined ? 'id' : 'whole');
  if (approval.scope !== settings.scope?.(values)) throw otherScope();
  const interpreted = context.interpret(fromRecord(approval.call));
  if (interpreted.status !== 'accepted') {
    if (decision.decision === 'deny' && isIntact)
      await settings.store.use(approval.id, tenant, denialOf(approval.call.tool, decision));
    return { kind: 'invalid', outcome: interpreted };
  }
  const accepted = asInterpreted(interpreted, approval);
  if (found.state === 'used') return withheld(accepted, decidedBefore(accepted, found.call));
  if (!isIntact) return withheld(accepted, waitingFor(accepted, approval, 'changed', []));
  const approvable = { accepted, values, tenant, entry: found.entry };
  if (decision.decision === 'deny') return deniedCall(approvable, approval, decision, settings);
  if (found.state === 'open')
    return approvedCall(approvable, approval, decision.arguments, settings);
  const previous = { id: approval.id, call: 'waiting' } as const;
  return withheld(accepted, await openApproval(settings, approvable, 'expired', previous));
}

const denialOf = (
  tool: string,
  { message = whyNotExecuted.not_approved }: Extract<ApprovalDecision, { decision: 'deny' }>,
) => {
  const outcome = {
    status: 'denied',
    by: 'approver',
    message: notExecuted(tool, message),
  } as const;
  return { kind: 'end', outcome } as const;
};

/** A denial counts although the approval has expired. */
async function deniedCall(
  { accepted, tenant }: Approvable,
  { id }: PendingApproval,
  decision: Extract<ApprovalDecision, { decision: 'deny' }>,
  { store }: ApprovalSettings,
): Promise<ResolvedCall> {
  const denial = denialOf(accepted.tool, decision);
  const outcome = denied(accepted, 'approver', denial.outcome.message);
  // The approver may have repeated a secret.
  const { contract } = accepted;
  const stored = storeOutcome(outcome, { contract, maxResultChars: Infinity });
  const used = await store.use(id, tenant, { kind: 'end', outcome: stored });
  return withheld(accepted, used.kind === 'decided' ? decidedBefore(accepted, used.call) : outcome);
}

/**
 * The call with the name, repairs and notes of its first interpretation. Those of this one are
 * added: there are some only if the tool has changed since.
 */
function asInterpreted(accepted: AcceptedCall, { call: record }: PendingApproval): AcceptedCall {
  const { interpretation } = accepted;
  const { requested, finishReason } = record;
  const repairs = [...record.repairs, ...interpretation.repairs];
  const notes = [...record.notes, ...interpretation.notes];
  const status = repairs.length === 0 ? 'unchanged' : 'repaired';
  const call = Object.freeze({ ...accepted.call, ...defined({ name: requested, finishReason }) });
  return Object.freeze({
    ...accepted,
    call,
    interpretation: Object.freeze({ ...interpretation, status, repairs, notes } as const),
  });
}

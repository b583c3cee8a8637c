import * as accept from '../errors/check-options.ts';
import { type OptionKinds, checkOptions } from '../errors/check-options.ts';
import { type PendingApproval, approvalFormat, approvalVersion, readApproval } from '../execute/approval.ts';
import type { ApprovalStore } from '../execute/approval-store.ts';
import { otherTenant, JournalApprovals, MemoryApprovals } from '../execute/approval-store.ts';
import type { CallEntry, Journal } from '../execute/journal.ts';
import { storeOutcome } from '../execute/stored-outcome.ts';
import type {
  ApprovalRequired,
  Denied,
  InvalidArguments,
  UnknownTool,
  WithheldOutcome,
} from '../execute/tool-outcome.ts';
import { fromRecord, toRecord } from '../interpret/records.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { type JsonObject, defined, freezeDeep } from '../json/value.ts';
import { notExecuted, whyNotExecuted } from '../messages/call-messages.ts';
import type { Issue } from '../messages/issue.ts';
import { type ApplicationContext, digestOf } from '../tool/tool-contract.ts';
import { argumentsKind, frozenCall, interpretEdit } from './intercept.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';
import { declaresSecrets, definitionDigest, recordOf } from './journal/journal-entry.ts';

/** `arguments`: arguments to run instead, without meta arguments. `message`: the reason, for the model. */
export type ApprovalDecision =
  | { readonly decision: 'approve'; readonly arguments?: JsonObject }
  | { readonly decision: 'deny'; readonly message?: string };

/** `approved`: exactly this may run. The others carry the outcome; nothing is executed. */
export type ResolvedCall =
  | {
      readonly kind: 'approved';
      readonly accepted: AcceptedCall;
      readonly digest: string;
      /** The call in the journal. */
      readonly entry: CallEntry | undefined;
    }
  | { readonly kind: 'withheld'; readonly accepted: AcceptedCall; readonly outcome: WithheldOutcome }
  | { readonly kind: 'invalid'; readonly outcome: InvalidArguments | UnknownTool };

const withheld = (accepted: AcceptedCall, outcome: WithheldOutcome): ResolvedCall => ({
  kind: 'withheld',
  accepted,
  outcome,
});

const denied = ({ call, tool, interpretation }: AcceptedCall, by: Denied['by'], why: string): Denied => {
  const message = notExecuted(tool, why);
  return Object.freeze({ status: 'denied', call, tool, interpretation, by, message });
};

const decisionKind = accept.required(
  accept.hinted(accept.oneOf('approve', 'deny'), "write { decision: 'approve' } or { decision: 'deny' }"),
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
   * Whether a call requires approval. Only the result false means that it doesn't: without a result, it does. An exception keeps the
   * call from being executed. Default: calls of destructive tools require it.
   */
  readonly needed?: (call: ApprovableCall) => boolean | Promise<boolean>;
  /** Milliseconds until an approval expires. Default: 15 minutes. */
  readonly expiresAfter?: number;
  /**
   * The scope of an approval, such as a tenant's or user's id; an approval is valid only in the scope of its call. Default: no
   * scope.
   */
  readonly scope?: (values: ApplicationContext) => string;
}

export const approvalOptionKinds: OptionKinds<ApprovalOptions> = {
  needed: accept.callback('write a function that returns whether the call requires approval, (call) => true'),
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

export function approvalSettings(options: ApprovalOptions, journal: Journal | undefined): ApprovalSettings {
  const { needed = isDestructive, expiresAfter = quarterOfAnHour, scope } = options;
  const store = journal === undefined ? new MemoryApprovals() : new JournalApprovals(journal);
  return { needed, expiresAfter, scope, store, journal };
}

/** What an approval is bound to: if any of it differs, the approval is not valid for the call. Throws what `scope` throws. */
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
  readonly entry: CallEntry | undefined;
}

/** Opens a new approval for the call as it would run now. Denied if the call was decided on already. */
async function openApproval(
  settings: ApprovalSettings,
  { accepted, values, entry }: Approvable,
  why: Exclude<ApprovalRequired['why'], 'refused'>,
  replaced?: PendingApproval,
): Promise<ApprovalRequired | Denied> {
  const { expiresAfter, store, journal } = settings;
  const needsNonce = journal !== undefined && declaresSecrets(accepted.contract);
  const approval: PendingApproval = freezeDeep({
    format: approvalFormat,
    version: approvalVersion,
    id: crypto.randomUUID(),
    call: toRecord(accepted),
    digest: callDigest(settings, accepted, values),
    contract: definitionDigest(accepted.contract),
    ...defined({ scope: settings.scope?.(values) }),
    expiresAt: new Date(Date.now() + expiresAfter).toISOString(),
    ...(needsNonce ? { nonce: crypto.randomUUID() } : {}),
  });
  const isOpen = await store.open(approval, { expiresAfter, entry: entry?.id, replaced });
  if (!isOpen) return denied(accepted, 'used', whyNotExecuted.decided_before);
  return waitingFor(accepted, approval, why, []);
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
  { accepted, values, entry }: Approvable,
  approval: PendingApproval,
  edited: JsonObject | undefined,
  { settings, tenant }: ResolutionContext,
): Promise<ResolvedCall> {
  if (callDigest(settings, accepted, values) !== approval.digest)
    return withheld(accepted, await openApproval(settings, { accepted, values, entry }, 'changed', approval));
  const interpretation = edited === undefined ? accepted.interpretation : interpretEdit(accepted, edited);
  if (interpretation.status === 'rejected')
    return withheld(accepted, waitingFor(accepted, approval, 'refused', interpretation.issues));
  const approved: AcceptedCall = Object.freeze({ ...accepted, interpretation });
  const digest = callDigest(settings, approved, values);
  const use = { kind: 'run', call: recordOf(approved), approved: digest } as const;
  if (!(await settings.store.use(approval, tenant, use)))
    return withheld(accepted, denied(accepted, 'used', whyNotExecuted.decided_before));
  // Arguments that needed a repair differ from those that were approved.
  const isRepaired = interpretation.repairs.length > accepted.interpretation.repairs.length;
  return isRepaired
    ? withheld(approved, await openApproval(settings, { accepted: approved, values, entry }, 'changed'))
    : { kind: 'approved', accepted: approved, digest, entry };
}

/** The outcome of a call that has to wait; undefined if it may run. `approved`: the digest of the call that was approved. */
export async function requireApproval(
  settings: ApprovalSettings,
  approvable: Approvable,
  approved: string | undefined,
): Promise<ApprovalRequired | Denied | undefined> {
  const { accepted, values } = approvable;
  const mayRun =
    approved === undefined
      ? !(await isRequired(settings, accepted, values))
      : callDigest(settings, accepted, values) === approved;
  return mayRun
    ? undefined
    : openApproval(settings, approvable, approved === undefined ? 'asked' : 'changed');
}

/** Whether a call without an approval would require one. Throws what the application's function throws. */
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
  const isNeeded: unknown = await needed(Object.freeze({ call, tool, contract, interpretation, values }));
  return isNeeded !== false;
}

export interface ResolutionContext {
  readonly settings: ApprovalSettings;
  readonly values: ApplicationContext;
  readonly tenant: string;
  readonly interpret: (call: ToolCall) => InterpretedCall;
  /** Writes a call that the journal doesn't know. */
  readonly begin: (accepted: AcceptedCall, approval: PendingApproval) => Promise<CallEntry | undefined>;
}

/** Uses an approval. Rejects with a DefinitionError for an invalid decision, and a RecordError for data that is not an approval. */
export async function resolveCall(
  data: unknown,
  decision: ApprovalDecision,
  context: ResolutionContext,
): Promise<ResolvedCall> {
  requireDecision(decision);
  const { settings, values, tenant } = context;
  const approval = readApproval(typeof data === 'string' ? await settings.store.load(data, tenant) : data);
  const interpreted = context.interpret(fromRecord(approval.call));
  const { state, entry } = await settings.store.find(approval, tenant);
  if (state === 'other_tenant') throw otherTenant();
  if (interpreted.status !== 'accepted') {
    if (decision.decision === 'deny' && state !== 'changed') {
      const message = notExecuted(approval.call.tool, decision.message ?? whyNotExecuted.not_approved);
      const outcome = { status: 'denied', by: 'approver', message } as const;
      await settings.store.use(approval, tenant, { kind: 'end', outcome });
    }
    return { kind: 'invalid', outcome: interpreted };
  }
  const used = () => withheld(interpreted, denied(interpreted, 'used', whyNotExecuted.decided_before));
  if (state === 'used') return used();
  // The stored interpretation is trusted only if the approval is the one that this registry made.
  const accepted = state === 'open' ? asInterpreted(interpreted, approval) : interpreted;
  if (decision.decision === 'deny') {
    const outcome = denied(accepted, 'approver', decision.message ?? whyNotExecuted.not_approved);
    const stored = storeOutcome(outcome, { contract: undefined, maxResultChars: Infinity });
    // A denial counts for expired and unknown approvals too. A changed one must not close the approval that is open.
    const isUsed =
      state === 'changed' || (await settings.store.use(approval, tenant, { kind: 'end', outcome: stored }));
    return isUsed || state !== 'open' ? withheld(accepted, outcome) : used();
  }
  if (state === 'open')
    return approvedCall({ accepted, values, entry }, approval, decision.arguments, context);
  const waiting = { accepted, values, entry: entry ?? (await context.begin(accepted, approval)) };
  return withheld(accepted, await openApproval(settings, waiting, state, approval));
}

/** The call with the name, repairs and notes of its first interpretation. */
function asInterpreted(accepted: AcceptedCall, { call: record }: PendingApproval): AcceptedCall {
  const { repairs, notes, requested, finishReason } = record;
  const status = repairs.length === 0 ? 'unchanged' : 'repaired';
  const call = Object.freeze({ ...accepted.call, ...defined({ name: requested, finishReason }) });
  const interpretation = Object.freeze({ ...accepted.interpretation, status, repairs, notes } as const);
  return Object.freeze({ ...accepted, call, interpretation });
}

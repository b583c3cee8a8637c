// Decisions about calls that wait.
import type { JsonObject } from '../json/value.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type CallSettings, runningCall, receivedCall, type RunningCall } from './running-call.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { InterpretedCall, AcceptedCall } from './interpreted-call.ts';
import { type AcceptedOutcome, type ToolOutcome, waitingFor } from '../outcomes/tool-outcome.ts';
import { type RejectedCall, rejectCall } from './reject-call.ts';
import { argumentsKind, interpretEdit } from './interceptor.ts';
import {
  checkOptions,
  kindWithHint,
  oneOfWords,
  required,
  string,
} from '../options/check-options.ts';
import { type PendingApproval, readApproval } from '../outcomes/approval.ts';
import type { PendingCall } from '../outcomes/pending-call.ts';
import type { ApprovalSettings } from './approval-settings.ts';
import {
  callDigest,
  openApproval,
  decidedBefore,
  deniedOutcome,
  callOfApproval,
} from './open-approval.ts';
import { recordOf } from './call-digests.ts';
import { type CallOptions, mergeContext } from './call-options.ts';
import { fromRecord } from '../interpret/records.ts';
import { whyNotExecuted, notExecuted } from '../messages/call-messages.ts';
import { storeOutcome } from '../outcomes/stored-outcome.ts';
import { defined } from '../collections/objects.ts';
import { announceEnd } from './steps/announce.ts';
import { rememberEnd } from './steps/count.ts';
import { definitionError } from '../errors/definition-error.ts';
import {
  closedBefore,
  otherKind,
  otherScope,
  otherTenant,
  unknownApproval,
  withoutArguments,
} from './approval-errors.ts';

/**
 * `arguments`: arguments to run instead, without meta arguments. `message`: the reason, for the
 * model. `by`: who decides, for the journal.
 */
export type ApprovalDecision = { readonly by?: string } & (
  | { readonly decision: 'approve'; readonly arguments?: JsonObject }
  | { readonly decision: 'deny'; readonly message?: string }
);

/** The tools of a registry or a selection, and how it interprets a call. */
export interface CallableTools {
  readonly tools: ReadonlyMap<string, ToolContract>;
  readonly settings: CallSettings;
  readonly interpret: (call: ToolCall) => InterpretedCall;
}

/**
 * `approved`: exactly this may run, because it was approved or has its answer. The others carry the
 * outcome; nothing is executed.
 */
export type ResolvedCall =
  | { readonly kind: 'approved'; readonly call: RunningCall }
  | {
      readonly kind: 'withheld';
      readonly call: RunningCall;
      readonly outcome: AcceptedOutcome;
    }
  | { readonly kind: 'rejected'; readonly call: RejectedCall };

export const withheld = (call: RunningCall, outcome: AcceptedOutcome): ResolvedCall => ({
  kind: 'withheld',
  call,
  outcome,
});

const decisionKind = required(
  kindWithHint(
    oneOfWords('approve', 'deny'),
    "write { decision: 'approve' } or { decision: 'deny' }",
  ),
);
const messageKind = kindWithHint(string, 'write why, for the model');
const byKind = kindWithHint(string, 'write the name or id of the person');

/** Throws a DefinitionError with every problem: a decision may come from a web page. */
function requireDecision(decision: ApprovalDecision): void {
  const word: unknown = Reflect.get(Object(decision), 'decision');
  const argumentsOption = word === 'deny' ? {} : { arguments: argumentsKind };
  const reason = word === 'approve' ? {} : { message: messageKind };
  const kinds = { decision: decisionKind, by: byKind, ...argumentsOption, ...reason };
  checkOptions('ToolRegistry.resolveApproval', decision, kinds);
}

/** Uses the approval, unless the approver's arguments are refused. */
async function approvedCall(
  call: RunningCall,
  approval: PendingApproval,
  { arguments: argumentsOption, by }: Extract<ApprovalDecision, { decision: 'approve' }>,
  settings: ApprovalSettings,
): Promise<ResolvedCall> {
  const { acceptedCall, tenant } = call;
  const { id } = approval;
  if (callDigest(settings, call) !== approval.digest) {
    const again = await openApproval(settings, call, 'changed', { id, call: 'waiting' });
    return withheld(call, again);
  }
  const { contract, interpretation } =
    argumentsOption === undefined ? acceptedCall : interpretEdit(acceptedCall, argumentsOption);
  if (interpretation.status === 'rejected')
    return withheld(call, waitingFor(acceptedCall, approval, 'refused', interpretation.issues));
  const editedCall: AcceptedCall = Object.freeze({ ...acceptedCall, contract, interpretation });
  const edit = { ...call, acceptedCall: editedCall };
  const digest = callDigest(settings, edit);
  const use = { kind: 'run', call: recordOf(editedCall), approved: digest, by } as const;
  const { store } = call.settings;
  if (!(await store.useApproval(id, tenant, use)))
    return withheld(call, decidedBefore(acceptedCall, await callOfApproval(store, call.entry)));
  // Arguments that needed a repair differ from those that were approved.
  const isRepaired = interpretation.repairs.length > acceptedCall.interpretation.repairs.length;
  if (!isRepaired) {
    return {
      kind: 'approved',
      call: runningCall(call, editedCall, {
        approvedDigest: digest,
        approvalId: id,
        entry: call.entry,
      }),
    };
  }
  const again = await openApproval(settings, edit, 'changed', { id, call: 'running' });
  return withheld(edit, again);
}

/**
 * Uses an approval. Whatever of the given data differs from the stored approval changes nothing:
 * the call is always the stored one. Rejects with a DefinitionError for an invalid decision, and a
 * RecordError for data that is not an approval of this store, tenant and scope.
 */
export async function resolveCall(
  data: unknown,
  decision: ApprovalDecision,
  { settings: sharedSettings, interpret }: CallableTools,
  options: CallOptions,
): Promise<ResolvedCall> {
  const settings = requireOpen(sharedSettings);
  requireDecision(decision);
  const values = mergeContext(sharedSettings.context, options.context);
  const { tenant = '' } = options;
  const givenApproval = readApproval(data);
  const { store } = sharedSettings;
  const storedApproval = await store.findApproval(givenApproval.id, tenant);
  if (!('seal' in storedApproval))
    throw storedApproval.state === 'unknown' ? unknownApproval(settings) : otherTenant('approval');
  if (storedApproval.question !== undefined) throw otherKind('question');
  const isIntact = givenApproval.seal === undefined || givenApproval.seal === storedApproval.seal;
  const approval = storedApproval.approval ?? (isIntact ? givenApproval.pendingCall : undefined);
  if (approval === undefined)
    throw withoutArguments('approval', givenApproval.seal === undefined ? 'id' : 'whole');
  if (approval.scope !== settings.scope?.(values)) throw otherScope('approval');
  const approvalCall = interpret(fromRecord(approval.call));
  if (approvalCall.status !== 'accepted') {
    if (decision.decision === 'deny' && isIntact)
      await store.useApproval(approval.id, tenant, denialOf(approval.call.tool, decision));
    const received = receivedCall(sharedSettings, approvalCall, undefined, options);
    return { kind: 'rejected', call: { ...received, interpretedCall: approvalCall } };
  }
  const acceptedCall = asInterpreted(approvalCall, approval);
  const received = receivedCall(sharedSettings, acceptedCall, acceptedCall.contract, options);
  const call = runningCall(received, acceptedCall, { entry: storedApproval.entry });
  if (storedApproval.state === 'used')
    return withheld(
      call,
      decidedBefore(acceptedCall, await callOfApproval(store, storedApproval.entry)),
    );
  if (!isIntact) return withheld(call, waitingFor(acceptedCall, approval, 'changed', []));
  if (decision.decision === 'deny') return deniedCall(call, approval, decision);
  if (storedApproval.state === 'open') return approvedCall(call, approval, decision, settings);
  const previous = { id: approval.id, call: 'waiting' } as const;
  return withheld(call, await openApproval(settings, call, 'expired', previous));
}

function requireOpen({ approval, openCalls }: CallSettings): ApprovalSettings {
  if (approval === undefined)
    throw definitionError('ToolRegistry', 'asks for no approval', 'construct it with approval: {}');
  if (openCalls.isClosing) throw closedBefore('approval');
  return approval;
}

const denialOf = (
  tool: string,
  { message = whyNotExecuted.not_approved, by }: Extract<ApprovalDecision, { decision: 'deny' }>,
) => {
  const outcome = {
    status: 'denied',
    by: 'approver',
    message: notExecuted(tool, message),
  } as const;
  return { kind: 'end', outcome, by } as const;
};

/** A denial counts although the approval has expired. */
async function deniedCall(
  call: RunningCall,
  { id }: PendingApproval,
  decision: Extract<ApprovalDecision, { decision: 'deny' }>,
): Promise<ResolvedCall> {
  const { acceptedCall, settings, tenant } = call;
  const { store } = settings;
  const denial = denialOf(acceptedCall.tool, decision);
  const outcome = deniedOutcome(acceptedCall, 'approver', denial.outcome.message);
  // The approver may have repeated a secret.
  const { contract } = acceptedCall;
  const storedOutcome = storeOutcome(outcome, { contract, maxResultChars: Infinity });
  if (await store.useApproval(id, tenant, { ...denial, outcome: storedOutcome }))
    return withheld(call, outcome);
  return withheld(call, decidedBefore(acceptedCall, await callOfApproval(store, call.entry)));
}

/**
 * The call with the name, repairs and notes of its first interpretation. Those of this one are
 * added: there are some only if the tool has changed since.
 */
export function asInterpreted(
  acceptedCall: AcceptedCall,
  { call: record }: PendingCall,
): AcceptedCall {
  const { interpretation } = acceptedCall;
  const { requested: requestedName, finishReason } = record;
  const repairs = [...record.repairs, ...interpretation.repairs];
  const notes = [...record.notes, ...interpretation.notes];
  const status = repairs.length === 0 ? 'unchanged' : 'repaired';
  const call = Object.freeze({
    ...acceptedCall.call,
    ...defined({ name: requestedName, finishReason }),
  });
  return Object.freeze({
    ...acceptedCall,
    call,
    interpretation: Object.freeze({ ...interpretation, status, repairs, notes } as const),
  });
}

/** Runs what was approved, or reports why nothing runs. */
export function runResolved(resolvedCall: ResolvedCall): Promise<ToolOutcome> {
  if (resolvedCall.kind === 'rejected') return rejectCall(resolvedCall.call);
  const { call } = resolvedCall;
  if (resolvedCall.kind === 'withheld')
    return Promise.resolve(announceEnd(call, resolvedCall.outcome));
  const { contract, options, settings } = call;
  return rememberEnd(contract, options, () => settings.stepsOf(contract).start(call));
}

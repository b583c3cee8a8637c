// What becomes of a waiting call once somebody has decided? It runs as it was approved, or nothing runs.
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import type { PendingApproval } from '../../execute/approval/pending-approval.ts';
import { readApproval } from '../../execute/approval/read-approval.ts';
import { fromRecord } from '../../interpret/records/from-record.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { AcceptedCall, InterpretedCall } from '../interpret-call.ts';
import {
  type ApprovalDecision,
  type DecidedCall,
  denied,
  requireDecision,
  withheld,
} from './approval-decision.ts';
import type { ApprovalSetting } from './approval-setting.ts';
import { approvedCall } from './approved-call.ts';
import { askedAbout } from './waiting-call.ts';

export interface DecisionPlace {
  readonly setting: ApprovalSetting;
  readonly values: ApplicationContext;
  readonly interpret: (call: ToolCall) => InterpretedCall;
}

/**
 * Uses an approval up. Throws a DefinitionError for what is no decision, a RecordError for data that is no approval, and
 * what the application's `scope` throws.
 */
export function decideCall(data: unknown, decision: ApprovalDecision, place: DecisionPlace): DecidedCall {
  requireDecision(decision);
  const approval = readApproval(data);
  const { setting, values } = place;
  const interpreted = place.interpret(fromRecord(approval.call));
  if (interpreted.outcome !== 'accepted') return { kind: 'refused', outcome: interpreted };
  const state = setting.ledger.stateOf(approval, Date.now());
  if (state === 'used') return denied(interpreted, 'used', 'somebody has decided on this call before.');
  // What was stored is trusted as far as it is what was made.
  const accepted = state === 'open' ? asInterpreted(interpreted, approval) : interpreted;
  if (decision.decision === 'deny') {
    // However old or strange the question is: a no is a no. One that was changed is not the one that is open.
    if (state !== 'changed') setting.ledger.use(approval);
    return denied(accepted, 'approver', decision.message ?? 'somebody who was asked said no.');
  }
  return state === 'open'
    ? approvedCall(accepted, approval, decision.arguments, place)
    : withheld(accepted, askedAbout(setting, accepted, values, state));
}

/** The call as it came and as it was first interpreted: what was done to it, and what the model is told of that. */
function asInterpreted(accepted: AcceptedCall, { call: record }: PendingApproval): AcceptedCall {
  const { repairs, notes, requested, finishReason } = record;
  const outcome = repairs.length === 0 ? 'unchanged' : 'repaired';
  const call: ToolCall = Object.freeze({
    ...accepted.call,
    ...(requested === undefined ? {} : { name: requested }),
    ...(finishReason === undefined ? {} : { finishReason }),
  });
  return Object.freeze({
    ...accepted,
    call,
    interpretation: Object.freeze({ ...accepted.interpretation, outcome, repairs, notes }),
  });
}

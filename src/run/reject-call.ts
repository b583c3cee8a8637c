import type { InvalidArguments, ToolOutcome, UnknownTool } from '../outcomes/tool-outcome.ts';
import { notifyInterpreted } from './call-events.ts';
import { recordRefusal } from './record-refusal.ts';
import type { ReceivedCall } from './running-call.ts';

export interface RejectedCall extends ReceivedCall {
  readonly interpretedCall: InvalidArguments | UnknownTool;
}

/** Announces and records a call that was not accepted: its interpretation is the outcome. */
export async function rejectCall(call: RejectedCall): Promise<ToolOutcome> {
  const { interpretedCall: rejectedCall, contract, listeners } = call;
  notifyInterpreted(rejectedCall, contract, listeners);
  await recordRefusal(call, rejectedCall);
  return rejectedCall;
}

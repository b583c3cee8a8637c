import type { InvalidArguments, ToolOutcome, UnknownTool } from '../outcomes/tool-outcome.ts';
import { notifyInterpreted } from './call-events.ts';
import { recordRefusal } from './record-refusal.ts';
import type { ReceivedCall } from './running-call.ts';

export interface RejectedCall extends ReceivedCall {
  readonly interpreted: InvalidArguments | UnknownTool;
}

/** Announces and records a call that was not accepted: its interpretation is the outcome. */
export async function rejectCall(call: RejectedCall): Promise<ToolOutcome> {
  const { interpreted, contract, listeners } = call;
  notifyInterpreted(interpreted, contract, listeners);
  await recordRefusal(call, interpreted);
  return interpreted;
}

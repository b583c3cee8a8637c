import type { AcceptedOutcome, ToolOutcome } from '../outcomes/tool-outcome.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  type CallSettings,
  type CallAttempt,
  type NextStep,
  type ReceivedCall,
  type Step,
  type ToolSteps,
  runningCall,
} from './running-call.ts';
import { announce, announceInput } from './steps/announce.ts';
import { approve } from './steps/approve.ts';
import { awaitValidation } from './steps/await-validation.ts';
import { count, countCall } from './steps/count.ts';
import { holdLease } from './steps/hold-lease.ts';
import { intercept } from './steps/intercept.ts';
import { record } from './steps/record.ts';
import { recordEdit } from './steps/record-edit.ts';
import { runTool } from './steps/run-tool.ts';
import { startInBackground } from './steps/start-in-background.ts';
import { takeSlot } from './steps/take-slot.ts';
import { rejectCall } from './reject-call.ts';

// The steps of an accepted call, in order. Each step is in the file of its name. The list of a tool
// leaves out the steps that the tool doesn't need.

/**
 * The steps when the call arrives. `startInBackground` comes after them: it answers the caller if
 * the call goes on in the background.
 */
const arrival: readonly Step<ToolOutcome>[] = [count, awaitValidation, announceInput];

/** The steps until the call ends, in this process or on a worker. `runTool` comes after them. */
const execution: readonly Step[] = [
  record,
  announce,
  intercept,
  approve,
  recordEdit,
  takeSlot,
  holdLease,
];

/** The list of a tool in a registry. */
export function toolSteps(contract: ToolContract, settings: CallSettings): ToolSteps {
  const stepsFor = (attempt: CallAttempt) => {
    const neededSteps = execution.filter(
      (step) => step.isNeeded?.(contract, settings, attempt) ?? true,
    );
    return inOrder(neededSteps, runTool);
  };
  const begin = startInBackground(contract, stepsFor('first'));
  const execute = stepsFor('again');
  const neededSteps = arrival.filter(
    (step) => step.isNeeded?.(contract, settings, 'first') ?? true,
  );
  return {
    arrive: inOrder(neededSteps, begin),
    start: startInBackground(contract, execute),
    execute,
  };
}

const inOrder = <Outcome extends ToolOutcome = AcceptedOutcome>(
  steps: readonly Step<Outcome>[],
  last: NextStep<Outcome>,
): NextStep<Outcome> =>
  steps.reduceRight<NextStep<Outcome>>((next, step) => (call) => step.run(call, next), last);

/**
 * Answers a call of the model. A call that was not accepted is counted, recorded and announced, and
 * passes no further step. Never rejects because of what a model or a tool did.
 */
export function answerCall(receivedCall: ReceivedCall): Promise<ToolOutcome> {
  const { interpretedCall, settings } = receivedCall;
  if (interpretedCall.status !== 'accepted') {
    return countCall({ ...receivedCall, interpretedCall }, rejectCall);
  }
  return settings
    .stepsOf(interpretedCall.contract)
    .arrive(runningCall(receivedCall, interpretedCall));
}

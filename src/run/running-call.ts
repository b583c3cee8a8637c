// One call on its way through the steps, and what all calls of a registry share.
import type { AcceptedOutcome, InBackground, ToolOutcome } from '../outcomes/tool-outcome.ts';
import type { CallEntry, CallStore, Recording } from '../store/call-store.ts';
import type { JobQueue } from '../store/job-queue.ts';
import type { ToolListener } from '../telemetry/tool-event.ts';
import type { TimeLimit, TimeLimits } from '../tool/time-limits.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import type { ApprovalSettings } from './approval-settings.ts';
import type { BackgroundCalls } from './background-calls.ts';
import { listenersOfCall } from './call-events.ts';
import type { CallInstances } from './call-instances.ts';
import { type CallOptions, mergeContext } from './call-options.ts';
import type { ConcurrencyLimiter, Slot } from './concurrency.ts';
import type { AcceptedCall, InterpretedCall } from './interpreted-call.ts';
import type { Interceptor } from './interceptor.ts';
import type { OpenCalls } from './open-calls.ts';
import type { Overrun } from './overrun.ts';
import { timeLimitOf } from './run-until-ended.ts';
import { RunContext } from './tool-context.ts';
import type { BackgroundReports } from './started-call.ts';

/** What all calls of a registry share. */
export interface CallSettings {
  readonly instances: CallInstances;
  readonly limiter: ConcurrencyLimiter;
  readonly interceptors: readonly Interceptor[];
  readonly approval: ApprovalSettings | undefined;
  readonly background: BackgroundCalls;
  readonly queue: JobQueue | undefined;
  readonly openCalls: OpenCalls;
  readonly listeners: readonly ToolListener[];
  readonly eventArguments: boolean;
  /** The version of the application. */
  readonly release: string | undefined;
  readonly context: ApplicationContext;
  readonly timeLimits: TimeLimits;
  readonly store: CallStore;
  /** Which calls are written: all, or only those with `limits` and those that wait for approval. */
  readonly recording: Recording;
  /** The steps that calls of a tool pass. */
  readonly stepsOf: (contract: ToolContract) => ToolSteps;
}

/** `first`: a new call. `again`: a call that the store knows. */
export type CallAttempt = RunningCall['attempt'];

/** The steps of a tool, from each of the three places at which a call enters them. */
export interface ToolSteps {
  /** A call of the model. */
  readonly arrive: (call: RunningCall) => Promise<ToolOutcome>;
  /** A call that was approved, or whose question was answered. */
  readonly start: (call: RunningCall) => Promise<AcceptedOutcome | InBackground>;
  /** A call that was queued, or is resumed. */
  readonly execute: NextStep;
}

/** The steps after a step. */
export type NextStep<Outcome extends ToolOutcome = AcceptedOutcome> = (
  call: RunningCall,
) => Promise<Outcome>;

export interface Step<Outcome extends ToolOutcome = AcceptedOutcome> {
  /** Whether calls of a tool pass the step. Default: all do. */
  readonly isNeeded?: (
    contract: ToolContract,
    settings: CallSettings,
    attempt: CallAttempt,
  ) => boolean;
  readonly run: (call: RunningCall, next: NextStep<Outcome>) => Promise<Outcome>;
}

/** A call as it came. */
export interface ReceivedCall {
  readonly settings: CallSettings;
  readonly interpretedCall: InterpretedCall;
  /** Undefined if the tool is not registered (any more). */
  readonly contract: ToolContract | undefined;
  readonly options: CallOptions;
  readonly listeners: readonly ToolListener[];
}

/** A call whose arguments were accepted. A step that changes it passes a changed copy on. */
export interface RunningCall extends ReceivedCall {
  /** The call before interceptors edited it; `acceptedCall` is the one after that. */
  readonly interpretedCall: AcceptedCall;
  /** As it would run now. */
  readonly acceptedCall: AcceptedCall;
  readonly contract: ToolContract;
  readonly values: ApplicationContext;
  readonly tenant: string;
  readonly signal: AbortSignal | undefined;
  readonly timeLimit: TimeLimit | undefined;
  /**
   * `again`: the call arrived before, and was then approved, answered, queued, or left by a process
   * that died.
   */
  readonly attempt: 'first' | 'again';
  /** The digest of what was approved. */
  readonly approvedDigest?: string | undefined;
  /** The id of the approval that was used. */
  readonly approvalId?: string | undefined;
  /** The call in the store. */
  readonly entry?: CallEntry | undefined;
  /** Whether the call is put back for another attempt. Default: it isn't. */
  readonly isRetried?: ((outcome: AcceptedOutcome) => boolean) | undefined;
  /** Whether another process may take the call over. Default: it may not. */
  readonly isLeftToOthers?: ((outcome: AcceptedOutcome) => boolean) | undefined;
  /** Looks after the tool's code if it runs on when the call has ended. */
  readonly overrun?: Overrun | undefined;
  /** Present if the call runs in the background. */
  readonly background?: BackgroundReports | undefined;
  /** Called when the tool's code starts. */
  readonly onStart?: (() => void) | undefined;
  readonly slot?: Slot | undefined;
}

/** What was decided about a call before this attempt. */
type EarlierDecision = Pick<
  RunningCall,
  'approvedDigest' | 'approvalId' | 'entry' | 'isRetried' | 'isLeftToOthers'
>;

export function receivedCall(
  settings: CallSettings,
  interpretedCall: InterpretedCall,
  contract: ToolContract | undefined,
  options: CallOptions,
): ReceivedCall {
  const listeners = listenersOfCall(settings, options, interpretedCall.call.arguments);
  return { settings, interpretedCall, contract, options, listeners };
}

export function runningCall(
  { settings, options, listeners }: Omit<ReceivedCall, 'interpretedCall' | 'contract'>,
  acceptedCall: AcceptedCall,
  decision?: EarlierDecision,
): RunningCall {
  const { contract, interpretation } = acceptedCall;
  const { context, timeLimits } = settings;
  return {
    settings,
    interpretedCall: acceptedCall,
    acceptedCall,
    contract,
    options,
    listeners,
    values: mergeContext(context, options.context),
    tenant: options.tenant ?? '',
    signal: signalOf(options),
    timeLimit: timeLimitOf(contract, timeLimits, options.timeoutMs, interpretation.meta),
    attempt: decision === undefined ? 'first' : 'again',
    ...decision,
  };
}

/** A call ends when its own signal fires, and when its parent call ends. */
function signalOf({ signal, parent }: CallOptions): AbortSignal | undefined {
  if (signal === undefined) return parent?.signal;
  return parent === undefined ? signal : AbortSignal.any([signal, parent.signal]);
}

/** The slot of the call whose code makes this call. */
export const outerSlot = ({ options: { parent } }: ReceivedCall): Slot | undefined =>
  parent && RunContext.slotOf(parent);

// What is there to know of a call that is ready to run?
import type { ApplicationContext, ToolContract } from '../contract/tool-contract.ts';
import type { Accepted } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { Admission } from './admission/admission.ts';
import type { CallInstances } from './call-instances.ts';
import type { TimeLimit } from './limits/time-limit.ts';
import type { Settled } from './run-until-ended.ts';
import type { ToolContext } from './tool-context.ts';

/** One call that is ready to run. */
export interface Execution {
  readonly contract: ToolContract;
  readonly call: ToolCall;
  readonly interpretation: Accepted;
  readonly values: ApplicationContext;
  readonly instances: CallInstances;
  readonly admission: Admission;
  /** Whose call it is. */
  readonly caller: string;
  /** The context of the running call whose code makes this one. */
  readonly within?: ToolContext | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limit?: TimeLimit | undefined;
  readonly progress?: ((update: unknown) => void) | undefined;
  /** Told when the call has had its turn, right before its code runs. */
  readonly onStart?: (() => void) | undefined;
  /** Told what the tool's code came to after the call had ended. */
  readonly onLate?: ((late: Settled) => void) | undefined;
}

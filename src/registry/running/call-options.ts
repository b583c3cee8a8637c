// What may be said of one call, and what does a registry bring to every call?
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import type { Admission } from '../../execute/admission/admission.ts';
import type { CallInstances } from '../../execute/call-instances.ts';
import type { ToolRun } from '../../execute/limits/tool-run.ts';
import type { KeptResults } from '../../execute/results/kept-results.ts';
import type { ToolContext } from '../../execute/tool-context.ts';
import type { ToolListener } from '../../telemetry/tool-listener.ts';
import type { CallFacts } from '../interpret-call.ts';
import type { Guards } from '../intercept/run-guarded.ts';
import type { TrustedDefinitions } from '../trusted-definitions.ts';

/** What whoever makes a call may say of it. */
export interface CallOptions extends CallFacts {
  /** Cancels the call: it ends at once, whether its tool obeys or not. */
  readonly signal?: AbortSignal;
  /** Milliseconds the call may take; the shortest limit holds. Default: the tool's or the registry's. */
  readonly timeLimit?: number;
  /** Whose call it is: a tenant, a conversation. Callers take turns when calls have to wait. Default: one for all. */
  readonly caller?: string;
  /** For a call that a tool's code makes while it runs: its own context. The call then has that one's place and signal. */
  readonly within?: ToolContext;
  /** Values for this call; they stand before the registry's. */
  readonly context?: ApplicationContext;
  /** Told what the tool reports while it runs. What it throws is dropped. */
  readonly progress?: (update: unknown) => void;
  /** The run of an agent that the call belongs to; with it calls and failures in a row are limited. */
  readonly run?: ToolRun;
}

/** What a registry brings to every call. */
export interface CallSetting extends Guards {
  readonly instances: CallInstances;
  readonly admission: Admission;
  readonly listeners: readonly ToolListener[];
  readonly context: ApplicationContext;
  readonly timeLimit: number | undefined;
  /** Characters that the model reads at once; undefined: all. */
  readonly resultLimit: number | undefined;
  readonly results: KeptResults;
  readonly trusted: TrustedDefinitions;
}

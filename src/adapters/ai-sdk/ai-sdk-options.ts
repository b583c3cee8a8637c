// What may a program say of the calls that the SDK makes?
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { tell } from '../../telemetry/tell.ts';
import type { CallOptions } from '../../registry/running/call-options.ts';

/** As for `tools.call`; the signal is the SDK's own. */
export interface AiSdkOptions extends Pick<
  CallOptions,
  'context' | 'memory' | 'run' | 'caller' | 'timeLimit'
> {
  /**
   * What becomes of a tool's progress. `preliminary`: preliminary results, after which the SDK tells of each result twice, as
   * a preliminary and as the final one. Default: none is told.
   */
  readonly progress?: 'preliminary' | ((update: unknown, call: ToolCall) => unknown);
  /** Told of what became of each call, with repairs, artifact and cause. What it throws or rejects with is dropped. */
  readonly onOutcome?: (outcome: ToolOutcome) => unknown;
}

/** Of the options what `tools.call` takes. */
export function callOptionsOf(options: AiSdkOptions): CallOptions {
  const { progress: _, onOutcome: __, ...others } = options;
  return others;
}

/** Told to whoever wants to know; never changes what becomes of the call. */
export function tellOutcome({ onOutcome }: AiSdkOptions, outcome: ToolOutcome): void {
  tell(() => onOutcome?.(outcome));
}

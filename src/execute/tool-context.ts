// What does a tool's code know of the call it serves, beside its arguments?
import type { ApplicationContext } from '../contract/tool-contract.ts';
import type { MetaValues } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';

/**
 * Handed to `execute` and to tool methods; frozen, and made anew for each call. `Meta` is what the application says its
 * meta arguments are: `ToolContext<StandardMeta & CallMeta>`; nothing checks that the registry has them.
 */
export interface ToolContext<Meta extends object = MetaValues> {
  /**
   * Fires when the time limit is over (`signal.reason` is a DOMException named `TimeoutError`) or when the
   * application cancels (`signal.reason` is then the application's own).
   */
  readonly signal: AbortSignal;
  /** Reports progress to whoever made the call; of no effect once the call has ended. */
  readonly progress: (update: unknown) => void;
  /** Meta arguments that the model sent, by name: `rationale`, `timeout_seconds`, … */
  readonly meta: Readonly<Meta>;
  /** The call as it came. */
  readonly call: ToolCall;
  /** The application's values for this call. */
  readonly values: ApplicationContext;
}

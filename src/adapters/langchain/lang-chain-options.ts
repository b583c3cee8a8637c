// What may a program say of the calls that LangChain makes?
import type { RunnableConfig } from '@langchain/core/runnables';
import { newErrorId } from '../../errors/error-id.ts';
import { signalTextOf } from '../../errors/tool-signals.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { CallOptions } from '../../registry/running/call-options.ts';

/** As for `tools.call`; the signal is the configuration's own. */
export type LangChainCallOptions = Pick<CallOptions, 'context' | 'memory' | 'run' | 'caller' | 'timeLimit'>;

export interface LangChainOptions extends LangChainCallOptions {
  /**
   * The same for one call, from its configuration: its tenant, or the memory of its thread. Stands before the others. The
   * model reads the text of a `ToolFailure` that it throws, and of anything else an error id; the exception is the `cause`.
   */
  readonly forCall?: (config: RunnableConfig) => LangChainCallOptions;
  /** Told of what became of each call, with repairs, artifact and cause. What it throws or rejects with is dropped. */
  readonly onOutcome?: (outcome: ToolOutcome) => unknown;
}

/** Of the options what `tools.call` takes, for one call. */
export function callOptionsFor(options: LangChainOptions, config: RunnableConfig): CallOptions {
  const { forCall, onOutcome: _, ...all } = options;
  const { signal } = config;
  return { ...all, ...asked(forCall, config), ...(signal === undefined ? {} : { signal }) };
}

/** LangChain's tool nodes show a model what an exception says. */
function asked(forCall: LangChainOptions['forCall'], config: RunnableConfig): LangChainCallOptions {
  try {
    return forCall?.(config) ?? {};
  } catch (error) {
    if (signalTextOf(error) !== undefined) throw error;
    const what = `The call was not executed because of an internal error (error ${newErrorId()}).`;
    throw new ToolmendError('call-options', what, { cause: error });
  }
}

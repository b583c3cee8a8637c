// What must an adapter do in the contract test? Answer each call of the list, and say what the model reads of it.
import type { SampleCall } from './sample-calls.ts';

/** What a model reads of one call. */
export interface ModelReading {
  /** The result or the refusal, without notes. */
  readonly text: string;
  readonly notes: readonly string[];
  /** Undefined where the provider has no word for it. */
  readonly isError: boolean | undefined;
  /** Who decided what becomes of the call: `toolmend`, or the SDK that never let it through. */
  readonly by: 'toolmend' | 'sdk';
}

/** One for each adapter: a file in `drivers/` and a row in `all-drivers.ts`. */
export interface AdapterDriver {
  /** The column in docs/reference/adapters.md. */
  readonly name: string;
  /**
   * The calls of which the SDK decides before toolmend sees them, by what they are examples of, and what the model reads:
   * the start of it. Absent: none; everything else is the same for every adapter.
   */
  readonly decidedBySdk?: Readonly<Record<string, string>>;
  /**
   * Answers one call with a set of tools of its own (`sampleTools()`), from a provider's answer that makes it to the
   * message that goes back.
   */
  run(call: SampleCall): Promise<ModelReading>;
}

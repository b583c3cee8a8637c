import { type OptionKinds, checkOptions, count, string } from '../options/check-options.ts';
import type { RunRefusal } from '../outcomes/tool-outcome.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/** The options of `new ToolRun`. */
export interface ToolRunOptions {
  /** Names the run in events. Default: none. */
  readonly id?: string;
  /** Calls of all tools. Default: 150. */
  readonly callLimit?: number;
  /** Calls of each tool without a `callLimit` of its own. Default: 40. */
  readonly callLimitPerTool?: number;
  /**
   * Failures in a row, after the first, of each tool without a `retryLimit` of its own. Default: 2.
   */
  readonly retryLimit?: number;
}

const runOptionKinds: OptionKinds<ToolRunOptions> = {
  id: string,
  callLimit: count(1),
  callLimitPerTool: count(1),
  retryLimit: count(0),
};

interface Tally {
  calls: number;
  failures: number;
}

/**
 * The limits of one agent run, from a user's message to the answer. Make one for each run, and pass
 * it to all of its calls. A failure is a rejected call or a `ToolRetry`; a result resets the count
 * of failures. Parallel calls that fail count as one failure, because the model could not learn
 * between them.
 */
export class ToolRun {
  readonly id: string | undefined;
  readonly #limits: Required<Omit<ToolRunOptions, 'id'>>;
  readonly #tallies = new Map<string, Tally>();
  #calls = 0;

  /** Throws a DefinitionError for an invalid limit. */
  constructor(options: ToolRunOptions = {}) {
    checkOptions('ToolRun', options, runOptionKinds);
    const { id, callLimit = 150, callLimitPerTool = 40, retryLimit = 2 } = options;
    this.id = id;
    this.#limits = { callLimit, callLimitPerTool, retryLimit };
  }

  /**
   * The limit that a call exceeds; undefined if none. Calls with invalid arguments don't count
   * against the call limits.
   */
  refusalOf(
    contract: ToolContract,
    input: 'accepted' | 'invalid_arguments',
  ): RunRefusal | undefined {
    const { calls, failures } = this.#tallyOf(contract);
    if (failures > (contract.execution?.retryLimit ?? this.#limits.retryLimit))
      return 'retry_limit';
    if (input === 'invalid_arguments') return undefined;
    if (calls >= this.#limitOf(contract)) return 'call_limit';
    return this.#calls >= this.#limits.callLimit ? 'run_limit' : undefined;
  }

  /** Counts a call that runs. Returns a note for the model if it was the last one. */
  count(contract: ToolContract): readonly string[] {
    const tally = this.#tallyOf(contract);
    tally.calls += 1;
    this.#calls += 1;
    const { name } = contract;
    const lastCallOfTool = `This was the last call of ${name} that this run may make (${tally.calls} in all).`;
    const all = `This was the last call that this run may make (${this.#calls} in all): finish with what you have.`;
    return [
      ...(tally.calls === this.#limitOf(contract) ? [lastCallOfTool] : []),
      ...(this.#calls === this.#limits.callLimit ? [all] : []),
    ];
  }

  /** Uncounts a call that never started. */
  giveBack(contract: ToolContract): void {
    this.#tallyOf(contract).calls -= 1;
    this.#calls -= 1;
  }

  /** The tool's failures in a row until now. */
  failuresOf(contract: ToolContract): number {
    return this.#tallyOf(contract).failures;
  }

  /**
   * Counts a failure, or resets the count after a result. `before`: `failuresOf` when the call was
   * sent.
   */
  remember(contract: ToolContract, end: 'failure' | 'result', failuresBefore: number): void {
    const tally = this.#tallyOf(contract);
    tally.failures = end === 'failure' ? Math.max(tally.failures, failuresBefore + 1) : 0;
  }

  #limitOf({ execution }: ToolContract): number {
    return execution?.callLimit ?? this.#limits.callLimitPerTool;
  }

  #tallyOf({ name }: ToolContract): Tally {
    const tally = this.#tallies.get(name) ?? { calls: 0, failures: 0 };
    this.#tallies.set(name, tally);
    return tally;
  }
}

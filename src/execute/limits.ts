import { type OptionKinds, checkOptions, count } from '../errors/check-options.ts';
import type { MetaValues } from '../interpret/interpretation.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

// The shortest of what its tool, whoever makes it, and the model itself said.
/** Milliseconds, and who said so. */
export interface TimeLimit {
  readonly milliseconds: number;
  /** `tool`: its author. `registry`: the registry's default. `call`: whoever made the call. `model`: `_timeout_seconds`. */
  readonly setBy: 'tool' | 'registry' | 'call' | 'model';
}

export interface TimeLimits {
  readonly tool: number | undefined;
  /** Stands where the tool says nothing. */
  readonly registry: number | undefined;
  readonly call: number | undefined;
  readonly meta: MetaValues;
}

/** undefined: none. A model can make its limit shorter, and never longer. */
export function timeLimitOf({ tool, registry, call, meta }: TimeLimits): TimeLimit | undefined {
  const own = tool ?? registry;
  if (own === undefined && call === undefined && !Object.hasOwn(meta, 'timeout_seconds')) return undefined;
  const { timeout_seconds: seconds } = meta;
  const said = [
    { milliseconds: own, setBy: tool === undefined ? 'registry' : 'tool' },
    { milliseconds: call, setBy: 'call' },
    { milliseconds: typeof seconds === 'number' ? seconds * 1000 : undefined, setBy: 'model' },
  ] as const;
  return said.reduce<TimeLimit | undefined>(
    (shortest, { milliseconds = Infinity, setBy }) =>
      milliseconds < (shortest?.milliseconds ?? Infinity) ? { milliseconds, setBy } : shortest,
    undefined,
  );
}

/** What a signal's reason is when the time is up; `limit` says whose limit it was. */
export class TimeLimitError extends DOMException {
  readonly limit: TimeLimit;

  constructor(limit: TimeLimit) {
    super(`${limit.milliseconds} ms are over`, 'TimeoutError');
    this.limit = limit;
  }
}

// Counted by whoever drives the run, for nobody else.
export interface ToolRunOptions {
  /** Calls of all tools together. Default: 150. */
  readonly callLimit?: number;
  /** Calls of each tool that says nothing itself. Default: 40. */
  readonly callLimitPerTool?: number;
  /** Failures in a row after the first that each tool may have, if it says nothing itself. Default: 2. */
  readonly retryLimit?: number;
}

const runOptionKinds: OptionKinds<ToolRunOptions> = {
  callLimit: count(1),
  callLimitPerTool: count(1),
  retryLimit: count(0),
};

/** Why a run lets a call in no more. */
export type RunRefusal = 'retry_limit' | 'call_limit' | 'run_limit';

interface Tally {
  calls: number;
  failures: number;
}

/**
 * One run of an agent, from a user's message to the answer: make one for each, and hand it to every call of it. A call
 * counts when it is let in; a failure is a rejected call, or a `ToolRetry`, and a result ends the row. Calls that were sent
 * side by side fail as one: between them the model could learn nothing.
 */
export class ToolRun {
  readonly #callLimit: number;
  readonly #callLimitPerTool: number;
  readonly #retryLimit: number;
  readonly #tallies = new Map<string, Tally>();
  #calls = 0;

  /** Throws a DefinitionError for a limit that isn't one. */
  constructor(options: ToolRunOptions = {}) {
    checkOptions('ToolRun', options, runOptionKinds);
    const { callLimit = 150, callLimitPerTool = 40, retryLimit = 2 } = options;
    this.#callLimit = callLimit;
    this.#callLimitPerTool = callLimitPerTool;
    this.#retryLimit = retryLimit;
  }

  /** Why a call can't be let in. `rejected`: its arguments don't fit, so that it is none that would run. */
  refusalOf(contract: ToolContract, input: 'accepted' | 'invalid_arguments'): RunRefusal | undefined {
    const { calls, failures } = this.#tallyOf(contract);
    if (failures > (contract.execution?.retryLimit ?? this.#retryLimit)) return 'retry_limit';
    if (input === 'invalid_arguments') return undefined;
    if (calls >= this.#limitOf(contract)) return 'call_limit';
    return this.#calls >= this.#callLimit ? 'run_limit' : undefined;
  }

  /** Counts a call that is let in, and returns what the model is told of it, once: that it was the last one. */
  count(contract: ToolContract): readonly string[] {
    const tally = this.#tallyOf(contract);
    tally.calls += 1;
    this.#calls += 1;
    const { name } = contract;
    const own = `This was the last call of ${name} that this run may make (${tally.calls} in all).`;
    const all = `This was the last call that this run may make (${this.#calls} in all): finish with what you have.`;
    return [
      ...(tally.calls === this.#limitOf(contract) ? [own] : []),
      ...(this.#calls === this.#callLimit ? [all] : []),
    ];
  }

  /** Takes back the count of a call that never started. */
  giveBack(contract: ToolContract): void {
    this.#tallyOf(contract).calls -= 1;
    this.#calls -= 1;
  }

  /** How many failures in a row the tool has had until now. */
  failuresOf(contract: ToolContract): number {
    return this.#tallyOf(contract).failures;
  }

  /** What became of a call that counts for the row of failures. `before`: how many there were when it was sent. */
  remember(contract: ToolContract, end: 'failure' | 'result', before: number): void {
    const tally = this.#tallyOf(contract);
    tally.failures = end === 'failure' ? Math.max(tally.failures, before + 1) : 0;
  }

  #limitOf({ execution }: ToolContract): number {
    return execution?.callLimit ?? this.#callLimitPerTool;
  }

  #tallyOf({ name }: ToolContract): Tally {
    const tally = this.#tallies.get(name) ?? { calls: 0, failures: 0 };
    this.#tallies.set(name, tally);
    return tally;
  }
}

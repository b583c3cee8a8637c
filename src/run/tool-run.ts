import { type OptionKinds, checkOptions, count, string } from '../options/check-options.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { Completed, RunRefusal, ToolOutcome } from '../outcomes/tool-outcome.ts';
import {
  defined,
  freezeDeep,
  isContainer,
  isThenable,
  memberOf,
  objectOf,
} from '../collections/objects.ts';
import { definitionError } from '../errors/definition-error.ts';
import {
  type CallOwner,
  type RunCounts,
  type ToolListener,
  emitEvent,
} from '../telemetry/tool-event.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/** The options of `new ToolRun`. */
export interface ToolRunOptions {
  /** Names the run in events. Default: none. */
  readonly id?: string;
  /** Who runs it, such as the name of an agent; in the events of its calls. Default: none. */
  readonly label?: string;
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
  label: string,
  callLimit: count(1),
  callLimitPerTool: count(1),
  retryLimit: count(0),
};

/** How a call of a run went. */
export interface RunCall {
  readonly input: 'unchanged' | 'repaired' | 'rejected';
  readonly outcome: ToolOutcome['status'];
  readonly rules: readonly string[];
  /** The tool's last call before it was a failure. */
  readonly isRetry: boolean;
}

const noCalls = {
  calls: 0,
  unchanged: 0,
  repaired: 0,
  rejected: 0,
  refused: 0,
  failed: 0,
  retried: 0,
};

/** Within what the id of a call is compared with others. */
export interface CallIds {
  readonly conversation?: string | undefined;
  readonly turn?: string | undefined;
}

/** A call that undoes another one, with a scope in which its id stands for that call only. */
export interface UndoOffer {
  readonly call: ToolCall;
  readonly ids: { readonly conversation?: string; readonly turn?: string };
}

/**
 * The call that undoes a completed one. `run`: the scope of a call without a conversation.
 * Undefined if there is nothing to undo. Throws what `undo` of the tool throws,
 * and a DefinitionError for anything else than a call.
 */
export function undoOffer(
  { name: tool, execution }: ToolContract,
  { call, interpretation, result }: Completed,
  { run, conversation = run, turn }: CallIds & { readonly run: string | undefined },
): UndoOffer | undefined {
  const undoCall: unknown = execution?.undo?.(interpretation.value, result);
  if (undoCall === undefined) return undefined;
  const [name, undoArguments] = [memberOf(undoCall, 'tool'), memberOf(undoCall, 'arguments')];
  if (typeof name !== 'string' || !isContainer(undoArguments))
    throw definitionError(
      tool,
      `has an undo that returned ${isThenable(undoCall) ? 'a promise' : 'something else than a call'}`,
      'return { tool, arguments }, or undefined if there is nothing to undo',
    );
  return {
    call: { id: `undo_${call.id}`, name, arguments: undoArguments },
    ids: defined({ conversation, turn }),
  };
}

interface Tally {
  calls: number;
  failures: number;
}

/**
 * The limits of one agent run, from a user's message to the answer. Make one for each run, and pass
 * it to all of its calls. A failure is a rejected call or a `ToolRetry`; a result resets the count
 * of failures. Parallel calls that fail count as one failure, because the model could not learn
 * between them. Counts its calls, and `end()` tells the listeners of their registries.
 */
export class ToolRun {
  readonly id: string | undefined;
  readonly label: string | undefined;
  readonly #limits: Required<Omit<ToolRunOptions, 'id' | 'label'>>;
  readonly #tallies = new Map<string, Tally>();
  /** Make the calls that undo those that have completed, in their order. */
  readonly #undo: (() => UndoOffer | undefined)[] = [];
  readonly #start = performance.now();
  readonly #counts = { ...noCalls };
  readonly #rules = new Map<string, number>();
  readonly #listeners = new Set<ToolListener>();
  /** Whose calls they are; undefined if they are several tenants'. */
  #owner: Pick<CallOwner, 'tenant' | 'conversation'> | undefined;
  #ended: RunCounts | undefined;
  #calls = 0;

  /** Throws a DefinitionError for an invalid limit. */
  constructor(options: ToolRunOptions = {}) {
    checkOptions('ToolRun', options, runOptionKinds);
    const { id, label, callLimit = 150, callLimitPerTool = 40, retryLimit = 2 } = options;
    this.id = id;
    this.label = label;
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

  /** Remembers a completed call of a tool with `undo`. Called by registries. */
  rememberUndo(contract: ToolContract, outcome: Completed, ids: CallIds): void {
    if (contract.execution?.undo === undefined) return;
    this.#undo.push(() => undoOffer(contract, outcome, { run: this.id, ...ids }));
  }

  /**
   * The calls that undo the completed calls of the run, the last one first. They are forgotten then.
   * Throws what `undo` of a tool throws, and forgets nothing.
   */
  takeUndoCalls(): readonly UndoOffer[] {
    const offers = this.#undo.toReversed().map((make) => make());
    this.#undo.length = 0;
    return offers.filter((offer) => offer !== undefined);
  }

  /** The counts of all calls that have ended until now. */
  get counts(): RunCounts {
    return (
      this.#ended ?? {
        ...this.#counts,
        rules: objectOf([...this.#rules]),
        duration: performance.now() - this.#start,
      }
    );
  }

  /**
   * Ends the run, and tells the listeners of the registries whose calls it had: `tool_run_ended`.
   * Returns the counts. A second call does nothing else than that.
   */
  end(): RunCounts {
    if (this.#ended !== undefined) return this.#ended;
    this.#ended = freezeDeep(this.counts);
    const owner = { ...this.#owner, ...defined({ run: this.id, label: this.label }) };
    emitEvent([...this.#listeners], { type: 'tool_run_ended', ...owner, ...this.#ended });
    return this.#ended;
  }

  /** Counts how a call went. Called by registries. */
  add(
    { input, outcome, rules, isRetry }: RunCall,
    owner: Pick<CallOwner, 'tenant' | 'conversation'>,
    listeners: readonly ToolListener[],
  ): void {
    for (const listener of listeners) this.#listeners.add(listener);
    this.#owner ??= owner;
    if (this.#owner.tenant !== owner.tenant || this.#owner.conversation !== owner.conversation)
      this.#owner = {};
    const isRefused = outcome === 'limit_exceeded';
    this.#counts.calls += 1;
    this.#counts[isRefused ? 'refused' : input] += 1;
    if (isRetry) this.#counts.retried += 1;
    if (['retry', 'failed', 'timed_out'].includes(outcome)) this.#counts.failed += 1;
    for (const rule of isRefused ? [] : new Set(rules))
      this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
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

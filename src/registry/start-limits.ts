// Limits of how many calls of a tool start in a time, and run at the same time.
import { outcomeOf } from '../execute/execute-tool.ts';
import type { StartLimit } from '../execute/journal.ts';
import { type AcceptedOutcome, refuse } from '../execute/tool-outcome.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { AcceptedCall } from './interpret-call.ts';

/** The limit of a call; undefined if its tool has none. Throws what the author's key function throws. */
export function startLimitOf(
  { contract, interpretation }: AcceptedCall,
  values: ApplicationContext,
  tenant = '',
): StartLimit | undefined {
  const { limits } = contract.execution ?? {};
  if (limits === undefined) return undefined;
  const { rate, running, per = 'tenant' } = limits;
  const key = typeof per === 'object' ? per.key(interpretation.value, values) : [];
  const owner = per === 'all' ? [] : [tenant];
  return {
    key: canonicalJson(writeJson([contract.name, ...owner, key ?? null]).value),
    ...(rate === undefined ? {} : { rate }),
    ...(running === undefined ? {} : { running }),
  };
}

function limitOrError(
  accepted: AcceptedCall,
  values: ApplicationContext,
  tenant: string | undefined,
): StartLimit | { readonly error: unknown } | undefined {
  try {
    return startLimitOf(accepted, values, tenant);
  } catch (error) {
    return { error };
  }
}

interface LimitedCall {
  readonly values: ApplicationContext;
  readonly tenant: string | undefined;
}

interface Started {
  /** Milliseconds of `performance.now()`, oldest first. */
  readonly times: readonly number[];
  readonly running: number;
}

/** The limits of this process, for registries without a journal in a database. */
export class LocalLimits {
  readonly #started = new Map<string, Started>();

  /** Runs the call, or refuses it. */
  async run(
    accepted: AcceptedCall,
    { values, tenant }: LimitedCall,
    run: () => Promise<AcceptedOutcome>,
  ): Promise<AcceptedOutcome> {
    const limit = limitOrError(accepted, values, tenant);
    if (limit === undefined) return run();
    if ('error' in limit) {
      const { call, tool, contract, interpretation } = accepted;
      const facts = { call, tool, interpretation, duration: 0, when: 'before' } as const;
      return outcomeOf({ kind: 'threw', error: limit.error }, facts, contract);
    }
    const { key, rate } = limit;
    const now = performance.now();
    const { times: all, running } = this.#started.get(key) ?? { times: [], running: 0 };
    const times = rate === undefined ? [] : all.filter((time) => time > now - rate.perMs);
    if (running >= (limit.running ?? Infinity)) return refuse(accepted, 'busy');
    if (times.length >= (rate?.calls ?? Infinity)) return refuse(accepted, 'rate_limit');
    this.#started.set(key, { times: rate === undefined ? [] : [...times, now], running: running + 1 });
    try {
      return await run();
    } finally {
      this.#end(key, rate?.perMs ?? 0);
    }
  }

  #end(key: string, perMs: number): void {
    const { times, running } = this.#started.get(key) ?? { times: [], running: 1 };
    const left = { times, running: running - 1 };
    const isOver = left.running === 0 && (times.at(-1) ?? 0) <= performance.now() - perMs;
    if (isOver) this.#started.delete(key);
    else this.#started.set(key, left);
    if (this.#started.size > mostKeys) this.#removeOld();
  }

  /** Keys come from arguments, so there may be many. Those that count nothing now are removed, oldest first. */
  #removeOld(): void {
    for (const [key, { running }] of this.#started) {
      if (this.#started.size <= mostKeys) return;
      if (running === 0) this.#started.delete(key);
    }
  }
}

const mostKeys = 10_000;

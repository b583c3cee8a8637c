import { refuse } from '../../outcomes/tool-outcome.ts';
import { canonicalJson, writeJson } from '../../json/serialize.ts';
import type { JsonObject } from '../../json/value.ts';
import type { ApplicationContext, ToolContract } from '../../tool/tool-contract.ts';
import { viewsOf } from '../../validate/validator.ts';
import { applyDefaults } from '../apply-defaults.ts';
import type { SlotRequest } from '../concurrency.ts';
import { cancelledBefore, failedBefore } from '../outcome-of-ending.ts';
import { type RunningCall, type Step, outerSlot } from '../running-call.ts';

/** Waits for a slot, and for the locks of the tool's `concurrency`. */
export const takeSlot: Step = {
  run: async (call, next) => {
    const { acceptedCall, background, entry, settings, signal } = call;
    const { limiter } = settings;
    background?.onApproved(entry?.id);
    const request = requestOf(call);
    if ('error' in request) return failedBefore(acceptedCall, request.error);
    const acquiring = limiter.acquire(request, signal);
    const acquisition = 'kind' in acquiring ? acquiring : await acquiring;
    if (acquisition.kind === 'rejected') return refuse(acceptedCall, acquisition.reason);
    if (acquisition.kind === 'cancelled') return cancelledBefore(acceptedCall, acquisition.reason);
    const { slot } = acquisition;
    try {
      return await next({ ...call, slot });
    } finally {
      limiter.release(slot);
    }
  },
};

function requestOf(call: RunningCall): SlotRequest | { readonly error: unknown } {
  const { acceptedCall, values, tenant, background, entry } = call;
  try {
    const pool = background === undefined ? 'foreground' : 'background';
    const request = { tenant, pool, parent: outerSlot(call), entry: entry?.id } as const;
    const { contract, interpretation } = acceptedCall;
    return { ...request, ...concurrencyOf(contract, interpretation.value, values) };
  } catch (error) {
    return { error };
  }
}

/** Throws what the author's key function throws, and a TypeError for a key without a JSON form. */
function concurrencyOf(
  contract: ToolContract,
  values: JsonObject,
  context: ApplicationContext,
): Pick<SlotRequest, 'mode' | 'locks'> {
  const { concurrency = 'parallel' } = contract.execution ?? {};
  if (typeof concurrency === 'string') return { mode: concurrency, locks: [] };
  const key = concurrency.key(valuesForKey(contract, values), context);
  if (key === undefined || key === null) return { mode: 'parallel', locks: [] };
  const parts: readonly unknown[] = Array.isArray(key) ? key : [key];
  return { mode: 'parallel', locks: [...new Set(parts.map(lockOf))] };
}

/**
 * The values of a schema that validates itself are known by now, unless the call was accepted in
 * another process.
 */
function valuesForKey(contract: ToolContract, values: JsonObject): object {
  const result = contract.validation?.keptResult(values);
  const value = result instanceof Promise || result?.kind !== 'valid' ? undefined : result.value;
  return typeof value === 'object' && value !== null
    ? value
    : applyDefaults(viewsOf(contract), values);
}

const lockOf = (part: unknown): string =>
  typeof part === 'string' ? part : canonicalJson(writeJson(part).value);

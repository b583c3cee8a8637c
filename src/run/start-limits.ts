// A tool's `limits`: how many of its calls start in a period, and run at the same time.
import type { CallStore, StartLimit } from '../store/call-store.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import { defined } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { storedKey } from './call-digests.ts';

/**
 * The limit of a call; undefined if its tool has none. Throws what the author's key function
 * throws.
 */
export function startLimitOf(
  acceptedCall: AcceptedCall,
  values: ApplicationContext,
  tenant: string,
  store: CallStore,
): StartLimit | undefined {
  const { contract } = acceptedCall;
  const { limits } = contract.execution ?? {};
  if (limits === undefined) return undefined;
  const { rate, running, per = 'tenant', waitMs } = limits;
  const owner = per === 'all' ? [] : [tenant];
  const keyOf = (keyValues: JsonObject): string => {
    const key = typeof per === 'object' ? per.key(keyValues, values) : [];
    return canonicalJson(writeJson([contract.name, ...owner, key ?? null]).value);
  };
  return {
    key: storedKey(acceptedCall, store, 'the limit', keyOf),
    ...defined({ rate, running, waitMs }),
  };
}

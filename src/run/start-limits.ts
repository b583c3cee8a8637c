// A tool's `limits`: how many of its calls start in a period, and run at the same time.
import type { CallStore, StartLimit } from '../store/call-store.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
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
  const { per = 'tenant', ...counts } = limits;
  const owner = per === 'all' ? [] : [tenant];
  const keyOf = (keyValues: JsonObject): string => {
    const key = typeof per === 'object' ? writeJson(per.key(keyValues, values) ?? null).value : [];
    return canonicalJson([contract.name, ...owner, key]);
  };
  return { ...counts, key: storedKey(acceptedCall, store, 'the limit', keyOf) };
}

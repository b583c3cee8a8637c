// Which keys of an object are spellings of one meta argument, and no parameter of the tool's own?
import { ownNamesOf } from '../../contract/meta/own-names.ts';
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { foldKey } from '../../json/fold-key.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';

/** The canonical key, and each other spelling, unless the tool declares a parameter that folds to the same. */
export function metaKeysIn({ views }: Judge, argument: MetaArgument, value: JsonObject): readonly string[] {
  const { folded: own, isMap } = ownNamesOf(views);
  const spellings = new Set([argument.key, ...argument.aliases].map(foldKey));
  return Object.keys(value).filter((key) => {
    if (key === argument.key) return true;
    const folded = foldKey(key);
    return !isMap && folded !== undefined && spellings.has(folded) && !own.has(folded);
  });
}

/** Whether any branch of the tool's root declares a key of this spelling. */
export function isOwnKey({ views }: Judge, key: string): boolean {
  return ownNamesOf(views).folded.has(foldKey(key) ?? key);
}

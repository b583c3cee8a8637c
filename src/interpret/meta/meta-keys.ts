// Which keys of an object are spellings of one meta argument, or of a field that the application sets, and no parameter of the
// tool's own?
import { ownNamesOf } from '../../contract/meta/own-names.ts';
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { foldKey } from '../../json/fold-key.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';

/** The canonical key, and each other spelling, unless the tool declares a parameter that folds to the same. */
export const metaKeysIn = (
  judge: Judge,
  { key, aliases }: MetaArgument,
  value: JsonObject,
): readonly string[] => spellingsIn(judge, [key, ...aliases], value);

/** The same of a field of the application's; only its own name where the tool takes every spelling as it is. */
export const contextKeysIn = (judge: Judge, field: string, value: JsonObject): readonly string[] => {
  if (judge.contract.strict.spellings) return spellingsIn(judge, [field], value);
  return Object.hasOwn(value, field) ? [field] : [];
};

/** The first name is the canonical one. */
function spellingsIn({ views }: Judge, names: readonly string[], value: JsonObject): readonly string[] {
  const { folded: own, isMap } = ownNamesOf(views);
  const spellings = new Set(names.map(foldKey));
  return Object.keys(value).filter((key) => {
    if (key === names[0]) return true;
    const folded = foldKey(key);
    return !isMap && folded !== undefined && spellings.has(folded) && !own.has(folded);
  });
}

/** Whether any branch of the tool's root declares a key of this spelling. */
export function isOwnKey({ views }: Judge, key: string): boolean {
  return ownNamesOf(views).folded.has(foldKey(key) ?? key);
}

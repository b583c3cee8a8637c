// Which object does a list of `{ key, value }` stand for? Two different values for one key have no reading.
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import { sameValue } from '../../json/same-value.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';

export interface PairsFrame {
  /** How numbers were spelled; what is made here is added. */
  readonly numbers: NumberTexts;
  /** Told of each object at a path, in the contract's form, that was one pair where a list of pairs is shown. */
  lonePair(path: string, value: JsonValue): void;
}

/** `decode`: a pair's value at a path. The very same value where it is no such list. */
export function decodePairs(
  value: JsonValue,
  frame: PairsFrame,
  path: string,
  decode: (held: JsonValue, path: string) => JsonValue,
): JsonValue {
  // Models that know maps send one, and it is what was meant; but one pair alone is a pair.
  const isLone = isPair(value);
  const pairs = isLone ? [value] : value;
  if (!isJsonArray(pairs)) return value;
  const entries = new Map<string, JsonValue>();
  const spelled = new Map<string, string | undefined>();
  for (const pair of pairs) {
    if (!isPair(pair)) return value;
    const { key } = pair;
    const own = decode(pair.value, pointerTo(path, key));
    const text = frame.numbers.textAt(pair, 'value');
    const other = entries.get(key);
    if (other !== undefined && (!sameValue(other, own) || spelled.get(key) !== text)) return value;
    entries.set(key, own);
    spelled.set(key, text);
  }
  const made = objectOf(entries);
  for (const [key, text] of spelled) if (text !== undefined) frame.numbers.spell(made, key, text);
  if (isLone) frame.lonePair(path, made);
  return made;
}

const isPair = (value: JsonValue): value is { readonly key: string; readonly value: JsonValue } =>
  isJsonObject(value) &&
  Object.keys(value).length === 2 &&
  typeof ownValue(value, 'key') === 'string' &&
  ownValue(value, 'value') !== undefined;

// What is the JSON text of a value that the model sent, with every number spelled as it was?
import type { JsonValue } from '../../json/json-value.ts';
import { exactJson } from '../../json/reader/exact-json.ts';
import { type NumberTexts, unknownSpelling } from '../../json/reader/number-texts.ts';

/** Two blanks a level. undefined where a number's digits are lost already. */
export const sourceOf = (value: JsonValue, numbers: NumberTexts): string | undefined =>
  hasUnsafeNumber(value, numbers, undefined) ? undefined : exactJson(value, numbers, 2);

function hasUnsafeNumber(value: JsonValue, numbers: NumberTexts, spelled: string | undefined): boolean {
  if (typeof value === 'number')
    return spelled === undefined
      ? Number.isInteger(value) && !Number.isSafeInteger(value)
      : spelled === unknownSpelling;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) =>
    hasUnsafeNumber(member, numbers, numbers.textAt(value, key)),
  );
}

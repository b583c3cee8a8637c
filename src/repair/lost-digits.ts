// Has a number lost digits on its way from text? Its spelling tells.
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { survivesAsNumber } from '../json/reader/exact-number.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import type { Spot } from './spot.ts';

/** The number that stands at a spot has lost digits; its text has not. */
export const isInexact = ({ numberText }: Spot): boolean =>
  numberText !== undefined && !survivesAsNumber(numberText);

/** Any number inside a value has lost digits. */
export function losesDigits(value: JsonValue, numbers: NumberTexts): boolean {
  if (!numbers.lossy || (!isJsonArray(value) && !isJsonObject(value))) return false;
  const own = numbers.of(value);
  if (own !== undefined && [...own.values()].some((text) => !survivesAsNumber(text))) return true;
  return Object.values(value).some((member) => losesDigits(member, numbers));
}

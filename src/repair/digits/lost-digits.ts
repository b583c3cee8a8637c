// Has a number lost digits on its way from text? Its spelling tells.
import { pointerTo } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { survivesAsNumber } from '../../json/reader/exact-number.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import type { Spelled } from './follow-spellings.ts';

/** A number has lost digits; its text has not. */
export const isInexact = ({ numberText }: Pick<Spelled, 'numberText'>): boolean =>
  numberText !== undefined && !survivesAsNumber(numberText);

/** Any number inside a value has lost digits. */
export const losesDigits = (value: JsonValue, numbers: NumberTexts): boolean =>
  numbers.lossy && lossyPlaces(value, numbers, '').length > 0;

/** The places of numbers that have lost digits: '' alone where they stand in text that was decoded on the way. */
export function lostDigits(value: JsonValue, numbers: NumberTexts): readonly string[] {
  if (!numbers.lossy) return [];
  const places = lossyPlaces(value, numbers, '');
  return places.length === 0 ? [''] : places;
}

function lossyPlaces(value: JsonValue, numbers: NumberTexts, path: string): readonly string[] {
  if (!isJsonArray(value) && !isJsonObject(value)) return [];
  const own = [...(numbers.of(value) ?? [])].filter(([, text]) => !survivesAsNumber(text));
  return [
    ...own.map(([key]) => pointerTo(path, key)),
    ...Object.entries(value).flatMap(([key, member]) => lossyPlaces(member, numbers, pointerTo(path, key))),
  ];
}

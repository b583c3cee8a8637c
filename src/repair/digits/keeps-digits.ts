// May a value go where it is going, as far as the digits of its numbers are concerned?
import type { JsonValue } from '../../json/json-value.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import type { Destination } from '../repair-request.ts';
import { acceptsExactly } from './exact-acceptance.ts';
import type { Spelled } from './follow-spellings.ts';
import { isInexact, losesDigits } from './lost-digits.ts';

/** `accepts`: the judge's word on other values at the same place. */
export function keepsDigits(
  spelled: Spelled,
  numbers: NumberTexts,
  { destination, accepts }: { destination: Destination; accepts: (value: JsonValue) => boolean },
): boolean {
  if (!numbers.lossy) return true;
  return destination === 'wire'
    ? acceptsExactly(accepts, spelled, numbers)
    : !isLossy(spelled) && !losesDigits(spelled.value, numbers);
}

/** What is no number has lost no digits, whatever stood at the place before: a union is asked again of what became of it. */
const isLossy = (spelled: Spelled): boolean => typeof spelled.value === 'number' && isInexact(spelled);

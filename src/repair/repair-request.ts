// What is asked of repair? A value that was sent, how its numbers were spelled, and where it goes.
import type { JsonValue } from '../json/json-value.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import type { RepairLimits } from './repair-limits.ts';

export interface RepairRequest {
  readonly value: JsonValue;
  readonly numbers: NumberTexts;
  /** Characters of what was sent; decoding is bounded by it. */
  readonly size: number;
  readonly destination: Destination;
  readonly limits?: RepairLimits;
  /** Where a model was shown other forms than the contract's. Absent: they are the same. */
  readonly readAt?: ReadAtPlace | undefined;
}

/**
 * What a value says in the contract's own form that was found at a place (JSON Pointer) where the model put it in the form
 * that it was shown: inside text, in an envelope, under another key. The very same value where nothing differs.
 */
export type ReadAtPlace = (value: JsonValue, path: string, numbers: NumberTexts) => JsonValue;

/**
 * `handler`: code gets the value, so a number that JavaScript can't hold exactly is refused. `wire`: the arguments are
 * passed on or stored as JSON text, where it keeps its digits.
 */
export type Destination = 'handler' | 'wire';

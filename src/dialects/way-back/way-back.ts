// How is a call of a model's read that was shown a tool in a provider's form, and how does it stand in its history?
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { noNumberTexts, type NumberTexts } from '../../json/reader/number-texts.ts';
import { type DecodeFrame, decodeValue } from './decode-value.ts';
import { type EncodeFrames, encodeValue } from './encode-value.ts';
import type { Plan } from './plan.ts';
import { placeIn } from './plan-place.ts';

/** What differs between a contract's arguments and the same in the form that was shown. */
export interface WayBack extends EncodeFrames {
  readonly plan: Plan;
}

export type SentForm = Omit<DecodeFrame, 'shown'>;

/** The contract's own arguments; the very same object where nothing differs. */
export const decodeArguments = ({ plan, shown }: WayBack, value: JsonObject, form: SentForm): JsonObject =>
  objectOr(decodeValue(plan, value, { ...form, shown }, ''), value);

/** The same of a value that comes to stand at a place of the contract. `path`: JSON Pointer. */
export const decodeAt = (
  { plan, shown }: WayBack,
  { value, path }: { readonly value: JsonValue; readonly path: string },
  form: SentForm,
): JsonValue => decodeValue(placeIn(plan, path).plan, value, { ...form, shown }, path);

/** The arguments as the model should have written them. */
export const encodeArguments = (
  { plan, ...frames }: WayBack,
  value: JsonObject,
  numbers: NumberTexts = noNumberTexts.copied(),
): JsonObject => objectOr(encodeValue(plan, { value, numberText: undefined }, { ...frames, numbers }), value);

const objectOr = (value: JsonValue, other: JsonObject): JsonObject => (isJsonObject(value) ? value : other);

// How is a call of a model's read that was shown a tool in a provider's form, and how does it stand in its history?
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { decodeValue } from './decode-value.ts';
import { type EncodeFrames, encodeValue } from './encode-value.ts';
import type { Plan } from './plan.ts';

/** What differs between a contract's arguments and the same in the form that was shown. */
export interface WayBack extends EncodeFrames {
  readonly plan: Plan;
}

/** The contract's own arguments; the very same object where nothing differs. */
export const decodeArguments = ({ plan, shown }: WayBack, value: JsonObject): JsonObject =>
  objectOr(decodeValue(plan, value, shown), value);

/** The arguments as the model should have written them. */
export const encodeArguments = ({ plan, ...frames }: WayBack, value: JsonObject): JsonObject =>
  objectOr(encodeValue(plan, value, frames), value);

const objectOr = (value: JsonValue, other: JsonObject): JsonObject => (isJsonObject(value) ? value : other);

import { partialJson } from '../json/partial-json.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';

/** Arguments of which any part may not have come yet, at any depth. */
export type PartialArguments<Values> = Values extends readonly (infer Element)[]
  ? readonly PartialArguments<Element>[]
  : Values extends object
    ? { readonly [Key in keyof Values]?: PartialArguments<Values[Key]> }
    : Values;

/**
 * What has come of the arguments in a stream, to show it to a person. `text`: the argument text so
 * far. Strings may go on; numbers, `true`, `false` and `null` are absent until they have ended. Nothing
 * is validated or repaired, so never run a tool with it: `end` of a collector has the call.
 */
export function partialArguments<Values extends object = JsonObject>(
  text: string,
): PartialArguments<Values>;
export function partialArguments(text: string): object {
  const value = partialJson(text);
  return isJsonObject(value) ? value : {};
}

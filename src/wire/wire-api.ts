// How a model API is described: the places in its JSON where calls stand, with what belongs to them.
import { ownValue } from '../collections/objects.ts';
import type { HistoryCall } from '../interpret/records.ts';
import { type JsonPath, editJson } from '../json/json-edits.ts';
import { parsedObject, plainJson } from '../json/parse.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';

/** In a path: every element of a list. A path has members, as the API names them, and `each`. */
export const each = '*';

/** Where the object that is a call has its parts. */
export interface CallForm {
  /** Whether an object is a call of this form: others may be at its place, such as text. */
  readonly isCall: (object: JsonObject) => boolean;
  /**
   * Whether an object is a call of any kind, also of a tool without a schema. Always true at a place
   * that has nothing but calls.
   */
  readonly isCallOrCustom: (object: JsonObject) => boolean;
  /** undefined: the API has no ids. */
  readonly id: JsonPath | undefined;
  /** Whether the API takes an id in a call that came without one. */
  readonly takesNewIds: boolean;
  readonly name: JsonPath;
  readonly arguments: JsonPath;
  /** The form in which the API takes arguments. Servers send either. */
  readonly argumentsAs: 'text' | 'value';
  /** What each call has beside its parts. */
  readonly fixedMembers: JsonObject;
}

/** Where objects are that may be calls. */
export interface CallPlace {
  readonly at: JsonPath;
  readonly form: CallForm;
}

/** The places in an answer, or in an event of a streamed answer. */
export interface AnswerPlaces {
  readonly model: JsonPath;
  /** What ends by itself: the choices, or all of the answer. All paths but `model` begin there. */
  readonly choices: JsonPath;
  readonly finishReason: JsonPath;
  /** Is true at the end, which may have no reason. */
  readonly endFlag?: JsonPath;
  readonly calls: readonly CallPlace[];
}

/** The places in an answer of an API that has its text at one place. */
export interface TextPlaces extends AnswerPlaces {
  readonly text: JsonPath;
  /**
   * Alternatives: servers use one of these, and some use two for the same reasoning. The first with
   * text is read.
   */
  readonly reasoning: readonly JsonPath[];
}

/** The places of one API. */
export interface WireApi<Places extends AnswerPlaces = AnswerPlaces> {
  readonly answer: Places;
  readonly event: Places;
  /** In a request: the calls of the conversation. */
  readonly history: readonly CallPlace[];
  /** In a request: the tools. */
  readonly tools: readonly ToolPlace[];
}

/** Where tools are, each with `name`, `description` and its schema. */
export interface ToolPlace {
  readonly at: JsonPath;
  readonly schema: 'parameters' | 'input_schema';
  /** What a tool without a schema is: one that takes no arguments, or one of the provider. */
  readonly withoutSchema: 'no_arguments' | 'of_provider';
  /** Whether a tool may say `strict: true`, beside its name. */
  readonly takesStrict: boolean;
}

/** A value in JSON, and the path to it. */
export interface PlacedValue {
  readonly value: JsonValue;
  readonly path: JsonPath;
}

/** The values at a place, in their order. None if a member on the way is absent. */
export function valuesAt(json: JsonValue, place: JsonPath): readonly PlacedValue[] {
  let values: readonly PlacedValue[] = [{ value: json, path: [] }];
  for (const key of place) values = values.flatMap((parent) => membersAt(parent, key));
  return values;
}

function membersAt({ value, path }: PlacedValue, key: string | number): readonly PlacedValue[] {
  if (key === each)
    return isJsonArray(value)
      ? value.map((element, index) => ({ value: element, path: [...path, index] }))
      : [];
  const element = isJsonArray(value) && typeof key === 'number' ? value[key] : undefined;
  const member = isJsonObject(value) ? ownValue(value, String(key)) : element;
  return member === undefined ? [] : [{ value: member, path: [...path, key] }];
}

/** The value at a path; undefined if there is none. */
export const valueAtPath = (json: JsonValue, path: JsonPath): JsonValue | undefined =>
  valuesAt(json, path)[0]?.value;

export function textAtPath(json: JsonValue, path: JsonPath): string | undefined {
  const text = valueAtPath(json, path);
  return typeof text === 'string' ? text : undefined;
}

/** The objects at a place. Anything else there is left out. */
export const objectsAt = (json: JsonValue, place: JsonPath): readonly JsonObject[] =>
  valuesAt(json, place).flatMap(({ value }) => (isJsonObject(value) ? [value] : []));

/** A call as an API wrote it. */
export interface PlacedCall {
  readonly call: JsonObject;
  readonly path: JsonPath;
  readonly form: CallForm;
}

export const callsAt = (places: readonly CallPlace[], json: JsonValue): readonly PlacedCall[] =>
  places.flatMap(({ at, form }) =>
    valuesAt(json, at).flatMap(({ value, path }) =>
      isJsonObject(value) && form.isCall(value) ? [{ call: value, path, form }] : [],
    ),
  );

/** The parts of a call as they were sent: any may be absent, or of another type. */
export type SentParts = Readonly<Record<'id' | 'name' | 'arguments', JsonValue | undefined>>;

export const partsOfCall = (form: CallForm, call: JsonObject): SentParts => ({
  id: form.id && valueAtPath(call, form.id),
  name: valueAtPath(call, form.name),
  arguments: valueAtPath(call, form.arguments),
});

/** The call with another id, name and arguments, and all else as it came. */
export function withParts(form: CallForm, call: JsonObject, parts: HistoryCall): JsonObject {
  const { id, takesNewIds, name, arguments: place, argumentsAs } = form;
  const text = parts.arguments;
  const hasId = id !== undefined && (takesNewIds || valueAtPath(call, id) !== undefined);
  const whole = { ...form.fixedMembers, ...call };
  const withId = hasId ? withValue(whole, id, parts.id) : whole;
  const withName = withValue(withId, name, parts.name);
  return withValue(withName, place, argumentsAs === 'text' ? text : parsedObject(text));
}

/**
 * JSON text of the call with other parts. The digits of numbers are those of the text. Arguments
 * that are no JSON are a string, which servers send too.
 */
export function textWithParts(form: CallForm, call: JsonObject, parts: HistoryCall): string {
  const text = JSON.stringify(withParts(form, call, parts));
  if (form.argumentsAs === 'text') return text;
  const isJson = plainJson(parts.arguments) !== undefined;
  const value = isJson ? parts.arguments : JSON.stringify(parts.arguments);
  return editJson(text, [{ path: form.arguments, text: value }]);
}

/** A copy with the value at a path, whose objects are added if they are absent. */
function withValue(
  json: JsonObject,
  [key = '', ...innerPath]: JsonPath,
  value: JsonValue,
): JsonObject {
  const member = ownValue(json, String(key));
  const next =
    innerPath.length === 0
      ? value
      : withValue(isJsonObject(member) ? member : {}, innerPath, value);
  return { ...json, [key]: next };
}

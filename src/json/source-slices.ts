import { endOfString } from './parse.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, ownValue } from './value.ts';

/** A container that is being read: what it is in the value, and where its text starts. */
interface OpenContainer {
  readonly value: JsonValue | undefined;
  readonly start: number;
  /** The elements before, or the key of the member. */
  index: number;
  key: string | undefined;
}

/** How each object of a value is written in the text, which is strict JSON of the value. */
export function sourceSlices(text: string, value: JsonValue): ReadonlyMap<JsonObject, string> {
  const slices = new Map<JsonObject, string>();
  const open: OpenContainer[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const around = open.at(-1);
    switch (text.charAt(at)) {
      case '"': {
        const end = endOfString(text, at);
        if (around !== undefined) around.key ??= keyIn(text.slice(at, end + 1));
        at = end;
        break;
      }
      case '{':
      case '[':
        open.push({
          value: around === undefined ? value : memberOf(around),
          start: at,
          index: 0,
          key: undefined,
        });
        break;
      case ',':
        if (around !== undefined) {
          around.index += 1;
          around.key = undefined;
        }
        break;
      case '}':
      case ']':
        open.pop();
        if (around !== undefined && isJsonObject(around.value))
          slices.set(around.value, text.slice(around.start, at + 1));
    }
  }
  return slices;
}

function memberOf({ value, index, key }: OpenContainer): JsonValue | undefined {
  if (isJsonArray(value)) return value[index];
  return isJsonObject(value) && key !== undefined ? ownValue(value, key) : undefined;
}

const keyIn = (literal: string): string => {
  const key: unknown = JSON.parse(literal);
  return String(key);
};

// What is one text of a JSON value, however its keys are ordered? For digests and comparisons; not for people, models or
// storage.
import { isJsonArray, isJsonObject, type JsonValue } from './json-value.ts';

/** JSON without blanks, keys sorted by UTF-16 code units, as RFC 8785 orders them; numbers as JavaScript prints them. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

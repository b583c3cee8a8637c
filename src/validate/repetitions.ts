// Does a list hold the same value twice? In a time that grows with the list, not with its square.
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';

/** True if no two elements are the same as JSON: the order of an object's keys doesn't count. */
export function isWithoutRepetition(list: readonly JsonValue[]): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    // Texts and containers are told apart by how they begin.
    const key = typeof item === 'string' ? `"${item}` : typeof item === 'object' ? canonical(item) : item;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

function canonical(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
  return `{${members.join()}}`;
}

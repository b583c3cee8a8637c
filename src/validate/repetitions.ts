// Does a list hold the same value twice? In a time that grows with the list, not with its square.
import { canonicalJson } from '../json/canonical-json.ts';
import type { JsonValue } from '../json/json-value.ts';

/** True if no two elements are the same as JSON: the order of an object's keys doesn't count. */
export function isWithoutRepetition(list: readonly JsonValue[]): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    // Texts and containers are told apart by how they begin.
    const key = typeof item === 'string' ? `"${item}` : typeof item === 'object' ? canonicalJson(item) : item;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

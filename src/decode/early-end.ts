// Does a closer too many end the object of a text before its last keys? `{"a": 1}, "b": 2}`. Told only where no other closer
// could be the one too many: no object in front goes on with a key behind an object, so that it could have gone on inside it.
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { readJsonPrefix } from '../json/reader/read-json.ts';

/** The text without that closer; undefined if there is none. */
export function withoutEarlyEnd(text: string, maxDepth: number): string | undefined {
  const start = text.search(/\S/);
  if (start === -1 || text.charAt(start) !== '{') return undefined;
  const first = readJsonPrefix(text, start, maxDepth, 'loose');
  if (first === undefined || text.charAt(first.end - 1) !== '}') return undefined;
  nextMember.lastIndex = first.end;
  if (!nextMember.test(text) || mayEndLater(first.value)) return undefined;
  return text.slice(0, first.end - 1) + text.slice(first.end);
}

const nextMember = /\s*,\s*(?:"[^"\\]*"|'[^'\\]*'|[A-Za-z_$][\w$]*)\s*:/y;

/** Somewhere in it a key follows a closed object. */
function mayEndLater(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(mayEndLater);
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  // Keys that are numbers are no longer in the order in which they were written.
  const isInOrder = !Object.keys(value).some((key) => /^\d+$/.test(key));
  const earlier = isInOrder ? members.slice(0, -1) : members;
  return earlier.some((member) => isJsonObject(member)) || members.some(mayEndLater);
}

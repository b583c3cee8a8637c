// How are members added to JSON text without reading it? So that every number in it stays as it is written.
import type { JsonValue } from '../../json/json-value.ts';

/** JSON text of an object, with members behind its own. */
export function withMembersInText(text: string, members: readonly (readonly [string, JsonValue])[]): string {
  if (members.length === 0) return text;
  const open = text.trimEnd().slice(0, -1).trimEnd();
  const added = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `${open}${open.endsWith('{') ? '' : ','}${added.join(',')}}`;
}

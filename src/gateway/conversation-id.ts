// Which conversation a request belongs to, for hints that learn: descriptions of tools change between
// conversations only.
import { createHash } from 'node:crypto';
import { ownValue } from '../collections/objects.ts';
import { objectAt, textAt } from '../json/members.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';

/**
 * The conversation's id if the request has one, else a digest of how it begins: the system's
 * instructions and all up to the user's first message, which each request of a conversation repeats.
 * Undefined if the request names an earlier answer instead of repeating it.
 */
export function conversationId(request: JsonObject): string | undefined {
  const id =
    textAt(request, 'conversation') ?? textAt(objectAt(request, 'conversation') ?? {}, 'id');
  if (id !== undefined) return id;
  if (textAt(request, 'previous_response_id') !== undefined) return undefined;
  const beginning = ['system', 'instructions', 'messages', 'input'].map((member) =>
    beginningOf(ownValue(request, member) ?? null),
  );
  return createHash('sha256').update(JSON.stringify(beginning)).digest('hex');
}

/** A list up to the first message of the user. */
function beginningOf(value: JsonValue): JsonValue {
  if (!isJsonArray(value)) return value;
  const first = value.findIndex((item) => isJsonObject(item) && textAt(item, 'role') === 'user');
  return value.slice(0, first + 1);
}

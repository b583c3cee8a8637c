import type { RepeatedKey } from '../json/lenient-parser.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { pointerTo } from '../json/json-pointer.ts';
import { preview } from '../json/preview.ts';
import { type JsonObject, type JsonValue, defineKey } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { visibilityAt } from '../tool/secrets.ts';
import type { KeyEdit, RepairRecord, RepairRule } from './repair-rule.ts';

/** A copy with the edits applied. A renamed key comes last, as a JSON Patch move puts it. */
export function editKeys(object: JsonObject, edits: readonly KeyEdit[], numbers: NumberLiterals): JsonObject {
  const gone = new Set<string>();
  const added = new Map<string, JsonValue>();
  const renamed = new Map<string, string>();
  for (const edit of edits) {
    gone.add(edit.key);
    if (edit.op === 'set') added.set(edit.key, edit.value);
    if (edit.op === 'rename') {
      renamed.set(edit.key, edit.to);
      added.set(edit.to, object[edit.key] ?? null);
    }
  }
  const copy: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(object)) if (!gone.has(key)) defineKey(copy, key, object[key]);
  for (const [key, value] of added) defineKey(copy, key, value);
  numbers.carry(object, copy, (key) => renamed.get(key) ?? (gone.has(key) ? undefined : key));
  return copy;
}

/** A copy with changed members; the same object if there are none. */
export function withMembers(
  object: JsonObject,
  changes: readonly (readonly [key: string, value: JsonValue])[],
): JsonObject {
  if (changes.length === 0) return object;
  const copy = { ...object };
  for (const [key, value] of changes) defineKey(copy, key, value);
  return copy;
}

/** An edit that a rule has proposed, and where. */
interface Edited<Before, Edit> {
  readonly rule: RepairRule;
  readonly schema: JsonSchema;
  /** JSON Pointer of the value, or of the object around the key. */
  readonly path: string;
  readonly before: Before;
  readonly edit: Edit;
}

/** Records a value that took the place of another. */
export function recordReplacement(views: SchemaViews, edited: Edited<JsonValue, JsonValue>): RepairRecord {
  const { rule, path, before, edit: value } = edited;
  const was = previewAt(views, edited, before);
  return {
    rule: rule.id,
    path,
    was,
    tell: rule.notes === true,
    operations: [{ op: 'replace', path, value }],
  };
}

/** Records a key that was set, removed or renamed. */
export function recordKeyEdit(views: SchemaViews, edited: Edited<JsonObject, KeyEdit>): RepairRecord {
  const { rule, before, edit } = edited;
  const path = pointerTo(edited.path, edit.key);
  const record = { rule: rule.id, path, tell: rule.notes === true };
  if (edit.op === 'set') {
    return { ...record, was: 'absent', operations: [{ op: 'add', path, value: edit.value }] };
  }
  const was = previewAt(views, edited, before[edit.key] ?? null);
  const operation =
    edit.op === 'remove'
      ? ({ op: 'remove', path } as const)
      : ({ op: 'move', from: path, path: pointerTo(edited.path, edit.to) } as const);
  return { ...record, was, operations: [operation] };
}

/** Records keys that came twice with one value, in text that was read at a path. */
export const recordRepeatedKeys = (repeated: readonly RepeatedKey[], path: string): readonly RepairRecord[] =>
  repeated.map(({ path: below, key }) => ({
    rule: 'duplicate_key',
    path: `${path}${below}`,
    was: key.slice(0, 64),
    tell: false,
    operations: [],
  }));

const previewAt = (
  views: SchemaViews,
  { schema, path }: { readonly schema: JsonSchema; readonly path: string },
  value: JsonValue,
): string => preview(value, visibilityAt(views, path, schema));

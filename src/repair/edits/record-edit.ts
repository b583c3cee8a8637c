// How is an edit recorded? With the rule, the place, what was there in short form, and the operation to replay.
import { holdsSecret, isSecretPlace } from '../../contract/secret-places.ts';
import type { SchemaViews } from '../../contract/schema-view.ts';
import { excerptOf } from '../../issues/excerpt.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { RepeatedKey } from '../../json/reader/reading.ts';
import type { RepairRecord } from '../repair-record.ts';
import type { KeyEdit, RepairRule } from '../repair-rule.ts';

/** What an edit did, and where. */
export interface Edited<Before, Edit> {
  readonly rule: RepairRule;
  readonly schema: JsonSchema;
  /** JSON Pointer of the place: the value, or the object around the key. */
  readonly path: string;
  readonly before: Before;
  readonly edit: Edit;
}

/** A value that took the place of another. */
export function recordReplacement(views: SchemaViews, edited: Edited<JsonValue, JsonValue>): RepairRecord {
  const { path, before, edit: value } = edited;
  const told = toldOf(edited.rule);
  const was = shortForm(views, edited, before);
  return { ...told, path, was, operations: [{ op: 'replace', path, value }] };
}

/** A key that was set, removed or renamed. */
export function recordKeyEdit(views: SchemaViews, edited: Edited<JsonObject, KeyEdit>): RepairRecord {
  const { before, edit } = edited;
  const told = toldOf(edited.rule);
  const path = pointerTo(edited.path, edit.key);
  if (edit.op === 'set') {
    return { ...told, path, was: 'absent', operations: [{ op: 'add', path, value: edit.value }] };
  }
  const was = shortForm(views, edited, before[edit.key] ?? null);
  const operation =
    edit.op === 'remove'
      ? ({ op: 'remove', path } as const)
      : ({ op: 'move', from: path, path: pointerTo(edited.path, edit.to) } as const);
  return { ...told, path, was, operations: [operation] };
}

/** Keys that came twice with one value, in text that was read at a path. */
export const recordRepeatedKeys = (repeated: readonly RepeatedKey[], path: string): readonly RepairRecord[] =>
  repeated.map(({ path: below, key }) => ({
    rule: 'duplicate_key',
    path: `${path}${below}`,
    was: key.slice(0, 64),
    tell: false,
    operations: [],
  }));

const shortForm = (
  views: SchemaViews,
  { schema, path }: { readonly schema: JsonSchema; readonly path: string },
  value: JsonValue,
): string => excerptOf(value, holdsSecret(views, schema) || isSecretPlace(views, path) ? 'hidden' : 'shown');

const toldOf = ({ id, tells }: RepairRule): Pick<RepairRecord, 'rule' | 'tell'> => ({
  rule: id,
  tell: tells === true,
});

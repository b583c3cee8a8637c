import type { RepeatedKey } from '../json/lenient-parser.ts';
import type { NumberLiterals } from '../json/number-literals.ts';
import { defineKey, objectOf } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { preview } from '../json/preview.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { visibilityAt } from '../tool/secrets.ts';
import type { KeyEdit, RepairRecord, RepairRule } from './repair-rule.ts';

/**
 * A copy with the edits applied. A renamed or lifted key comes last, as after a move of JSON Patch.
 */
export function editKeys(
  object: JsonObject,
  edits: readonly KeyEdit[],
  numbers: NumberLiterals,
): JsonObject {
  const lifts = edits.filter((edit) => edit.op === 'lift');
  const changes = edits.filter((edit) => edit.op !== 'lift');
  const newNames = new Map(
    changes.map((edit) => [edit.key, edit.op === 'rename' ? edit.to : undefined]),
  );
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(object)) {
    if (newNames.has(key)) continue;
    const liftedKeys = lifts.filter((edit) => edit.key === key).map(({ to }) => to);
    defineKey(
      copy,
      key,
      liftedKeys.length === 0 ? member : withoutMembers(member, liftedKeys, numbers),
    );
  }
  numbers.carry(object, copy, (key) => (newNames.has(key) ? newNames.get(key) : key));
  for (const edit of changes) {
    if (edit.op === 'set') defineKey(copy, edit.key, edit.value);
    if (edit.op === 'rename') defineKey(copy, edit.to, object[edit.key] ?? null);
  }
  for (const edit of lifts) {
    const { holder } = liftedFrom(object, edit);
    if (holder === undefined) continue;
    defineKey(copy, edit.to, holder[edit.to] ?? null);
    numbers.carry(holder, copy, (key) => (key === edit.to ? key : undefined));
  }
  return copy;
}

type Lift = KeyEdit & { readonly op: 'lift' };

/**
 * The object that a lifted key is taken from, and the JSON Pointers, below the edited object, of
 * the key in it and in others.
 */
function liftedFrom(
  object: JsonObject,
  { key, to }: Lift,
): { readonly holder: JsonObject | undefined; readonly paths: readonly string[] } {
  const holder = object[key];
  const holders = isJsonArray(holder) ? holder : [holder];
  const paths = holders.map((_holder, index) => {
    const place = isJsonArray(holder) ? pointerTo(pointerTo('', key), index) : pointerTo('', key);
    return pointerTo(place, to);
  });
  return { holder: holders.find(isJsonObject), paths };
}

/** A copy of an object, or of the objects in a list, without some keys. */
function withoutMembers(
  value: JsonValue,
  keys: readonly string[],
  numbers: NumberLiterals,
): JsonValue {
  if (isJsonArray(value)) return value.map((element) => withoutMembers(element, keys, numbers));
  if (!isJsonObject(value)) return value;
  const copy = objectOf(Object.entries(value).filter(([key]) => !keys.includes(key)));
  numbers.carry(value, copy);
  return copy;
}

/** A copy with changed members; the same object if there are none. */
export function withMembers(
  object: JsonObject,
  changes: readonly (readonly [key: string, value: JsonValue])[],
  numbers: NumberLiterals,
): JsonObject {
  if (changes.length === 0) return object;
  const copy = { ...object };
  for (const [key, value] of changes) defineKey(copy, key, value);
  numbers.carry(object, copy);
  return copy;
}

/** An edit that a rule has proposed, with its place. */
interface Edited<Before, Edit> {
  readonly rule: RepairRule;
  readonly schema: JsonSchema;
  /** JSON Pointer of the value, or of the object around the key. */
  readonly path: string;
  readonly valueBefore: Before;
  readonly edit: Edit;
}

/** `isLossy`, `shownToModel`: this replacement is, although others of the rule aren't. */
interface Replacing extends Edited<JsonValue, JsonValue> {
  readonly isLossy: boolean;
  readonly shownToModel: boolean;
}

export function recordReplacement(views: SchemaViews, replacement: Replacing): RepairRecord {
  const { rule, path, valueBefore, edit: value, isLossy } = replacement;
  const record: RepairRecord = {
    rule: rule.id,
    path,
    was: previewAt(views, replacement, valueBefore),
    shownToModel: replacement.shownToModel || rule.notes === true,
    operations: [{ op: 'replace', path, value }],
  };
  return isLossy ? { ...record, isLossy } : record;
}

/** Records a key that was set, removed or renamed. */
export function recordKeyEdit(
  views: SchemaViews,
  replacement: Edited<JsonObject, KeyEdit>,
): RepairRecord {
  const { rule, valueBefore, edit } = replacement;
  if (edit.op === 'lift') return recordLift(views, replacement, edit);
  const path = pointerTo(replacement.path, edit.key);
  const record = { rule: rule.id, path, shownToModel: rule.notes === true };
  if (edit.op === 'set') {
    return { ...record, was: 'absent', operations: [{ op: 'add', path, value: edit.value }] };
  }
  const was = previewAt(views, replacement, valueBefore[edit.key] ?? null);
  const operation =
    edit.op === 'remove'
      ? ({ op: 'remove', path } as const)
      : ({ op: 'move', from: path, path: pointerTo(replacement.path, edit.to) } as const);
  return { ...record, was, operations: [operation] };
}

function recordLift(
  views: SchemaViews,
  replacement: Edited<JsonObject, KeyEdit>,
  edit: Lift,
): RepairRecord {
  const { rule, valueBefore } = replacement;
  const { holder, paths } = liftedFrom(valueBefore, edit);
  const [from = '', ...others] = paths.map((relativePath) => `${replacement.path}${relativePath}`);
  const path = pointerTo(replacement.path, edit.to);
  return {
    rule: rule.id,
    path: from,
    was: preview(holder?.[edit.to] ?? null, visibilityAt(views, path, replacement.schema)),
    shownToModel: rule.notes === true,
    operations: [
      { op: 'move', from, path },
      ...others.map((other) => ({ op: 'remove', path: other }) as const),
    ],
  };
}

/** Records keys that came twice with one value, in text that was read at a path. */
export const recordRepeatedKeys = (
  repeatedKeys: readonly RepeatedKey[],
  path: string,
): readonly RepairRecord[] =>
  repeatedKeys.map(({ path: relativePath, key }) => ({
    rule: 'duplicate_key',
    path: `${path}${relativePath}`,
    was: key.slice(0, 64),
    shownToModel: false,
    operations: [],
  }));

const previewAt = (
  views: SchemaViews,
  { schema, path }: { readonly schema: JsonSchema; readonly path: string },
  value: JsonValue,
): string => preview(value, visibilityAt(views, path, schema));

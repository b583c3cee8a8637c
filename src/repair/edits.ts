import type { NumberTexts, RepeatedKey } from '../json/exact-numbers.ts';
import { pointerTo } from '../json/json-pointer.ts';
import { type JsonObject, type JsonValue, defineKey } from '../json/value.ts';
import { preview } from '../json/preview.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { holdsSecret, isSecretPlace } from '../tool/secrets.ts';
import type { KeyEdit, RepairRecord, RepairRule } from './repair-rule.ts';

// On a copy, once for all edits of a rule.
export type MemberChange = readonly [key: string, value: JsonValue];

/** A copy with the edits made; a renamed key comes last, as a move does. */
export function editKeys(object: JsonObject, edits: readonly KeyEdit[], numbers: NumberTexts): JsonObject {
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
export function withMembers(object: JsonObject, changes: readonly MemberChange[]): JsonObject {
  if (changes.length === 0) return object;
  const copy = { ...object };
  for (const [key, value] of changes) defineKey(copy, key, value);
  return copy;
}

/** What became of a place. Unfit: the value as it was, and the places below it that would fit all the same. */
export type Fixed =
  | { readonly kind: 'fits'; readonly value: JsonValue; readonly records: readonly RepairRecord[] }
  | { readonly kind: 'unfit'; readonly value: JsonValue; readonly mended: readonly string[] };

/** `mended` is asked for only where a call is rejected in the end. */
export interface Made {
  readonly records: readonly RepairRecord[];
  readonly mended: readonly string[];
}

export const nothingMade: Made = Object.freeze({ records: [], mended: [] });

/** Collects the records of one round; nothing of a place that stays unfit is kept. */
export class MadeEdits implements Made {
  readonly #before: Made;
  readonly #records: RepairRecord[];
  readonly #mendedBelow: string[] = [];
  /** Edits of keys that no other key decides about. */
  readonly #keyEdits: (readonly RepairRecord[])[] = [];
  readonly #unfit: string[] = [];

  /** `before`: what the rounds before have done. */
  constructor(before: Made) {
    this.#before = before;
    this.#records = [...before.records];
  }

  get records(): readonly RepairRecord[] {
    return this.#records;
  }

  /** Keys that were edited count only if the values under their new names fit. */
  get mended(): readonly string[] {
    const unfit = new Set(this.#unfit);
    const certain = this.#keyEdits
      .flatMap(standingTogether)
      .map((edits) => edits.flatMap(placesOf))
      .filter((places) => places.every((place) => !unfit.has(place)));
    return [...this.#before.mended, ...this.#mendedBelow, ...certain.flat()];
  }

  /** `isCertain`: no other key than these decides whether they are right. */
  addKeys(edits: readonly RepairRecord[], isCertain: boolean): void {
    for (const record of edits) this.#records.push(record);
    if (isCertain) this.#keyEdits.push(edits);
  }

  /** What became of a member or an element. */
  addBelow(fixed: Fixed, path: string): void {
    if (fixed.kind === 'unfit') {
      this.#unfit.push(path);
      for (const place of fixed.mended) this.#mendedBelow.push(place);
    } else if (fixed.records.length > 0) {
      this.#mendedBelow.push(path);
      for (const record of fixed.records) this.#records.push(record);
    }
  }
}

/** Each renamed key for itself; what was taken apart and put together anew as one. */
function standingTogether(edits: readonly RepairRecord[]): readonly (readonly RepairRecord[])[] {
  const isMove = ({ operations: [operation] }: RepairRecord): boolean => operation?.op === 'move';
  return [...edits.filter(isMove).map((record) => [record]), edits.filter((record) => !isMove(record))];
}

const placesOf = ({ operations }: RepairRecord): readonly string[] =>
  operations.flatMap((operation) =>
    operation.op === 'move' ? [operation.from, operation.path] : [operation.path],
  );

// With the rule, the place, what was there in short form, and the operation to replay.
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
): string => preview(value, holdsSecret(views, schema) || isSecretPlace(views, path) ? 'hidden' : 'shown');

const toldOf = ({ id, tells }: RepairRule): Pick<RepairRecord, 'rule' | 'tell'> => ({
  rule: id,
  tell: tells === true,
});

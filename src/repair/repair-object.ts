import { pointerTo } from '../json/pointers.ts';
import { type JsonObject, type JsonValue } from '../json/value.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { editKeys, recordKeyEdit, withMembers } from './edits.ts';
import { isPlaceholder } from './read-text.ts';
import {
  type Location,
  type Repair,
  type RepairContext,
  memberLocation,
} from './repair-context.ts';
import {
  type KeyEdit,
  type KeyTrait,
  type RepairRecord,
  type Refusal,
  refuse,
} from './repair-rule.ts';
import { objectRules } from './rule-table.ts';

/** A container with its repaired members. */
export interface RepairedContents {
  readonly kind: 'contents';
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  readonly repairedPaths: readonly string[];
}

/** Repairs the keys of an object, rule by rule, and then its members, each on its own. */
export function repairObject(
  context: RepairContext,
  object: JsonObject,
  location: Location,
  traits: KeyTraits,
): RepairedContents | Refusal {
  const keys = repairKeys(context, object, location, traits);
  if ('kind' in keys) return keys;
  const repairsBelow = new RepairsBelow();
  const changes: (readonly [string, JsonValue])[] = [];
  for (const key of Object.keys(keys.value)) {
    const plan = location.plan.member(key);
    if (typeof plan.schema === 'boolean') continue;
    const member = keys.value[key] ?? null;
    const glance = context.glanceAt(member, plan);
    if (glance === 'fits') continue;
    const at = memberLocation(location, plan, key, keys.value);
    const repair =
      glance === 'refused' ? context.repairRefused(member, at) : context.repair(member, at);
    repairsBelow.add(repair, at.path);
    if (repair.kind === 'fits' && repair.value !== member) changes.push([key, repair.value]);
  }
  return {
    kind: 'contents',
    value: withMembers(keys.value, changes, context.numbers),
    records:
      keys.records.length === 0 ? repairsBelow.records : [...keys.records, ...repairsBelow.records],
    repairedPaths:
      keys.certain.length === 0
        ? repairsBelow.repairedPaths
        : [
            ...repairsBelow.repairedPaths,
            ...keys.certain.filter((paths) => !repairsBelow.fails(paths)).flat(),
          ],
  };
}

/** Collects the results for the members of a container. */
export class RepairsBelow {
  readonly records: RepairRecord[] = [];
  readonly repairedPaths: string[] = [];
  #failedPaths: Set<string> | undefined;

  add(repair: Repair, path: string): void {
    if (repair.kind === 'failed') {
      (this.#failedPaths ??= new Set()).add(path);
      for (const pathBelow of repair.repairedPaths) this.repairedPaths.push(pathBelow);
    } else if (repair.records.length > 0) {
      this.repairedPaths.push(path);
      for (const record of repair.records) this.records.push(record);
    }
  }

  fails(paths: readonly string[]): boolean {
    const failedPaths = this.#failedPaths;
    return failedPaths !== undefined && paths.some((path) => failedPaths.has(path));
  }
}

interface RepairedKeys {
  readonly value: JsonObject;
  readonly records: readonly RepairRecord[];
  /**
   * Paths of edits, in groups. The edits of a group count as repaired if none of the values there
   * has failed.
   */
  readonly certain: readonly (readonly string[])[];
}

/** Applies the object rules one after the other, each to the result of the one before. */
function repairKeys(
  context: RepairContext,
  object: JsonObject,
  location: Location,
  traitsBefore: KeyTraits,
): RepairedKeys | Refusal {
  let traits = traitsBefore;
  if (traits === noTraits) return { value: object, records: [], certain: [] };
  const { schema, view } = location.plan;
  const records: RepairRecord[] = [];
  const certain: (readonly string[])[] = [];
  let value = object;
  let locatedContext = context.ruleContext(value, location);
  for (const rule of objectRules) {
    if (traits === noTraits) break;
    if (!hasAny(traits, rule.answers)) continue;
    const objectBefore = value;
    const proposal = rule.propose(locatedContext);
    if ('kind' in proposal) return proposal;
    if (proposal.length === 0) continue;
    const edits = proposal.filter((edit) => isMeant(context, edit, objectBefore, location));
    if (edits.length === 0) continue;
    if (context.rules.isOff(rule.id)) return refuse;
    value = restoredKeys(context, editKeys(objectBefore, edits, context.numbers), edits, location);
    traits = keyTraits(value, view);
    locatedContext = context.ruleContext(value, location);
    const { path } = location;
    const newRecords = edits.map((edit) =>
      recordKeyEdit(context.views, { rule, schema, path, valueBefore: objectBefore, edit }),
    );
    for (const record of newRecords) records.push(record);
    // An edit that would leave a note on an executed call stays an issue of a rejected one.
    if (!view.relatesKeys && rule.notes !== true) addPathsTogether(certain, newRecords);
  }
  return { value, records, certain };
}

/** What is true of an object's keys. */
export type KeyTraits = Readonly<Record<KeyTrait, boolean>>;

/** Whether any of some traits is true of an object's keys. */
export function hasAny(traits: KeyTraits, some: readonly KeyTrait[]): boolean {
  for (const trait of some) if (traits[trait]) return true;
  return false;
}

/** `noTraits` for most objects, which have nothing wrong. */
export function keyTraits(object: JsonObject, view: SchemaView): KeyTraits {
  let undeclared = false;
  let empty = false;
  let lacksKeys = false;
  const keys = Object.keys(object);
  for (const key of keys) {
    if (!view.properties.has(key)) undeclared = true;
    else empty ||= isEmptyValue(object[key]);
  }
  for (const key of view.required) lacksKeys ||= !Object.hasOwn(object, key);
  const alone = keys.length === 1;
  return undeclared || empty || lacksKeys || alone
    ? { undeclared, empty, missing: lacksKeys, alone }
    : noTraits;
}

const isEmptyValue = (value: JsonValue | undefined): boolean =>
  value === null || isPlaceholder(value);

export const noTraits: KeyTraits = {
  undeclared: false,
  empty: false,
  missing: false,
  alone: false,
};

/**
 * Whether an edit is meant. In an open object, a key whose value would not fit the optional key
 * that it resembles is left as it was sent, and nothing is added under the key that it resembles.
 */
function isMeant(
  context: RepairContext,
  edit: KeyEdit,
  object: JsonObject,
  location: Location,
): boolean {
  const { view } = location.plan;
  if (edit.op === 'set')
    return !context.misspelt(view, object).some(([, declaredKey]) => declaredKey === edit.key);
  if (edit.op === 'remove') return true;
  const isOptional = view.additionalProperties === true && !view.required.has(edit.to);
  if (edit.op === 'rename' && !isOptional) return true;
  const editedObject = editKeys(object, [edit], context.numbers);
  const plan = location.plan.member(edit.to);
  const at = memberLocation(location, plan, edit.to, editedObject);
  const isFit =
    typeof plan.schema === 'boolean' ||
    context.repair(context.restoreText(editedObject[edit.to] ?? null, at.path), at).kind === 'fits';
  if (isFit || edit.op === 'lift') return isFit;
  const isEmpty = isDropped(context, edit.to, editedObject, location);
  if (!isEmpty) context.ignoreKey(location, edit.key);
  return isEmpty;
}

/** Whether a rule would leave out the empty value of a declared key. */
function isDropped(
  context: RepairContext,
  key: string,
  object: JsonObject,
  location: Location,
): boolean {
  const locatedContext = context.ruleContext(object, location);
  return objectRules.some((rule) => {
    const proposal = rule.propose(locatedContext);
    return (
      !('kind' in proposal) && proposal.some((edit) => edit.op === 'remove' && edit.key === key)
    );
  });
}

/**
 * Maps values that were sent under another key from the provider's schema, which only now is
 * possible.
 */
function restoredKeys(
  context: RepairContext,
  object: JsonObject,
  edits: readonly KeyEdit[],
  { path }: Location,
): JsonObject {
  const changes = edits.flatMap((edit): readonly (readonly [string, JsonValue])[] => {
    if (edit.op !== 'rename' && edit.op !== 'lift') return [];
    const value = object[edit.to] ?? null;
    const restoredMember = context.restoreText(value, pointerTo(path, edit.to));
    return restoredMember === value ? [] : [[edit.to, restoredMember]];
  });
  return withMembers(object, changes, context.numbers);
}

/** Adds the paths of one rule's edits: each renamed key by itself, all others together. */
function addPathsTogether(groups: (readonly string[])[], records: readonly RepairRecord[]): void {
  const others: string[] = [];
  for (const { operations } of records)
    for (const operation of operations) {
      if (operation.op === 'move') groups.push([operation.from, operation.path]);
      else others.push(operation.path);
    }
  groups.push(others);
}

import { type JsonValue, isJsonArray, isJsonObject, sameValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../../schema/schema-view.ts';
import { isMap } from '../../validate/strict-checks.ts';
import { isDeclaredKey } from '../read-text.ts';
import type { RepairRecord } from '../repair-rule.ts';
import { hidesMovedClosers } from '../rule-table.ts';
import type { QuotedText } from './build-reading.ts';
import * as edit from './edits.ts';
import { type TextReading, keysIn } from './read-broken-text.ts';

/** A reading that the value rules and the validator have accepted, as it became. */
export interface AcceptedReading<Result> {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  /** Keys that were taken out of the value because they are not for the tool. */
  readonly taken: readonly string[];
  readonly result: Result;
}

/** `several`: two of the values that the text may have. `unsure`: only witnesses have the one value. */
export type Choice<Result> =
  | { readonly kind: 'one'; readonly reading: TextReading; readonly result: Result }
  | { readonly kind: 'several'; readonly values: readonly [JsonValue, JsonValue] }
  | { readonly kind: 'unsure' | 'none' };

interface Candidate<Result> extends AcceptedReading<Result> {
  readonly reading: TextReading;
  readonly isWitness: boolean;
}

/** The schema of what the text stands for. */
interface Place {
  readonly views: SchemaViews;
  readonly schema: JsonSchema;
}

/** Repairs and validates each reading by itself, and chooses the one that is left. `accept` returns undefined for a refused reading. */
export function chooseReading<Result>(
  readings: readonly TextReading[],
  place: Place,
  accept: (reading: TextReading) => AcceptedReading<Result> | undefined,
): Choice<Result> {
  const isOnly = readings.every(({ value }) => sameValue(value, readings[0]?.value ?? null));
  const fitting = readings.flatMap((reading): readonly Candidate<Result>[] => {
    const accepted = accept(reading);
    if (accepted === undefined) return [];
    const parts = partsOf(place, accepted.value);
    // A closer that is missing or surplus puts the members after it into another object. Such a reading is refused: if there are
    // others and it has an undeclared key, which may belong to another object; and if a member isn't declared where it moved.
    const isMoving = (reading.edits & (edit.movingEdits | edit.closersBehind)) !== 0;
    if (isMoving && !isOnly && parts.members().some((member) => kindOf(member) === 'undeclared')) return [];
    if (!movesOnlyKnown(reading, accepted, parts) || !hasPlausibleContent(reading, place, parts)) return [];
    // In an object that takes any key, the schema can't confirm that the member belongs there.
    const isWitness =
      reading.isWitness ||
      reading.movedKeys.some((key) => parts.named(key).some((member) => kindOf(member) === 'free')) ||
      reading.keysBehindEmpty.some((key) => parts.named(key).some(mayBeInEmpty));
    return [{ ...accepted, reading, isWitness }];
  });
  const [first, ...others] = fitting.toSorted((left, right) => left.reading.cost - right.reading.cost);
  if (first === undefined) return { kind: 'none' };
  const other = others.find(({ value }) => !sameValue(value, first.value));
  if (other !== undefined) return { kind: 'several', values: [first.value, other.value] };
  const certain = fitting.find(({ isWitness }) => !isWitness);
  return certain === undefined
    ? { kind: 'unsure' }
    : { kind: 'one', reading: certain.reading, result: certain.result };
}

/** Whether keys, words and strings that were read with edits of quotes, commas or colons look like what was meant. */
function hasPlausibleContent(
  { value, edits, quoted, bareWords, quotedNumbers }: TextReading,
  { views }: Place,
  parts: Parts,
): boolean {
  if ((edits & edit.contentEdits) !== 0 && !parts.members().every(hasName)) return false;
  if (!bareWords.every((word) => parts.equal(word).some(isDeclaredString))) return false;
  if (!quotedNumbers.every((number) => parts.equal(number).some(isDeclaredNumber))) return false;
  if (quoted.length === 0) return true;
  const rootKeys = viewsOf(views, views.root).flatMap(({ properties }) => [...properties.keys()]);
  const known = new Set([...keysIn(value), ...rootKeys]);
  return !quoted.some((string) => {
    const objects = parts.equal(string.text).flatMap(({ around }) => around.at(-1) ?? []);
    const isKnown = (name: string): boolean =>
      known.has(name) || objects.some((object) => declares(object, name));
    return !string.isRoot && hasSwallowed(string, isKnown);
  });
}

/** Whether all members that edits of closers moved are declared where they are now, and no rule has hidden that one isn't. */
function movesOnlyKnown<Result>(
  { edits, movedKeys }: TextReading,
  { records, taken }: AcceptedReading<Result>,
  parts: Parts,
): boolean {
  if ((edits & edit.movingEdits) === 0) return true;
  const isKnown = (key: string): boolean => {
    const kinds = parts.named(key).map(kindOf);
    return kinds.length === 0
      ? taken.includes(key)
      : kinds.every((kind) => kind === 'declared' || kind === 'free');
  };
  return (
    movedKeys.every(isKnown) &&
    !parts.members().some(isStray) &&
    !records.some(({ rule }) => hidesMovedClosers(rule))
  );
}

/** Whether a string with quotes in it contains a member that was meant to follow it: `a", "b": "c`. */
function hasSwallowed({ text, isMisread }: QuotedText, isKnown: (name: string) => boolean): boolean {
  if (isMisread) return true;
  if (/^\s*(["'])[^"'\n]{1,64}\1\s*:/.test(text) || /"\s*;\s*(?:["']|[\w$-]+\s*:)/.test(text)) return true;
  const names = [
    ...text.matchAll(/(["'])([^"'\n]{1,64})\1\s*:/g),
    ...text.matchAll(/(["'])\s*([\w$.-]{1,64})\s*:/g),
  ];
  return names.some(([, , name = '']) => isKnown(name));
}

/** A value in a reading, with the views of its schema, or of the branches of a union. */
interface Part {
  readonly value: JsonValue;
  readonly views: readonly SchemaView[];
  /** The objects around it, outermost first. */
  readonly around: readonly Part[];
}

/** A member of the innermost object around it. */
interface Member extends Part {
  readonly key: string;
  readonly before: Part | undefined;
}

/** They are listed when one of them is asked for. */
interface Parts {
  readonly members: () => readonly Member[];
  readonly named: (key: string) => readonly Member[];
  readonly equal: (value: JsonValue) => readonly Part[];
}

function partsOf(place: Place, root: JsonValue): Parts {
  let listed: ListedParts | undefined;
  let byKey: Map<string, Member[]> | undefined;
  let byValue: Map<JsonValue, Part[]> | undefined;
  const list = (): ListedParts => (listed ??= listParts(place, root));
  return {
    members: () => list().members,
    named: (key) => (byKey ??= Map.groupBy(list().members, (member) => member.key)).get(key) ?? [],
    equal: (value) => (byValue ??= Map.groupBy(list().parts, (part) => part.value)).get(value) ?? [],
  };
}

interface ListedParts {
  readonly parts: readonly Part[];
  readonly members: readonly Member[];
}

function listParts({ views: all, schema }: Place, root: JsonValue): ListedParts {
  const parts: Part[] = [];
  const members: Member[] = [];
  const below = (views: readonly SchemaView[], pick: (view: SchemaView) => JsonSchema) => {
    const [only, ...others] = views;
    return only !== undefined && others.length === 0
      ? viewsOf(all, pick(only))
      : views.flatMap((view) => viewsOf(all, pick(view)));
  };
  const visit = (part: Part): void => {
    parts.push(part);
    const { value, views, around } = part;
    if (isJsonArray(value)) {
      for (const [index, element] of value.entries()) {
        const inner = below(views, (view) => view.prefixItems[index] ?? view.items);
        visit({ value: element, views: inner, around });
      }
    } else if (isJsonObject(value)) {
      let before: Part | undefined;
      const inside = [...around, part];
      for (const [key, member] of Object.entries(value)) {
        const inner = below(views, (view) => memberSchema(view, key));
        const found = { value: member, views: inner, around: inside, key, before };
        members.push(found);
        visit(found);
        before = found;
      }
    }
  };
  visit({ value: root, views: viewsOf(all, schema), around: [] });
  return { parts, members };
}

/** The views of a schema, or of the branches of a union. */
function viewsOf(views: SchemaViews, schema: JsonSchema): readonly SchemaView[] {
  const view = views.of(schema);
  return view.branches.length === 0 ? [view] : view.branches.map((branch) => views.of(branch));
}

/**
 * `declared`: by its object. `undeclared`: by an object that declares others. In objects that take any key, `free`, or `stray` if an
 * object around declares it. If a tool declares `path` and `options: { limit }`, and `tags` takes any key, then in
 * `{ path: 'a', options: { limit: 1, x: 2 }, tags: { y: 3, path: 5 } }` `x` is undeclared, `y` free, and the second `path` stray.
 */
function kindOf({ key, around }: Member): 'declared' | 'undeclared' | 'free' | 'stray' {
  const object = around.at(-1);
  if (object !== undefined && isClosedTo(object, key)) return 'undeclared';
  if (object !== undefined && declares(object, key)) return 'declared';
  return around.some((outer) => declares(outer, key)) ? 'stray' : 'free';
}

/** Whether a key is declared, or looks like a name in an object that takes any key. */
function hasName(member: Member): boolean {
  const kind = kindOf(member);
  return kind === 'declared' || (kind !== 'undeclared' && /^[\p{L}\p{N}_\-.$]{1,64}$/u.test(member.key));
}

/** Whether an undeclared key is declared by, and missing in, an object around it or the object before it: it probably belongs there. */
const isStray = (member: Member): boolean =>
  kindOf(member) === 'undeclared' &&
  [...member.around, member.before].some((one) => one !== undefined && lacks(one, member.key));

/** Whether the empty object before a member may hold it, too. */
const mayBeInEmpty = ({ key, before }: Member): boolean =>
  before !== undefined &&
  isJsonObject(before.value) &&
  Object.keys(before.value).length === 0 &&
  !isClosedTo(before, key);

const isDeclaredString = ({ views }: Part): boolean =>
  views.some(({ types }) => types.has('string') && types.size < allTypes);

const isDeclaredNumber = ({ views }: Part): boolean =>
  views.some(({ types }) => types.has('number') || types.has('integer')) &&
  !views.some(({ types }) => types.has('string'));

const allTypes = 7;

const declares = ({ views }: Part, key: string): boolean =>
  views.some(({ properties }) => properties.has(key));

const lacks = (part: Part, key: string): boolean =>
  isJsonObject(part.value) && declares(part, key) && !Object.hasOwn(part.value, key);

/** Whether an object declares keys, but not this one, and doesn't take any key. */
const isClosedTo = ({ views }: Part, key: string): boolean =>
  views.some(({ properties }) => properties.size > 0) &&
  !views.some((view) => isDeclaredKey(view, key) || isMap(view));

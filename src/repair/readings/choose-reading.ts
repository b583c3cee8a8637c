import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, sameValue } from '../../json/value.ts';
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
    const hasStrings = reading.quoted.length > 0 || reading.bareWords.length > 0;
    const shape = new ReadShape(place, accepted.value, hasStrings);
    // A closer that is missing or surplus puts the members after it into another object. Such a reading is refused: if there are
    // others and it has an undeclared key, which may belong to another object; and if a member isn't declared where it moved.
    const isMoving = (reading.edits & (edit.movingEdits | edit.closersBehind)) !== 0;
    if (isMoving && !isOnly && shape.undeclared.size > 0) return [];
    if (!movesOnlyKnown(reading, accepted, shape) || !hasPlausibleContent(reading, shape)) return [];
    // In an object that takes any key, the schema can't confirm that the member belongs there.
    const isWitness =
      reading.isWitness ||
      reading.movedKeys.some((key) => shape.free.has(key)) ||
      reading.keysBehindEmpty.some((key) => shape.mayBeInEmpty.has(key));
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
  shape: ReadShape,
): boolean {
  if ((edits & edit.contentEdits) !== 0 && !shape.hasOnlyNames) return false;
  if (!bareWords.every((word) => shape.texts.has(word))) return false;
  if (!quotedNumbers.every((number) => shape.numbers.has(number))) return false;
  const known = quoted.length === 0 ? noKeys : new Set([...keysIn(value), ...shape.rootKeys]);
  return !quoted.some((string) => {
    const isKnown = (name: string): boolean => known.has(name) || shape.isDeclaredBeside(string.text, name);
    return !string.isRoot && hasSwallowed(string, isKnown);
  });
}

/** Whether all members that edits of closers moved are declared where they are now, and no rule has hidden that one isn't. */
function movesOnlyKnown<Result>(
  { edits, movedKeys }: TextReading,
  { records, taken }: AcceptedReading<Result>,
  shape: ReadShape,
): boolean {
  if ((edits & edit.movingEdits) === 0) return true;
  const isKnown = (key: string): boolean =>
    (shape.declared.has(key) || shape.free.has(key) || taken.includes(key)) &&
    !shape.undeclared.has(key) &&
    !shape.stray.has(key);
  return (
    movedKeys.every(isKnown) && !shape.hasStrayKey && !records.some(({ rule }) => hidesMovedClosers(rule))
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

/**
 * Which keys and scalars of a value its schema declares at their places. If a tool declares `path` and `options: { limit }`, and
 * `tags` takes any key, then in `{ path: 'a', options: { limit: 1, path: 'b', x: 2 }, tags: { y: 3, limit: 4, path: 5 } }`:
 * `path` and `limit` are declared in their objects, `path` and `x` are undeclared in `options`, `y` and `limit` are free in `tags`,
 * and `path` is stray there, because an object around it declares it.
 */
class ReadShape {
  readonly rootKeys: ReadonlySet<string>;
  /**
   * `declared`: by their object. `undeclared`: by an object that declares others. In objects that take any key, `free`, or `stray` if
   * an object around declares them.
   */
  readonly declared = new Set<string>();
  readonly undeclared = new Set<string>();
  readonly free = new Set<string>();
  readonly stray = new Set<string>();
  /** Keys that the empty object before them may hold, too. */
  readonly mayBeInEmpty = new Set<string>();
  /** Strings at places that are declared as strings. */
  readonly texts = new Set<string>();
  /** Numbers at places that are declared as numbers and not as strings. */
  readonly numbers = new Set<number>();
  /** All keys are declared, or look like names in objects that take any key. */
  hasOnlyNames = true;
  /** An undeclared key is declared by, and missing in, an object around it or the object before it: it probably belongs there. */
  hasStrayKey = false;
  /** The objects that hold a string as a member, or in a list. */
  readonly #objectsOf = new Map<string, Set<DeclaredObject>>();
  readonly #schemas: SchemaViews;
  readonly #hasStrings: boolean;

  /** `hasStrings`: the places of strings are needed. */
  constructor({ views, schema }: Place, value: JsonValue, hasStrings: boolean) {
    this.#schemas = views;
    this.#hasStrings = hasStrings;
    this.rootKeys = new Set(this.#viewsOf(views.root).flatMap(({ properties }) => [...properties.keys()]));
    this.#visit(value, this.#viewsOf(schema), []);
  }

  /** Whether an object that holds a string declares a key. */
  isDeclaredBeside(text: string, key: string): boolean {
    return [...(this.#objectsOf.get(text) ?? [])].some((object) => declares(object, key));
  }

  /** The views of a schema, or of the branches of a union. */
  #viewsOf(schema: JsonSchema): readonly SchemaView[] {
    const view = this.#schemas.of(schema);
    if (view.branches.length === 0) return [view];
    return view.branches.map((branch) => this.#schemas.of(branch));
  }

  #below(views: readonly SchemaView[], pick: (view: SchemaView) => JsonSchema): readonly SchemaView[] {
    const [only, ...others] = views;
    const isOne = only !== undefined && others.length === 0;
    return isOne ? this.#viewsOf(pick(only)) : views.flatMap((view) => this.#viewsOf(pick(view)));
  }

  #visit(value: JsonValue, views: readonly SchemaView[], around: readonly DeclaredObject[]): void {
    if (typeof value === 'string') {
      if (this.#hasStrings) this.#addText(value, views, around.at(-1));
    } else if (typeof value === 'number') {
      const isNumber = views.some(({ types }) => types.has('number') || types.has('integer'));
      if (isNumber && !views.some(({ types }) => types.has('string'))) this.numbers.add(value);
    } else if (isJsonArray(value)) {
      for (const [index, element] of value.entries()) {
        const below = this.#below(views, (view) => view.prefixItems[index] ?? view.items);
        this.#visit(element, below, around);
      }
    } else if (isJsonObject(value)) this.#visitObject({ value, views }, around);
  }

  #addText(text: string, views: readonly SchemaView[], object: DeclaredObject | undefined): void {
    if (views.some(({ types }) => types.has('string') && types.size < allTypes)) this.texts.add(text);
    if (object !== undefined) this.#objectsOf.set(text, (this.#objectsOf.get(text) ?? new Set()).add(object));
  }

  #visitObject(object: DeclaredObject, around: readonly DeclaredObject[]): void {
    let before: DeclaredObject | undefined;
    for (const [key, member] of Object.entries(object.value)) {
      if (before !== undefined && Object.keys(before.value).length === 0 && !isClosedTo(before, key))
        this.mayBeInEmpty.add(key);
      if (isClosedTo(object, key)) {
        this.undeclared.add(key);
        this.hasOnlyNames = false;
        this.hasStrayKey ||= [...around, before].some((one) => one !== undefined && lacks(one, key));
      } else if (declares(object, key)) this.declared.add(key);
      else {
        (around.some((outer) => declares(outer, key)) ? this.stray : this.free).add(key);
        if (!looksLikeName.test(key)) this.hasOnlyNames = false;
      }
      const below = this.#below(object.views, (view) => memberSchema(view, key));
      before = isJsonObject(member) ? { value: member, views: below } : undefined;
      this.#visit(member, below, [...around, object]);
    }
  }
}

const noKeys: ReadonlySet<string> = new Set();
const allTypes = 7;
const looksLikeName = /^[\p{L}\p{N}_\-.$]{1,64}$/u;

/** An object with the views of its schema. */
interface DeclaredObject {
  readonly value: JsonObject;
  readonly views: readonly SchemaView[];
}

const declares = ({ views }: DeclaredObject, key: string): boolean =>
  views.some(({ properties }) => properties.has(key));

const lacks = (object: DeclaredObject, key: string): boolean =>
  declares(object, key) && !Object.hasOwn(object.value, key);

/** Whether an object declares keys, but not this one, and doesn't take any key. */
const isClosedTo = ({ views }: DeclaredObject, key: string): boolean =>
  views.some(({ properties }) => properties.size > 0) &&
  !views.some((view) => isDeclaredKey(view, key) || isMap(view));

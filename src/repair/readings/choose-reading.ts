import { type JsonValue, isJsonArray, isJsonObject, sameValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../../schema/schema-view.ts';
import { isDeclaredKey } from '../read-text.ts';
import type { RepairRecord } from '../repair-rule.ts';
import { hidesMovedClosers } from '../rule-table.ts';
import { contentEdits, movingEdits } from './edits.ts';
import type { TextReading } from './read-broken-text.ts';

/** What became of one reading that the value rules and the validator have accepted. */
export interface JudgedReading<Result> {
  readonly value: JsonValue;
  readonly records: readonly RepairRecord[];
  /** Keys that were taken out of the value because they are not for the tool. */
  readonly taken: readonly string[];
  readonly result: Result;
}

/** `several`: two of the values that the text may have. `unsure`: its one value is only that of a witness. */
export type Choice<Result> =
  | { readonly kind: 'one'; readonly reading: TextReading; readonly result: Result }
  | { readonly kind: 'several'; readonly values: readonly [JsonValue, JsonValue] }
  | { readonly kind: 'unsure' | 'none' };

interface Candidate<Result> extends JudgedReading<Result> {
  readonly reading: TextReading;
  readonly undeclared: number;
}

/** The one reading that is left if each is judged by itself. `judge` gives undefined for one that is refused. */
export function chooseReading<Result>(
  readings: readonly TextReading[],
  place: { readonly views: SchemaViews; readonly schema: JsonSchema },
  judge: (reading: TextReading) => JudgedReading<Result> | undefined,
): Choice<Result> {
  const fitting = readings.flatMap((reading): readonly Candidate<Result>[] => {
    const judged = judge(reading);
    if (judged === undefined) return [];
    const shape = new ReadShape(place.views, place.schema, judged.value);
    return fits(reading, judged, shape) ? [{ ...judged, reading, undeclared: shape.undeclared.length }] : [];
  });
  const isMoving = fitting.some(({ reading }) => (reading.edits & movingEdits) !== 0);
  const fewest = Math.min(...fitting.map(({ undeclared }) => undeclared));
  const counted = isMoving && fewest === 0 ? fitting.filter(({ undeclared }) => undeclared === 0) : fitting;
  const [first, ...others] = counted.toSorted((left, right) => left.reading.cost - right.reading.cost);
  if (first === undefined) return { kind: 'none' };
  const other = others.find(({ value }) => !sameValue(value, first.value));
  if (other !== undefined) return { kind: 'several', values: [first.value, other.value] };
  const accepted = counted.find(({ reading }) => !reading.isWitness);
  return accepted === undefined
    ? { kind: 'unsure' }
    : { kind: 'one', reading: accepted.reading, result: accepted.result };
}

function fits<Result>(
  reading: TextReading,
  { value, records, taken }: JudgedReading<Result>,
  shape: ReadShape,
): boolean {
  const { edits, quoted, bareWords, quotedNumbers, movedKeys, keys } = reading;
  const known = (name: string): boolean => keys.has(name) || shape.rootKeys.has(name);
  if ((edits & contentEdits) !== 0 && !shape.hasOnlyNames) return false;
  if (!bareWords.every((word) => shape.texts.has(word))) return false;
  if (!quotedNumbers.every((number) => shape.numbers.has(number))) return false;
  if (quoted.some(({ text, isRoot }) => !isRoot && hasSwallowed(text, known))) return false;
  if ((edits & movingEdits) === 0) return true;
  return (
    movedKeys.every((key) => shape.declared.has(key) || taken.includes(key)) &&
    !movedKeys.some((key) => shape.undeclared.includes(key)) &&
    !shape.hasStrayKey &&
    !records.some(({ rule }) => hidesMovedClosers(rule)) &&
    typeof value === 'object'
  );
}

/** Whether a string with quotes in it holds a member that is meant to stand beside it. */
function hasSwallowed(text: string, isKnown: (name: string) => boolean): boolean {
  if (/^\s*(["'])[^"'\n]{1,64}\1\s*:/.test(text) || /"\s*;\s*(?:["']|[\w$-]+\s*:)/.test(text)) return true;
  const names = [
    ...text.matchAll(/(["'])([^"'\n]{1,64})\1\s*:/g),
    ...text.matchAll(/(["'])\s*([\w$.-]{1,64})\s*:/g),
  ];
  return names.some(([, , name = '']) => isKnown(name));
}

/** Where the keys of a value stand in its schema. */
class ReadShape {
  readonly rootKeys: ReadonlySet<string>;
  /** Keys that the object around them declares by name, and those that one declares not. */
  readonly declared = new Set<string>();
  readonly undeclared: string[] = [];
  /** Strings where text is declared; numbers where numbers are and text is not. */
  readonly texts = new Set<string>();
  readonly numbers = new Set<number>();
  /** All keys are declared, or look like names where none are declared. */
  hasOnlyNames = true;
  /** An undeclared key is declared by, and absent from, an object around it or the one before it. */
  hasStrayKey = false;
  readonly #views: SchemaViews;

  constructor(views: SchemaViews, schema: JsonSchema, value: JsonValue) {
    this.#views = views;
    this.rootKeys = new Set(this.#leaves(views.root).flatMap(({ properties }) => [...properties.keys()]));
    this.#visit(value, this.#leaves(schema), []);
  }

  /** The schema without its unions. */
  #leaves(schema: JsonSchema): readonly SchemaView[] {
    const view = this.#views.of(schema);
    return view.branches.length === 0 ? [view] : view.branches.flatMap((branch) => this.#leaves(branch));
  }

  #visit(value: JsonValue, leaves: readonly SchemaView[], around: readonly DeclaredObject[]): void {
    if (typeof value === 'string') {
      if (leaves.some(({ types }) => types.has('string') && types.size < allTypes)) this.texts.add(value);
    } else if (typeof value === 'number') {
      const isNumber = leaves.some(({ types }) => types.has('number') || types.has('integer'));
      if (isNumber && !leaves.some(({ types }) => types.has('string'))) this.numbers.add(value);
    } else if (isJsonArray(value)) {
      for (const [index, element] of value.entries()) {
        const below = leaves.flatMap((view) => this.#leaves(view.prefixItems[index] ?? view.items));
        this.#visit(element, below, around);
      }
    } else if (isJsonObject(value)) this.#visitObject(new DeclaredObject(value, leaves), around);
  }

  #visitObject(object: DeclaredObject, around: readonly DeclaredObject[]): void {
    let before: DeclaredObject | undefined;
    for (const [key, member] of Object.entries(object.value)) {
      if (object.isClosedTo(key)) {
        this.undeclared.push(key);
        this.hasOnlyNames = false;
        this.hasStrayKey ||= before?.lacks(key) === true || around.some((outer) => outer.lacks(key));
      } else if (object.declares(key)) this.declared.add(key);
      else if (!looksLikeName.test(key)) this.hasOnlyNames = false;
      const below = object.leaves.flatMap((view) => this.#leaves(memberSchema(view, key)));
      before = isJsonObject(member) ? new DeclaredObject(member, below) : undefined;
      this.#visit(member, below, [...around, object]);
    }
  }
}

const allTypes = 7;
const looksLikeName = /^[\p{L}\p{N}_\-.$]{1,64}$/u;

/** An object, and what its schema says about keys. */
class DeclaredObject {
  readonly value: { readonly [key: string]: JsonValue };
  readonly leaves: readonly SchemaView[];

  constructor(value: { readonly [key: string]: JsonValue }, leaves: readonly SchemaView[]) {
    this.value = value;
    this.leaves = leaves;
  }

  declares(key: string): boolean {
    return this.leaves.some(({ properties }) => properties.has(key));
  }

  lacks(key: string): boolean {
    return this.declares(key) && !Object.hasOwn(this.value, key);
  }

  /** The object declares keys, is no map, and doesn't declare this one. */
  isClosedTo(key: string): boolean {
    const declaresKeys = this.leaves.some(({ properties }) => properties.size > 0);
    return declaresKeys && !this.leaves.some((view) => isDeclaredKey(view, key) || isMap(view));
  }
}

const isMap = ({ patternProperties, additionalProperties }: SchemaView): boolean =>
  patternProperties.length > 0 || typeof additionalProperties !== 'boolean';

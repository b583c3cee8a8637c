import { pointerTo } from '../json/json-pointer.ts';
import { mayBeLink, pathInLink } from '../json/markdown-link.ts';
import { type JsonObject, type JsonValue, foldKey, isJsonArray, isJsonObject } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { StrictReadings } from '../tool/tool-contract.ts';

// A look that makes nothing and looks nothing up.
/** What is known of the values at one place. */
export interface LookedAt {
  /** Unions, tuples and maps take a close look. */
  readonly needsCloseLook: boolean;
  /** The declared keys below which something can fail. */
  readonly members: readonly Member[];
  /** The keys of an open object, where any other key could be one of them misspelt. */
  readonly declared: ReadonlyMap<string, unknown> | undefined;
  readonly items: CleanLook;
}

export interface Member {
  readonly key: string;
  readonly look: CleanLook;
}

/** Reads what it must know when it is first asked, so that a schema may contain itself. */
export class CleanLook {
  readonly #read: () => LookedAt;
  #known: LookedAt | undefined;

  constructor(read: () => LookedAt) {
    this.#read = read;
  }

  /** A yes is certain, a no has to be looked at closely. */
  isClean(value: JsonValue): boolean {
    if (typeof value === 'string') return !mayBeLink(value);
    if (typeof value !== 'object' || value === null) return true;
    const known = (this.#known ??= this.#read());
    if (known.needsCloseLook) return false;
    return isJsonArray(value)
      ? value.every((item) => known.items.isClean(item))
      : isCleanObject(value, known);
  }
}

function isCleanObject(value: JsonObject, { members, declared }: LookedAt): boolean {
  // What a prototype has under such a name is no text and no object.
  for (const { key, look } of members) if (!look.isClean(value[key] ?? null)) return false;
  return declared === undefined || Object.keys(value).every((key) => declared.has(key));
}

const foldedNames = new WeakMap<SchemaView, ReadonlyMap<string, string | undefined>>();

/**
 * Pairs of a sent key and the declared one it stands for, also where the declared one is there under its
 * own name: then it is a second spelling. None in a map, whose keys are data.
 */
function misspellings(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[] {
  if (isMap(view)) return [];
  const found: (readonly [string, string])[] = [];
  for (const key of Object.keys(value)) {
    if (view.properties.has(key)) continue;
    const folded = foldKey(key);
    const declared = folded === undefined ? undefined : declaredByFold(view).get(folded);
    if (declared !== undefined) found.push([key, declared]);
  }
  return found;
}

/** Whether other keys than the declared ones have a schema: then they are data. */
export const isMap = (view: SchemaView): boolean =>
  view.patternProperties.length > 0 || typeof view.additionalProperties !== 'boolean';

/** Declared names by their folded form; undefined where two declared names fold to the same. */
function declaredByFold(view: SchemaView): ReadonlyMap<string, string | undefined> {
  const known = foldedNames.get(view);
  if (known !== undefined) return known;
  const names = new Map<string, string | undefined>();
  for (const name of view.properties.keys()) {
    const folded = foldKey(name);
    if (folded !== undefined) names.set(folded, names.has(folded) ? undefined : name);
  }
  foldedNames.set(view, names);
  return names;
}

const pathWords: ReadonlySet<string> = new Set(
  ['path', 'file', 'filename', 'filepath', 'dir', 'directory', 'folder'].flatMap((word) => [
    word,
    plural(word),
  ]),
);

function plural(word: string): string {
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** True if the last word of a name, in any casing, is one of a path: `FILE_PATH`, `outputDir`, `fileName`. */
export function isPathName(name: string): boolean {
  const last = name.split(separators).findLast((part) => part !== '') ?? '';
  const lastHump = last.replace(/.*[a-z0-9](?=[A-Z])/, '');
  return [last, lastHump].some((word) => pathWords.has(word.toLowerCase()));
}

const separators = /[\s_.-]+/;

// Unions in unions come to the same value on many ways.
/** A place, as far as it decides what is found there. */
interface WalkedPlace {
  readonly path: string;
  readonly name: string | undefined;
  readonly isPath: boolean;
}

class UnionMemory<Found> {
  readonly #known = new Map<JsonValue, Map<SchemaView, Map<string, Found>>>();

  /** What was found before for the value at this place, or what is found now. */
  find(value: JsonValue, { path, name, isPath }: WalkedPlace, view: SchemaView, look: () => Found): Found {
    // Of other values it is quickly found out again.
    if (typeof value !== 'object' || value === null) return look();
    const byView = this.#known.get(value) ?? new Map<SchemaView, Map<string, Found>>();
    this.#known.set(value, byView);
    const byPlace = byView.get(view) ?? new Map<string, Found>();
    byView.set(view, byPlace);
    const place = JSON.stringify([path, name, isPath]);
    const known = byPlace.get(place);
    if (known !== undefined) return known;
    const found = look();
    byPlace.set(place, found);
    return found;
  }
}

// A path that is a link a renderer made, and a key that is a declared one misspelt.
export interface StrictFailure {
  readonly keyword: 'path' | 'misspelt';
  /** JSON Pointer of the link, or of the object with the misspelt key. */
  readonly path: string;
  readonly key?: string;
  /** The declared key that a misspelt one stands for. */
  readonly declared?: string;
}

/** Where a walk stands: the schema, what the place is called, and whether a path was declared around it. */
export interface StrictStep {
  readonly schema: JsonSchema;
  readonly path: string;
  readonly name: string | undefined;
  readonly isPath: boolean;
}

/** Walks values, but only below schemas that have a path or could hide a misspelt key. */
export class StrictReader {
  readonly #views: SchemaViews;
  readonly #readings: StrictReadings;
  // Answers that a schema gives once: by the name of the place, in a list of paths and elsewhere.
  readonly #worthwhile = new WeakMap<SchemaView, Map<string | undefined, boolean>>();
  readonly #worthwhileInPaths = new WeakMap<SchemaView, Map<string | undefined, boolean>>();
  readonly #looks = new WeakMap<SchemaView, CleanLook>();
  readonly #followedKeys = new WeakMap<SchemaView, ReadonlyMap<string, JsonSchema>>();
  readonly #pathNames = new Map<string, boolean>();
  #unions = new UnionMemory<readonly StrictFailure[]>();
  readonly #admits: (schema: JsonSchema, value: JsonValue) => boolean;

  constructor(
    views: SchemaViews,
    readings: StrictReadings,
    admits: (schema: JsonSchema, value: JsonValue) => boolean,
  ) {
    this.#views = views;
    this.#readings = readings;
    this.#admits = admits;
  }

  /** The failures of a value below one schema, found by a walk from there. */
  failures(value: JsonValue, start: StrictStep): readonly StrictFailure[] {
    if (!this.mayFail(start)) return [];
    this.#unions = new UnionMemory<readonly StrictFailure[]>();
    return this.#collect(value, start, []);
  }

  /** A quick look at values that the schema accepts; kept, so that it can be asked for once. */
  lookAt(schema: JsonSchema): CleanLook {
    const view = this.#views.of(schema);
    let look = this.#looks.get(view);
    if (look === undefined) {
      look = new CleanLook(() => this.#lookedAt(view));
      this.#looks.set(view, look);
    }
    return look;
  }

  #lookedAt(view: SchemaView): LookedAt {
    const followed = this.#followed(view);
    const isMixed = view.branches.length > 0 || view.prefixItems.length > 0;
    const members = [...(followed ?? [])].flatMap(([key, schema]) =>
      schema === true ? [] : [{ key, look: this.lookAt(schema) }],
    );
    // A closed object that its schema accepts has declared keys alone.
    const hidesSpellings = this.#readings.spellings && view.additionalProperties !== false;
    return {
      needsCloseLook: isMixed || followed === undefined,
      members,
      declared: hidesSpellings && view.properties.size > 0 ? view.properties : undefined,
      items: this.lookAt(view.items),
    };
  }

  /** Whether text at a place is a path: by its own tag, the one of the list around it, or its name. */
  isPathPlace(view: SchemaView, name: string | undefined, isInherited: boolean): boolean {
    if (this.#readings.paths === 'off') return false;
    if (view.semantic !== undefined) return view.semantic === 'path';
    return isInherited || (this.#readings.paths === 'names' && name !== undefined && this.#isPathName(name));
  }

  #isPathName(name: string): boolean {
    let answer = this.#pathNames.get(name);
    if (answer === undefined) {
      answer = isPathName(name);
      this.#pathNames.set(name, answer);
    }
    return answer;
  }

  /** Undeclared keys that are a misspelling of a declared, absent key; none in a map. */
  misspelt(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[] {
    return this.#readings.spellings ? misspellings(view, value) : [];
  }

  #collect(value: JsonValue, step: StrictStep, found: StrictFailure[]): readonly StrictFailure[] {
    const view = this.#views.of(step.schema);
    if (view.branches.length > 0) {
      const agreed = this.#unions.find(value, step, view, () =>
        this.#agreedFailures(value, step, view.branches),
      );
      for (const failure of agreed) found.push(failure);
      return found;
    }
    const isPath = this.isPathPlace(view, step.name, step.isPath);
    if (typeof value === 'string') {
      if (isPath && !view.isVerbatim && pathInLink(value) !== undefined)
        found.push({ keyword: 'path', path: step.path });
    } else if (isJsonArray(value)) {
      value.forEach((item, index) => {
        const schema = view.prefixItems[index] ?? view.items;
        this.#descend(item, { schema, path: pointerTo(step.path, index), name: step.name, isPath }, found);
      });
    } else if (isJsonObject(value)) {
      for (const [key, declared] of this.misspelt(view, value)) {
        found.push({ keyword: 'misspelt', path: step.path, key, declared });
      }
      this.#collectMembers(value, { view, path: step.path }, found);
    }
    return found;
  }

  #collectMembers(
    value: JsonObject,
    { view, path }: { view: SchemaView; path: string },
    found: StrictFailure[],
  ): void {
    const followed = this.#followed(view);
    for (const key of Object.keys(value)) {
      if (followed?.get(key) === true) continue;
      const member = value[key];
      // Only text and what may hold text or keys can fail.
      if (typeof member !== 'string' && typeof member !== 'object') continue;
      const schema = memberSchema(view, key);
      // The keys of a map are data: they say nothing of what stands there.
      const name = view.properties.has(key) ? key : undefined;
      const below = { schema, path: pointerTo(path, key), name, isPath: false };
      if (typeof schema !== 'boolean') this.#descend(member, below, found);
    }
  }

  /** The declared keys, with `true` for what no walk has to go into; undefined in a map, where any key may be. */
  #followed(view: SchemaView): ReadonlyMap<string, JsonSchema> | undefined {
    if (isMap(view)) return undefined;
    let followed = this.#followedKeys.get(view);
    if (followed === undefined) {
      const isFollowed = (name: string, schema: JsonSchema): boolean =>
        this.mayFail({ schema, path: '', name, isPath: false });
      followed = new Map(
        [...view.properties].map(([name, schema]) => [name, isFollowed(name, schema) ? schema : true]),
      );
      this.#followedKeys.set(view, followed);
    }
    return followed;
  }

  /** In a union: what fails in every branch that takes the value. */
  #agreedFailures(
    value: JsonValue,
    step: StrictStep,
    branches: readonly JsonSchema[],
  ): readonly StrictFailure[] {
    const [first = [], ...others] = branches
      .filter((branch) => this.#admits(branch, value))
      .map((schema) => this.#collect(value, { ...step, schema }, []));
    const known = others.map((failures) => new Set(failures.map(identityOf)));
    return first.filter((failure) => known.every((identities) => identities.has(identityOf(failure))));
  }

  #descend(value: JsonValue, step: StrictStep, found: StrictFailure[]): void {
    if (this.mayFail(step)) this.#collect(value, step, found);
  }

  /** Decided once a schema and name: is there anything below that a walk could find? */
  mayFail(step: StrictStep): boolean {
    const view = this.#views.of(step.schema);
    const answers = step.isPath ? this.#worthwhileInPaths : this.#worthwhile;
    let known = answers.get(view);
    if (known === undefined) {
      known = new Map();
      answers.set(view, known);
    }
    const answer = known.get(step.name);
    if (answer !== undefined) return answer;
    // While it is being decided, a schema that contains itself counts as worth a walk.
    known.set(step.name, true);
    const worthwhile = this.#couldFail(view, step);
    known.set(step.name, worthwhile);
    return worthwhile;
  }

  #couldFail(view: SchemaView, step: StrictStep): boolean {
    const isPath = this.isPathPlace(view, step.name, step.isPath);
    if (isPath && view.types.has('string')) return true;
    const isOpen = view.additionalProperties === true && view.patternProperties.length === 0;
    if (this.#readings.spellings && isOpen && view.properties.size > 0) return true;
    const items = [...view.prefixItems, view.items].filter((schema) => schema !== true);
    const values = [view.additionalProperties, ...view.patternProperties.map(([, schema]) => schema)];
    return (
      [...view.properties].some(([name, schema]) =>
        this.mayFail({ schema, path: '', name, isPath: false }),
      ) ||
      values.some(
        (schema) =>
          typeof schema !== 'boolean' && this.mayFail({ schema, path: '', name: undefined, isPath: false }),
      ) ||
      view.branches.some((schema) => this.mayFail({ ...step, schema })) ||
      items.some((schema) => this.mayFail({ schema, path: '', name: step.name, isPath }))
    );
  }
}

const identityOf = ({ path, key, declared }: StrictFailure): string => JSON.stringify([path, key, declared]);

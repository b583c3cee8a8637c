// What fails beyond plain JSON Schema? A path that is a link a renderer made, and a key that is a declared one misspelt.
import { memberSchema, type SchemaView, type SchemaViews } from '../contract/schema-view.ts';
import type { StrictReadings } from '../contract/tool-contract.ts';
import { pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { pathInLink } from '../json/markdown-link.ts';
import { CleanLook, type LookedAt } from './clean-look.ts';
import { isPathName } from './path-names.ts';
import { UnionMemory } from './union-memory.ts';
import { isMap, misspellings } from './misspellings.ts';

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
    const isConditional = consequences(view).some((schema) =>
      this.mayFail({ schema, path: '', name: undefined, isPath: false }),
    );
    const isMixed = view.branches.length > 0 || view.prefixItems.length > 0 || isConditional;
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
    if (view.conditions.length > 0) {
      const outcomes = this.#views.outcomes(step.schema, value, this.#admits);
      const schema = this.#views.assuming(step.schema, outcomes);
      return this.#collect(value, { ...step, schema }, found);
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
      [...view.branches, ...consequences(view)].some((schema) => this.mayFail({ ...step, schema })) ||
      items.some((schema) => this.mayFail({ schema, path: '', name: step.name, isPath }))
    );
  }
}

/** What holds if a condition is met, or if it isn't. */
const consequences = ({ conditions }: SchemaView): readonly JsonSchema[] =>
  conditions.flatMap(({ ifSo, ifNot }) => [ifSo, ifNot]).filter((schema) => typeof schema !== 'boolean');

const identityOf = ({ path, key, declared }: StrictFailure): string => JSON.stringify([path, key, declared]);

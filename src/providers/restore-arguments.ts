import { type NumberLiterals, noLiterals } from '../json/number-literals.ts';
import { memoize } from '../collections/memoize.ts';
import { objectOf } from '../collections/objects.ts';
import { pointerKeys, pointerTo, splitPointer } from '../json/pointers.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../json/value.ts';
import { nearestName } from '../json/nearest-name.ts';
import type { Issue } from '../messages/issue.ts';
import { didYouMean, sendInside, sendOnce } from '../messages/issues-from-failures.ts';
import { type JsonSchema, type SchemaObject, divide } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaView, type SchemaViews, memberSchema, viewsIn } from '../schema/schema-view.ts';
import { isEmptySchema } from './normalize-schema.ts';
import type { LegalNames } from './provider-rules.ts';

/**
 * Maps arguments from the provider's schema back to the tool's own, and the reverse: renamed
 * properties, and null for an absent optional property. Values that don't match the schema stay as
 * they are.
 */
export class ArgumentMapping {
  readonly schema: SchemaObject;
  readonly #views: SchemaViews;
  readonly #names: LegalNames;
  readonly #hasNulls: boolean;

  /**
   * `source`: the tool's schema with the provider's names of properties. `hasNulls`: null means an
   * absent property.
   */
  constructor(schema: SchemaObject, source: SchemaObject, names: LegalNames, hasNulls: boolean) {
    this.schema = schema;
    this.#views = viewsIn(source);
    this.#names = names;
    this.#hasNulls = hasNulls;
  }

  /**
   * The tool's own arguments, or a value in them; the same value if nothing differs. `numbers`:
   * receives the literals of each copy. `path`: JSON Pointer in the tool's own arguments.
   */
  restore(value: JsonObject, numbers?: NumberLiterals): JsonObject;
  restore(value: JsonValue, numbers: NumberLiterals, path: string): JsonValue;
  restore(value: JsonValue, numbers = noLiterals, path = ''): JsonValue {
    return this.#mapped(value, this.#follow(path).schemas, { to: 'tool', numbers });
  }

  /** The arguments as the model should have sent them. */
  toProvider(value: JsonObject, numbers?: NumberLiterals): JsonObject;
  toProvider(value: JsonValue, numbers: NumberLiterals | undefined, path: string): JsonValue;
  toProvider(value: JsonValue, numbers = noLiterals, path = ''): JsonValue {
    return this.#mapped(value, this.#follow(path).schemas, { to: 'provider', numbers });
  }

  /** A location in the provider's schema. `path`: JSON Pointer in the tool's own arguments. */
  locate(path: string): ProviderLocation {
    const { schemas, path: providerPath } = this.#follow(path);
    const declaredKeys = this.#viewsOf(schemas).flatMap(({ properties }) => [...properties.keys()]);
    const names = new Map(
      declaredKeys.map((key) => [this.#names.ownNames.get(key) ?? key, key] as const),
    );
    return { path: providerPath, names };
  }

  /** An issue of the tool's own arguments, in the provider's names. */
  issueFor(issue: Issue): Issue {
    return providerIssue(issue, (path) => this.locate(path));
  }

  #follow(pointer: string) {
    let schemas: readonly JsonSchema[] = [this.#views.root];
    let path = '';
    for (const key of pointerKeys(pointer)) {
      const views = this.#viewsOf(schemas);
      const legal = this.#legalKey(key, views);
      schemas = views.flatMap((view) => schemasBelow(view, legal));
      path = pointerTo(path, legal);
    }
    return { schemas, path };
  }

  /**
   * One view for each branch of a union, without repetitions, which would double at each level of a
   * recursive schema.
   */
  #viewsOf(schemas: readonly JsonSchema[]): readonly SchemaView[] {
    const views = schemas.flatMap((schema) =>
      typeof schema === 'boolean' ? this.#views.of(schema) : this.#branchesOf(schema),
    );
    return [...new Set(views)].slice(0, maxBranches);
  }

  readonly #branchesOf = memoize((schema: SchemaObject): readonly SchemaView[] => {
    const { $ref = '', ...siblings } = schema;
    const isBare = isEmptySchema(divide(siblings).assertions);
    const target = isBare ? resolveReference($ref, this.#views.root) : undefined;
    if (target !== undefined) return this.#branchesOf(target);
    const view = this.#views.of(schema);
    return view.branches.length === 0
      ? [view]
      : view.branches.map((branch) => this.#views.of(branch));
  });

  #legalKey(key: string, views: readonly SchemaView[]): string {
    const legal = this.#names.legal.get(key);
    return legal !== undefined && views.some(({ properties }) => properties.has(legal))
      ? legal
      : key;
  }

  #mapped(value: JsonValue, schemas: readonly JsonSchema[], way: Way): JsonValue {
    if (isJsonArray(value)) return this.#mappedArray(value, schemas, way);
    return isJsonObject(value) ? this.#mappedObject(value, schemas, way) : value;
  }

  #mappedArray(value: JsonArray, schemas: readonly JsonSchema[], way: Way): JsonArray {
    const arrays = this.#viewsOf(schemas).filter(({ types }) => types.has('array'));
    // An array with one value, for a schema that has no array: repair unwraps it.
    const isWrapped = arrays.length === 0 && value.length === 1;
    const mappedElements = value.map((element, index) => {
      const elements = arrays.map(({ prefixItems, items }) => prefixItems[index] ?? items);
      return this.#mapped(element, isWrapped ? schemas : elements, way);
    });
    if (mappedElements.every((element, index) => element === value[index])) return value;
    way.numbers.carry(value, mappedElements, (key) => key);
    return mappedElements;
  }

  #mappedObject(value: JsonObject, schemas: readonly JsonSchema[], way: Way): JsonObject {
    const views = this.#candidates(value, schemas);
    const keys = new Map<string, string>();
    const mappedMembers = new Map<string, JsonValue>();
    for (const [sentKey, member] of Object.entries(value)) {
      const legal = this.#legalKey(sentKey, views);
      const declaring = views.filter(({ properties }) => properties.has(legal));
      if (way.to === 'tool' && member === null && this.#isAbsent(legal, declaring)) continue;
      const ownKey =
        declaring.length === 0 ? sentKey : (this.#names.ownNames.get(legal) ?? sentKey);
      const key = way.to === 'provider' ? legal : ownKey;
      // An object with both names has one unknown key.
      const free = key !== sentKey && Object.hasOwn(value, key) ? sentKey : key;
      const memberSchemas = views.map((view) => memberSchema(view, legal));
      keys.set(sentKey, free);
      mappedMembers.set(free, this.#mapped(member, memberSchemas, way));
    }
    if (way.to === 'provider' && this.#hasNulls)
      for (const key of views[0]?.properties.keys() ?? [])
        if (!mappedMembers.has(key)) mappedMembers.set(key, null);
    const isSame =
      mappedMembers.size === Object.keys(value).length &&
      [...mappedMembers].every(
        ([key, member]) => Object.hasOwn(value, key) && value[key] === member,
      );
    if (isSame) return value;
    const copy = objectOf(mappedMembers);
    way.numbers.carry(value, copy, (key) => keys.get(key));
    return copy;
  }

  #isAbsent(key: string, declaring: readonly SchemaView[]): boolean {
    return (
      this.#hasNulls &&
      declaring.length > 0 &&
      declaring.every(({ properties, required }) => {
        return !required.has(key) && !this.#views.admits(properties.get(key) ?? true, null);
      })
    );
  }

  /**
   * The object schemas that a value may be meant for: those that it roughly matches, or else all.
   */
  #candidates(value: JsonObject, schemas: readonly JsonSchema[]): readonly SchemaView[] {
    const views = this.#viewsOf(schemas);
    const objects = views.filter(({ types }) => types.has('object'));
    // One element, for a schema that has only an array: repair wraps it.
    if (objects.length === 0) return this.#viewsOf(views.map(({ items }) => items));
    const fitting =
      objects.length === 1 ? objects : objects.filter((view) => this.#fits(view, value));
    return fitting.length === 0 ? objects : fitting;
  }

  /** Whether keys and types of the members match. Null matches any type. */
  #fits(view: SchemaView, value: JsonObject): boolean {
    const members = new Map(
      Object.entries(value).map(([key, member]) => [this.#legalKey(key, [view]), member] as const),
    );
    return (
      [...view.required].every((key) => members.has(key)) &&
      [...members].every(([key, member]) =>
        this.#viewsOf([memberSchema(view, key)]).some((one) =>
          member === null ? one.types.size > 0 : this.#views.admits(one.schema, member),
        ),
      )
    );
  }
}

/** Branches of unions that are followed. */
const maxBranches = 100;

export interface ProviderLocation {
  /** JSON Pointer with the provider's names. */
  readonly path: string;
  /** The provider's name of each property that is declared here, by its own. */
  readonly names: ReadonlyMap<string, string>;
}

/** An issue of the tool's own arguments, in the provider's names. */
export function providerIssue(issue: Issue, locate: (path: string) => ProviderLocation): Issue {
  const { path, names } = locate(issue.path);
  if (issue.key === undefined) return { ...issue, path };
  const { key } = splitPointer(locate(pointerTo(issue.path, issue.key)).path);
  return { ...issue, path, key, ...providerAdvice(issue, issue.key, names) };
}

/** One array for each map, so that what is known of the names is kept. */
const valuesOf = memoize((names: ReadonlyMap<string, string>) => [...names.values()]);

const unknownKeys = new Set<unknown>(['additionalProperties', 'unevaluatedProperties', 'misspelt']);

/** Replaces the suggested key by the provider's name for it. */
function providerAdvice(
  { keyword, advice }: Issue,
  key: string,
  names: ReadonlyMap<string, string>,
): Pick<Issue, 'advice'> {
  if (!unknownKeys.has(keyword)) return {};
  for (const [ownName, providerName] of names)
    for (const adviceFor of [didYouMean, sendInside, sendOnce])
      if (advice === adviceFor(ownName)) return { advice: adviceFor(providerName) };
  const nearest = advice === undefined ? nearestName(key, valuesOf(names)) : undefined;
  return nearest === undefined ? {} : { advice: didYouMean(nearest) };
}

interface Way {
  readonly to: 'tool' | 'provider';
  readonly numbers: NumberLiterals;
}

const schemasBelow = (view: SchemaView, key: string): readonly JsonSchema[] => [
  ...(view.types.has('object') ? [memberSchema(view, key)] : []),
  ...(view.types.has('array') && /^\d+$/.test(key)
    ? [view.prefixItems[Number(key)] ?? view.items]
    : []),
];

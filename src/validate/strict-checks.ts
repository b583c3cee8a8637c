import { memoize } from '../collections/memoize.ts';
import { normalizeKey } from '../json/key-spelling.ts';
import { pointerTo } from '../json/pointers.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
} from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { StrictOptions } from '../tool/tool-contract.ts';
import { type ValueKind, isOfKind, kindOf } from './value-kinds.ts';

export interface StrictFailure {
  /**
   * `path`: a path is a Markdown link, or a declared one in backticks. `misspelt`: a key is a
   * declared one in another spelling. A kind: a value is not of the kind that its schema names.
   */
  readonly keyword: 'path' | 'misspelt' | ValueKind;
  /** JSON Pointer of the value, or of the object with the misspelt key. */
  readonly path: string;
  readonly key?: string;
  /** The declared key that a misspelt one means. */
  readonly declaredKey?: string;
}

/** The properties of a location in the arguments that the strict checks depend on. */
export interface StrictLocation {
  readonly schema: JsonSchema;
  /** JSON Pointer. */
  readonly path: string;
  /** The name of the property that the value belongs to; elements of an array have the array's. */
  readonly name: string | undefined;
  /** The array around the value is declared as an array of paths. */
  readonly isPath: boolean;
}

type Accepts = (schema: JsonSchema, value: JsonValue) => boolean;

/** The checks of one schema, by the name of the property that it is found under. */
class ChecksByName {
  readonly plain = new Map<string | undefined, LocationCheck>();
  /** Of elements of a list of paths. */
  readonly inPaths = new Map<string | undefined, LocationCheck>();
}

/** Checks that go beyond JSON Schema: Markdown in path fields, kinds, misspelt keys. */
export class StrictChecks {
  readonly views: SchemaViews;
  /** Whether a value passes a schema. */
  readonly accepts: Accepts;
  readonly #options: StrictOptions;
  readonly #checksOf = memoize((_view: SchemaView) => new ChecksByName());

  readonly #isDestructive: boolean;

  /** `isDestructive`: a valid call of the tool is neither changed nor refused for its keys. */
  constructor(views: SchemaViews, options: StrictOptions, accepts: Accepts, isDestructive = false) {
    this.views = views;
    this.accepts = accepts;
    this.#options = options;
    this.#isDestructive = isDestructive;
  }

  /** The check of a location; made once. `isPath`: as in `StrictLocation`. */
  at(schema: JsonSchema, name?: string, isPath = false): LocationCheck {
    const view = this.views.of(schema);
    const { plain, inPaths } = this.#checksOf(view);
    const checks = isPath ? inPaths : plain;
    let check = checks.get(name);
    if (check === undefined) {
      check = new LocationCheck(this, view, name, this.isPath(view, name, isPath));
      checks.set(name, check);
    }
    return check;
  }

  /** The failures in a value that its schema accepts. */
  failures(value: JsonValue, location: StrictLocation): readonly StrictFailure[] {
    const check = this.at(location.schema, location.name, location.isPath);
    return check.isClean(value) ? [] : check.failures(value, location.path);
  }

  /**
   * Whether strings at a location are paths: by their annotation, by that of the array around them,
   * or by name.
   */
  isPath(view: SchemaView, name: string | undefined, isInherited: boolean): boolean {
    if (this.#options.paths === 'off') return false;
    if (view.semantic !== undefined) return view.semantic === 'path';
    return (
      isInherited || (this.#options.paths === 'names' && name !== undefined && isPathName(name))
    );
  }

  /** Whether misspelt keys can pass the schema of a location. */
  hidesMisspellings(view: SchemaView): boolean {
    return (
      this.#options.spellings &&
      view.properties.size > 0 &&
      view.additionalProperties === true &&
      view.patternProperties.length === 0
    );
  }

  /**
   * Undeclared keys, each with the declared key of the same spelling, present or not. Empty for a
   * map, whose keys are data.
   */
  misspellings(
    view: SchemaView,
    value: JsonObject,
  ): readonly (readonly [key: string, declared: string])[] {
    if (!this.#options.spellings || isMap(view)) return [];
    const misspelt: (readonly [string, string])[] = [];
    for (const key of Object.keys(value)) {
      if (view.properties.has(key) || view.conditionalKeys.has(key)) continue;
      const inMarkup = keyInMarkup(key);
      const declaredKey = keysBySpelling(view).get(normalizeKey(inMarkup ?? key) ?? '');
      const isMeant =
        declaredKey !== undefined &&
        (inMarkup === undefined || inMarkup === declaredKey) &&
        !this.#isOwnName(view, key, declaredKey, value);
      if (isMeant) misspelt.push([key, declaredKey]);
    }
    return misspelt;
  }

  /**
   * Whether a key in an open object is a name of its own: `_id` beside `id`, the name of a header.
   * So is any if the schema says that the object is open, or if the tool is destructive, unless the
   * declared key is required and absent.
   */
  #isOwnName(view: SchemaView, key: string, declaredKey: string, value: JsonObject): boolean {
    if (view.additionalProperties !== true) return false;
    const isLacking = view.required.has(declaredKey) && !Object.hasOwn(value, declaredKey);
    const isOpen = this.#isDestructive || view.mergedSchema['additionalProperties'] === true;
    if (isOpen && !isLacking) return true;
    const isPrivate = key.startsWith('_') && !declaredKey.startsWith('_');
    return isPrivate || (headerName.test(key) && !declaredKey.includes('-'));
  }
}

/**
 * The key in one with call markup stuck to it: `path</arg_key>`, `parameter name="path"`,
 * `<parameter=path>`; else undefined.
 */
export function keyInMarkup(key: string): string | undefined {
  if (key.length > longestMarkupKey || !/[<>=]/.test(key)) return undefined;
  return (tagAfterName.exec(key) ?? tagBefore.exec(key) ?? parameterTag.exec(key))?.[1];
}

/** Matches a name as HTTP writes that of a header: `Content-Type`. */
const headerName = /^[A-Z][\w]*(?:-[A-Z][\w]*)+$/;

const longestMarkupKey = 160;
const tagAfterName = /^\s*([\w.$-]{1,64})\s*(?:<\/?(?:arg_key|arg_value|parameter|param)>?\s*)+$/;
const tagBefore = /^\s*<arg_key>\s*([\w.$-]{1,64})\s*(?:<\/arg_key>?\s*)?$/;
const parameterTag =
  /^\s*<?(?:parameter|param)(?:\s*=\s*|\s+name\s*=\s*)["']?([\w.$-]{1,64})["']?\s*>?$/;

/**
 * The failures of unions by location and path: one validation may reach the same place in many
 * ways.
 */
type KnownFailures = Map<LocationCheck, Map<string, readonly StrictFailure[]>>;

/**
 * The checks of values at one location. Locations below are read on demand, because a schema may
 * contain itself.
 */
export class LocationCheck {
  readonly #checks: StrictChecks;
  readonly #view: SchemaView;
  readonly #name: string | undefined;
  readonly #isPath: boolean;
  readonly #kind: ValueKind | undefined;
  #mayFail: boolean | undefined;
  #items: LocationCheck | undefined;
  #failingMembers: readonly (readonly [string, LocationCheck])[] | undefined;

  constructor(checks: StrictChecks, view: SchemaView, name: string | undefined, isPath: boolean) {
    this.#checks = checks;
    this.#view = view;
    this.#name = name;
    this.#isPath = isPath;
    this.#kind = kindOf(view);
  }

  /** Whether a value that passes the schema can fail here or below. */
  get mayFail(): boolean {
    if (this.#mayFail === undefined) {
      // Meanwhile, for a schema that contains itself.
      this.#mayFail = true;
      this.#mayFail = this.#canFail();
    }
    return this.#mayFail;
  }

  #canFail(): boolean {
    const {
      types,
      properties,
      additionalProperties,
      patternProperties,
      prefixItems,
      items,
      branches,
    } = this.#view;
    if (this.#view.isVerbatim) return false;
    const members = [additionalProperties, ...patternProperties.map(([, schema]) => schema)];
    return (
      this.#kind !== undefined ||
      (this.#isPath && types.has('string')) ||
      this.#checks.hidesMisspellings(this.#view) ||
      [...properties].some(([key, schema]) => this.#checks.at(schema, this.#nameOf(key)).mayFail) ||
      members.some(
        (schema) => typeof schema !== 'boolean' && this.#checks.at(schema, undefined).mayFail,
      ) ||
      [...prefixItems, items].some((schema) => schema !== true && this.#element(schema).mayFail) ||
      branches.some((schema) => this.#element(schema).mayFail)
    );
  }

  /** The allocation-free fast path: true is certain, false may be wrong. */
  isClean(value: JsonValue): boolean {
    const { branches, prefixItems, items, properties } = this.#view;
    if (!this.mayFail) return true;
    if (this.#otherKind(value) !== undefined) return false;
    if (typeof value === 'string')
      return branches.length === 0
        ? !this.#isPath || (!mayBeLink(value) && this.#pathInMarkup(value) === undefined)
        : branches.every((branch) => this.#element(branch).isClean(value));
    if (typeof value !== 'object' || value === null) return true;
    if (branches.length > 0 || prefixItems.length > 0 || isMap(this.#view)) return false;
    if (isJsonArray(value)) {
      const check = (this.#items ??= this.#element(items));
      return value.every((item) => check.isClean(item));
    }
    this.#failingMembers ??= [...properties]
      .map(([key, schema]) => [key, this.#checks.at(schema, this.#nameOf(key))] as const)
      .filter(([, check]) => check.mayFail);
    // A function that the value inherits under such a name counts as clean.
    for (const [name, check] of this.#failingMembers)
      if (!check.isClean(value[name] ?? null)) return false;
    return (
      !this.#checks.hidesMisspellings(this.#view) ||
      Object.keys(value).every((key) => properties.has(key))
    );
  }

  failures(
    value: JsonValue,
    path: string,
    knownFailures: KnownFailures = new Map(),
  ): readonly StrictFailure[] {
    const { branches, properties, prefixItems, items } = this.#view;
    if (!this.mayFail) return [];
    if (branches.length > 0) return this.#agreedFailures(value, path, knownFailures);
    const kind = this.#otherKind(value);
    if (kind !== undefined) return [{ keyword: kind, path }];
    if (typeof value === 'string')
      return this.#isPath && this.#pathInMarkup(value) !== undefined
        ? [{ keyword: 'path', path }]
        : [];
    if (isJsonArray(value))
      return value.flatMap((item, index) =>
        this.#element(prefixItems[index] ?? items).failures(
          item,
          pointerTo(path, index),
          knownFailures,
        ),
      );
    if (!isJsonObject(value)) return [];
    const misspelt = this.#checks
      .misspellings(this.#view, value)
      .map(([key, declaredKey]) => ({ keyword: 'misspelt', path, key, declaredKey }) as const);
    const memberFailures = Object.entries(value).flatMap(([key, member]) => {
      // The keys of a map are data, not names.
      const name = properties.has(key) ? this.#nameOf(key) : undefined;
      return this.#checks
        .at(memberSchema(this.#view, key), name)
        .failures(member, pointerTo(path, key), knownFailures);
    });
    return [...misspelt, ...memberFailures];
  }

  /**
   * The name that says what a declared member is. In an object of which the schema writes that it
   * is open, names say nothing: a valid call is never changed for them.
   */
  #nameOf(key: string): string | undefined {
    return this.#view.mergedSchema['additionalProperties'] === true ? undefined : key;
  }

  /** The path in markup, unless the schema asks for the markup: it lists it, or takes no plain path. */
  #pathInMarkup(text: string): string | undefined {
    const path = pathInMarkup(text, this.#view);
    const { schema, members, mergedSchema } = this.#view;
    if (path === undefined || !formKeywords.some((keyword) => keyword in mergedSchema)) return path;
    const takesPath = members === undefined && this.#checks.accepts(schema, path);
    return !takesPath && this.#checks.accepts(schema, text) ? undefined : path;
  }

  /** The kind that a value of a declared type is not of; else undefined. */
  #otherKind(value: JsonValue): ValueKind | undefined {
    const kind = this.#kind;
    if (kind === undefined || !this.#view.types.has(jsonTypeOf(value))) return undefined;
    return isOfKind(kind, value) ? undefined : kind;
  }

  /** The failures that all branches that accept the value have in common. */
  #agreedFailures(
    value: JsonValue,
    path: string,
    knownFailures: KnownFailures,
  ): readonly StrictFailure[] {
    const byPath = knownFailures.get(this) ?? new Map<string, readonly StrictFailure[]>();
    knownFailures.set(this, byPath);
    const earlierFailures = byPath.get(path);
    if (earlierFailures !== undefined) return earlierFailures;
    const [first = [], ...others] = this.#view.branches
      .filter((branch) => this.#checks.accepts(branch, value))
      .map((branch) => this.#element(branch).failures(value, path, knownFailures));
    const identities = others.map((failures) => new Set(failures.map(identityOf)));
    const failuresOfAll = first.filter((failure) =>
      identities.every((set) => set.has(identityOf(failure))),
    );
    byPath.set(path, failuresOfAll);
    return failuresOfAll;
  }

  /** The check of an element or a branch of a union, which have the name of the location. */
  #element(schema: JsonSchema): LocationCheck {
    return this.#checks.at(schema, this.#name, this.#isPath);
  }
}

const identityOf = ({ path, key, declaredKey }: StrictFailure): string =>
  JSON.stringify([path, key, declaredKey]);

/** Whether undeclared keys are data, because they have a schema. */
export const isMap = (view: SchemaView): boolean =>
  view.patternProperties.length > 0 || typeof view.additionalProperties !== 'boolean';

/** Declared keys by their normalized form; undefined if two share it. */
const keysBySpelling = memoize(
  ({ properties }: SchemaView): ReadonlyMap<string, string | undefined> => {
    const keys = new Map<string, string | undefined>();
    for (const key of properties.keys()) {
      const normalizedKey = normalizeKey(key);
      if (normalizedKey !== undefined)
        keys.set(normalizedKey, keys.has(normalizedKey) ? undefined : key);
    }
    return keys;
  },
);

const pathWords = new Set<unknown>([
  'path',
  'paths',
  'file',
  'files',
  'filename',
  'filenames',
  'filepath',
  'filepaths',
  'dir',
  'dirs',
  'directory',
  'directories',
  'folder',
  'folders',
]);

/**
 * Whether the last word of a name, in any casing, is one for paths: `FILE_PATH`, `outputDir`,
 * `fileName`.
 */
export function isPathName(name: string): boolean {
  const last = name.split(/[\s_.-]+/).findLast((part) => part !== '') ?? '';
  const lastHump = last.replace(/.*[a-z0-9](?=[A-Z])/, '');
  return [last, lastHump].some((word) => pathWords.has(word.toLowerCase()));
}

/** Keywords with which a schema may ask for markup in a text. */
const formKeywords = ['enum', 'const', 'pattern', 'minLength', 'maxLength', 'format', 'not'];

const wholeLink = /^\[([^[\]]+)\]\(([^()\s]+)\)$/;

/** Whether a text may be a Markdown link; false is certain. */
function mayBeLink(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (last > 32 && last < 127 && last !== closeParenthesis) return false;
  const isVisibleAscii = first > 32 && first < 127;
  // Searching for one character is several times as fast as for two.
  return isVisibleAscii ? first === openBracket && text.includes(']') : text.includes(']');
}

const openBracket = 91;
const closeParenthesis = 41;

/**
 * The path in text that is a Markdown link and nothing else; undefined for any other value. The
 * link text must be the address without its protocol, or the address must end with a slash and the
 * link text.
 */
export function pathInLink(value: JsonValue): string | undefined {
  if (typeof value !== 'string' || !mayBeLink(value)) return undefined;
  const [, path, address] = wholeLink.exec(value.trim()) ?? [];
  if (path === undefined || address === undefined) return undefined;
  const bare = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  return path === bare || address.endsWith(`/${path}`) ? path : undefined;
}

/** What is between two backticks around a whole text; undefined for other text. */
function textInBackticks(text: string): string | undefined {
  const code = text.trim();
  const inner = code.slice(1, -1).trim();
  const isCode = code.length > 2 && code.startsWith('`') && code.endsWith('`');
  return isCode && inner !== '' && !/[`\n]/.test(inner) ? inner : undefined;
}

/**
 * The path in a Markdown link, or in backticks if the schema itself declares a path: by its name
 * alone, `path` may be that of a table, which SQL writes in backticks.
 */
export function pathInMarkup(value: JsonValue, { semantic }: SchemaView): string | undefined {
  if (typeof value !== 'string') return undefined;
  const inCode = semantic === 'path' ? textInBackticks(value) : undefined;
  return inCode ?? pathInLink(value);
}

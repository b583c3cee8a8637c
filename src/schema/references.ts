import { pointerKeys } from '../json/json-pointer.ts';
import { defineKey, objectOf, ownValue } from '../json/value.ts';
import { type Draft, modernForm } from './drafts.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from './json-schema.ts';

// By pointer; nothing else is left of references there.
/** The object schema a local reference (`#`, `#/$defs/x`, or the same behind the root's id) points at. */
export function resolveReference(reference: string, root: SchemaObject): SchemaObject | undefined {
  const hash = reference.indexOf('#');
  if (hash === -1) return undefined;
  let found: unknown = root;
  for (const key of pointerKeys(decodeFragment(reference.slice(hash + 1)))) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
  }
  return isSchemaObject(found) ? found : undefined;
}

/** Every reference in a schema and below it. */
export function referencesIn(schema: SchemaObject): ReadonlySet<string> {
  const found = new Set<string>(schema.$ref === undefined ? [] : [schema.$ref]);
  mapSubschemas(schema, (below) => {
    for (const reference of referencesIn(below)) found.add(reference);
    return below;
  });
  return found;
}

/** What a fragment says, as it is where it is not encoded as it should be. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Whether something can stand for a schema that is an object. */
export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Then no validator would ever come to an end.
/** The reference that closes the first such circle, without the root's address; undefined if there is none. */
export function endlessReference(root: SchemaObject): string | undefined {
  const search = new CircleSearch(root);
  search.visitAll(root);
  return search.found;
}

/** Keywords whose schemas validate the same value as the schema around them. */
const inPlace: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

class CircleSearch {
  found: string | undefined;
  readonly #root: SchemaObject;
  /** `open` while what a schema leads to is being looked at. */
  readonly #states = new Map<SchemaObject, 'open' | 'done'>();

  constructor(root: SchemaObject) {
    this.#root = root;
  }

  /** A schema, and every schema inside it. */
  visitAll(schema: SchemaObject): void {
    this.#visit(schema);
    mapSubschemas(schema, (below) => {
      this.visitAll(below);
      return below;
    });
  }

  #visit(schema: SchemaObject): void {
    if (this.found !== undefined || this.#states.has(schema)) return;
    this.#states.set(schema, 'open');
    this.#follow(schema.$ref);
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => inPlace.has(keyword)));
    mapSubschemas(kept, (below) => {
      this.#visit(below);
      return below;
    });
    this.#states.set(schema, 'done');
  }

  #follow(reference: string | undefined): void {
    const target = reference === undefined ? undefined : resolveReference(reference, this.#root);
    if (target === undefined) return;
    if (this.#states.get(target) === 'open') this.found ??= reference?.slice(reference.indexOf('#'));
    else this.#visit(target);
  }
}

// A place in the same document, by pointer, anchor or the address of a part; nothing is ever fetched.
/** The address of a document that says none. */
const ownAddress = 'toolmend://arguments/';

export class References {
  readonly #resources = new Map<string, SchemaObject>();
  readonly #anchors = new Map<string, SchemaObject>();
  readonly #bases = new Map<SchemaObject, string>();
  readonly #dynamicAnchors = new Map<string, number>();

  constructor(root: SchemaObject) {
    this.#resources.set(ownAddress, root);
    this.#visit(root, ownAddress);
  }

  /** What a `$ref` that stands in `schema` leads to; undefined if it is not in the document. */
  resolve(reference: string, schema: SchemaObject): JsonSchema | undefined {
    const address = addressOf(reference, this.#bases.get(schema) ?? ownAddress);
    if (address === undefined) return undefined;
    const [document = '', fragment = ''] = address.split('#');
    const decoded = decodeFragment(fragment);
    const resource = this.#resources.get(document);
    if (decoded === '') return resource;
    if (!decoded.startsWith('/')) return this.#anchors.get(`${document}#${decoded}`);
    return resource === undefined ? undefined : this.#below(resource, decoded);
  }

  /** The same for `$dynamicRef` and `$recursiveRef`; undefined also where it depends on who follows it. */
  resolveDynamic(reference: string, schema: SchemaObject): JsonSchema | undefined {
    const anchor = reference.slice(reference.indexOf('#') + 1);
    return (this.#dynamicAnchors.get(anchor) ?? 0) > 1 ? undefined : this.resolve(reference, schema);
  }

  /** A schema that was made of another one counts as standing where that stood. */
  adopt(made: SchemaObject, from: SchemaObject): void {
    const base = this.#bases.get(from);
    if (base !== undefined && !this.#bases.has(made)) this.#bases.set(made, base);
  }

  #below(resource: SchemaObject, pointer: string): JsonSchema | undefined {
    let found: unknown = resource;
    let base = this.#bases.get(resource) ?? ownAddress;
    for (const key of pointerKeys(pointer)) {
      if (typeof found !== 'object' || found === null) return undefined;
      found = ownValue<unknown>(objectOf(Object.entries(found)), key);
      if (isSchemaObject(found)) base = this.#bases.get(found) ?? base;
    }
    if (typeof found === 'boolean') return found;
    if (!isSchemaObject(found)) return undefined;
    // Where no keyword holds it, nobody has looked at it yet.
    if (!this.#bases.has(found)) this.#visit(found, base);
    return found;
  }

  #visit(schema: SchemaObject, outerBase: string): void {
    const base = this.#takeDown(schema, outerBase);
    this.#bases.set(schema, base);
    mapSubschemas(schema, (below) => {
      this.#visit(below, base);
      return below;
    });
  }

  /** Under which addresses a schema is known; returns the one that counts below it. */
  #takeDown(schema: SchemaObject, outerBase: string): string {
    const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
    const address = typeof $id === 'string' ? addressOf($id, outerBase) : undefined;
    const [base = outerBase, fragment = ''] = address?.split('#') ?? [];
    if (address !== undefined && fragment === '') this.#resources.set(base, schema);
    for (const anchor of [fragment, $anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string' && anchor !== '') this.#anchors.set(`${base}#${anchor}`, schema);
    }
    const dynamic = $recursiveAnchor === true ? '' : $dynamicAnchor;
    if (typeof dynamic === 'string')
      this.#dynamicAnchors.set(dynamic, (this.#dynamicAnchors.get(dynamic) ?? 0) + 1);
    return base;
  }
}

function addressOf(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

/** Under this address, so that every part of it can be validated on its own. */
export const rootAddress = 'toolmend:arguments';

// A copy in which everything that is referred to stands in the root's `$defs`.
/** Addresses and drafts of the original; definitions, of which those that are referred to get a place of their own. */
const dropped: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$ref',
  '$defs',
  'definitions',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
]);

/** The copy, and the references that lead to nothing in it. */
export class ReferredRoot {
  readonly root: SchemaObject;
  readonly unresolved: string[] = [];
  readonly #draft: Draft;
  readonly #references: References;
  readonly #original: SchemaObject;
  readonly #names = new Map<JsonSchema, string>();
  readonly #taken = new Set<string>();
  readonly #open: (readonly [name: string, target: JsonSchema])[] = [];

  constructor(original: SchemaObject, draft: Draft) {
    this.#original = original;
    this.#draft = draft;
    this.#references = new References(original);
    const root = this.#validated(original);
    const $defs: { [name: string]: JsonSchema } = {};
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      const [name, target] = next;
      defineKey($defs, name, typeof target === 'boolean' ? asObject(target) : this.#validated(target));
    }
    this.root = Object.keys($defs).length === 0 ? root : { ...root, $defs };
  }

  #validated(original: SchemaObject): SchemaObject {
    const modern = modernForm(original, this.#draft);
    this.#references.adopt(modern, original);
    const references = this.#referencesOf(modern);
    const kept = mapSubschemas(modern, (part) => {
      this.#references.adopt(part, original);
      return this.#validated(part);
    });
    const plain: { [keyword: string]: unknown } = {};
    for (const [keyword, held] of Object.entries(kept))
      if (!dropped.has(keyword)) defineKey(plain, keyword, held);
    const [only, ...others] = references;
    if (only === undefined) return plain;
    if (others.length === 0) return { ...plain, $ref: only };
    return { allOf: [plain, ...references.map(($ref) => ({ $ref }))] };
  }

  /** The addresses that a schema refers to, in the validated form. */
  #referencesOf(schema: SchemaObject): readonly string[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema;
    const found = [
      [$ref, (to: string) => this.#references.resolve(to, schema)],
      [$dynamicRef ?? $recursiveRef, (to: string) => this.#references.resolveDynamic(to, schema)],
    ] as const;
    return found.flatMap(([reference, resolve]) => {
      if (typeof reference !== 'string') return [];
      const target = resolve(reference);
      if (target !== undefined) return [this.#addressOf(target, reference)];
      this.unresolved.push(reference);
      return [];
    });
  }

  #addressOf(target: JsonSchema, reference: string): string {
    if (target === this.#original) return `${rootAddress}#`;
    const known = this.#names.get(target);
    const name = known ?? this.#nameFor(reference);
    if (known === undefined) {
      this.#taken.add(name);
      this.#names.set(target, name);
      this.#open.push([name, target]);
    }
    return `${rootAddress}#/$defs/${name}`;
  }

  /** The last word of the reference, if it is one and nothing else has it. */
  #nameFor(reference: string): string {
    const word = /[^#/]*$/.exec(reference)?.[0] ?? '';
    const isFree = /^[A-Za-z][\w.-]*$/.test(word) && !this.#taken.has(word);
    return isFree ? word : `${this.#names.size}`;
  }
}

/** A definition is always an object, so that who looks a reference up finds one. */
const asObject = (schema: boolean): SchemaObject => (schema ? {} : { not: {} });

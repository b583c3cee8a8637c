import { attempt } from '../collections/attempt.ts';
import { defineKey, isContainer } from '../collections/objects.ts';
import { pointerKeys } from '../json/pointers.ts';
import { type Draft, isDraft2020, isOnlyReference, toDraft2020 } from './keywords.ts';
import {
  type JsonSchema,
  type SchemaObject,
  filterKeywords,
  isSchemaObject,
  isString,
  keywordsIn,
  mapSubschemas,
  schemasIn,
  subschemasOf,
} from './json-schema.ts';

/** The address of a bundled root, with which its parts can be validated on their own. */
export const rootAddress = 'toolmend:arguments';

export const hasReference = (schema: SchemaObject): boolean =>
  schemasIn(schema).some(({ $ref }) => $ref !== undefined);

/**
 * The target of a reference by JSON Pointer: `#`, `#/$defs/x`, or the same after the root's
 * address.
 */
export function resolveReference(reference: string, root: SchemaObject): SchemaObject | undefined {
  const hash = reference.indexOf('#');
  if (hash === -1) return undefined;
  const target = pointerKeys(decodeFragment(reference.slice(hash + 1))).reduce<unknown>(
    partOf,
    root,
  );
  return isSchemaObject(target) ? target : undefined;
}

const partOf = (schema: unknown, key: string): unknown =>
  isContainer(schema) && Object.hasOwn(schema, key) ? Reflect.get(schema, key) : undefined;

/** A fragment with an invalid encoding stays as it is. */
const decodeFragment = (fragment: string): string =>
  attempt(() => decodeURIComponent(fragment)) ?? fragment;

/** Keywords whose schemas apply to the same value as the schema that has them. */
const inPlace = new Set<unknown>([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

/**
 * The fragment of a reference that leads back to its own schema for the same value; undefined if
 * there is none.
 */
export function endlessReference(root: SchemaObject): string | undefined {
  if (!keywordsIn(root).has('$ref')) return undefined;
  const states = new Map<SchemaObject, 'open' | 'done'>();
  const findFrom = (schema: SchemaObject): string | undefined => {
    if (states.has(schema)) return undefined;
    states.set(schema, 'open');
    const { $ref = '' } = schema;
    const target = resolveReference($ref, root);
    if (target !== undefined && states.get(target) === 'open') return $ref.slice($ref.indexOf('#'));
    const appliedKeywords = filterKeywords(schema, (keyword) => inPlace.has(keyword));
    const next = [...(target === undefined ? [] : [target]), ...subschemasOf(appliedKeywords)];
    const reference = next.values().map(findFrom).find(isString);
    states.set(schema, 'done');
    return reference;
  };
  const findIn = (schema: SchemaObject): string | undefined =>
    findFrom(schema) ?? subschemasOf(schema).values().map(findIn).find(isString);
  return findIn(root);
}

/** The address of a document without an `$id`. */
const defaultAddress = 'toolmend://arguments/';

/**
 * Resolves references of any draft within one document: by pointer, by anchor, by the address of a
 * part. Never fetches.
 */
class Document {
  readonly #draft: Draft;
  readonly #resources = new Map<string, SchemaObject>();
  readonly #anchors = new Map<string, SchemaObject>();
  readonly #bases = new Map<SchemaObject, string>();
  readonly #dynamicAnchors = new Map<string, number>();

  constructor(root: SchemaObject, draft: Draft) {
    this.#draft = draft;
    this.#resources.set(defaultAddress, root);
    this.#visit(root, defaultAddress);
  }

  /**
   * The address to which references in a schema are relative; undefined for a schema that is not in
   * the document.
   */
  baseOf(schema: SchemaObject): string | undefined {
    return this.#bases.get(schema);
  }

  /** The target of a `$ref`; undefined if it is not in the document. */
  resolve(reference: string, from: string): JsonSchema | undefined {
    const address = addressOf(reference, from);
    if (address === undefined) return undefined;
    const [base = '', fragment = ''] = address.split('#');
    const pointer = decodeFragment(fragment);
    const resource = this.#resources.get(base);
    if (pointer === '') return resource;
    if (!pointer.startsWith('/')) return this.#anchors.get(`${base}#${pointer}`);
    return resource === undefined ? undefined : this.#schemaBelow(resource, pointer);
  }

  /** Whether a reference leads out of the document, or is not an address. */
  isExternal(reference: string, from: string): boolean {
    const [base = ''] = addressOf(reference, from)?.split('#') ?? [];
    return !this.#resources.has(base);
  }

  /**
   * The target of a `$dynamicRef` or `$recursiveRef`; undefined if it depends on the dynamic scope.
   */
  resolveDynamic(reference: string, from: string): JsonSchema | undefined {
    const anchor = reference.slice(reference.indexOf('#') + 1);
    return (this.#dynamicAnchors.get(anchor) ?? 0) > 1 ? undefined : this.resolve(reference, from);
  }

  #schemaBelow(resource: SchemaObject, pointer: string): JsonSchema | undefined {
    let part: unknown = resource;
    let base = this.#bases.get(resource) ?? defaultAddress;
    for (const key of pointerKeys(pointer)) {
      part = partOf(part, key);
      if (isSchemaObject(part)) base = this.#bases.get(part) ?? base;
    }
    if (typeof part === 'boolean') return part;
    if (!isSchemaObject(part)) return undefined;
    // A schema outside the known keywords, for example in `components`.
    if (!this.#bases.has(part)) this.#visit(part, base);
    return part;
  }

  #visit(schema: SchemaObject, outerBase: string): void {
    const base = this.#register(schema, outerBase);
    this.#bases.set(schema, base);
    for (const subschema of subschemasOf(schema)) this.#visit(subschema, base);
  }

  /** Registers the addresses of a schema; returns the base of references in it. */
  #register(schema: SchemaObject, outerBase: string): string {
    if (isOnlyReference(schema, this.#draft)) return outerBase;
    const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
    const id = this.#draft === 'draft-04' ? schema['id'] : schema.$id;
    const address = typeof id === 'string' ? addressOf(id, outerBase) : undefined;
    const [base = outerBase, fragment = ''] = address?.split('#') ?? [];
    if (address !== undefined && fragment === '') this.#resources.set(base, schema);
    for (const anchor of [fragment, $anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string' && anchor !== '')
        this.#anchors.set(`${base}#${anchor}`, schema);
    }
    const dynamic = $recursiveAnchor === true ? '' : $dynamicAnchor;
    if (typeof dynamic === 'string')
      this.#dynamicAnchors.set(dynamic, (this.#dynamicAnchors.get(dynamic) ?? 0) + 1);
    return base;
  }
}

const addressOf = (reference: string, base: string): string | undefined =>
  attempt(() => new URL(reference, base).href);

export interface BundledSchema {
  /** JSON Schema 2020-12 whose references are `address#/$defs/name`, or `address#` for the root. */
  readonly root: SchemaObject;
  readonly unresolvedReferences: readonly string[];
  /** Those among them that lead to other documents. The schemas that have them accept any value. */
  readonly external: readonly string[];
}

/**
 * A copy of a schema of any draft, with the targets of all references in the root's `$defs`.
 * `address`: the root's; '' for none.
 */
export function bundleReferences(
  schema: SchemaObject,
  draft: Draft,
  address: string,
): BundledSchema {
  if (isBundled(schema, draft)) return { root: schema, unresolvedReferences: [], external: [] };
  const document = new Document(schema, draft);
  const names = new Map<JsonSchema, string>();
  const takenNames = new Set<string>();
  const unresolvedReferences: string[] = [];
  const external: string[] = [];

  /** The reference as it is written in the bundle. */
  const referenceTo = (
    target: JsonSchema | undefined,
    reference: string,
    from: string,
  ): readonly string[] => {
    if (target === undefined) {
      unresolvedReferences.push(reference);
      if (document.isExternal(reference, from)) external.push(reference);
      return [];
    }
    if (target === schema) return [`${address}#`];
    const name = names.get(target) ?? freeName(reference, takenNames);
    names.set(target, name);
    takenNames.add(name);
    return [`${address}#/$defs/${name}`];
  };

  const copy = (original: SchemaObject, outer: string): SchemaObject => {
    const base = document.baseOf(original) ?? outer;
    const modern = toDraft2020(original, draft);
    const { $ref, $dynamicRef, $recursiveRef } = modern;
    const dynamic = $dynamicRef ?? $recursiveRef;
    const references = [
      ...(typeof $ref === 'string' ? referenceTo(document.resolve($ref, base), $ref, base) : []),
      ...(typeof dynamic === 'string'
        ? referenceTo(document.resolveDynamic(dynamic, base), dynamic, base)
        : []),
    ];
    const copiedSchema = mapSubschemas(modern, (part) => copy(part, base));
    const plain = filterKeywords(copiedSchema, (keyword) => !identityKeywords.has(keyword));
    const [only, ...others] = references;
    if (only === undefined) return plain;
    if (others.length === 0) return { ...plain, $ref: only };
    return { allOf: [plain, ...references.map((reference) => ({ $ref: reference }))] };
  };

  const root = copy(schema, defaultAddress);
  const $defs: { [name: string]: JsonSchema } = {};
  // Grows while it is walked through. References lead to objects only.
  for (const [target, name] of names) {
    const anything = target === true ? {} : { not: {} };
    defineKey($defs, name, typeof target === 'boolean' ? anything : copy(target, defaultAddress));
  }
  return {
    root: Object.keys($defs).length === 0 ? root : { ...root, $defs },
    unresolvedReferences,
    external,
  };
}

/** The last segment of the reference, if it is a name and not taken; else a number. */
function freeName(reference: string, takenNames: ReadonlySet<string>): string {
  const word = /[^#/]*$/.exec(reference)?.[0] ?? '';
  const isFree = /^[A-Za-z][\w.-]*$/.test(word) && !takenNames.has(word);
  return isFree ? word : `${takenNames.size}`;
}

/** Whether a bundle of a schema is the schema itself, as for most tools. */
const isBundled = (root: SchemaObject, draft: Draft): boolean =>
  keywordsIn(root).isDisjointFrom(identityKeywords) &&
  schemasIn(root).every((schema) => isDraft2020(schema, draft));

/** Keywords of addresses and definitions. A bundle has its own. */
const identityKeywords: ReadonlySet<string> = new Set([
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

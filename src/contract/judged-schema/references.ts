// What does a reference lead to? A place in the same document, by pointer, anchor or the address of a part; nothing is ever
// fetched.
import { pointerKeys } from '../../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import { decodeFragment, isSchemaObject } from './local-references.ts';

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

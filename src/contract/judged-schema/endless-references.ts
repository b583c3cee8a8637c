// Does a schema lead back to itself without going into the value? Then no judge would ever come to an end.
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { resolveReference } from './local-references.ts';

/** The reference that closes the first such circle, without the root's address; undefined if there is none. */
export function endlessReference(root: SchemaObject): string | undefined {
  const search = new CircleSearch(root);
  search.visitAll(root);
  return search.found;
}

/** Keywords whose schemas judge the same value as the schema around them. */
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

// Into which branches does a schema split, with unions inside unions as branches of their own? None of too large a union.
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import { distinctSchemas, hasTooManyBranches, mergeSchemas, mostBranches, partsOf } from './merge-schemas.ts';

export interface Union {
  /** Each joined with what stands beside the union; empty if there is no union, or too large a one. */
  readonly branches: readonly JsonSchema[];
  /** There are more branches than are looked into. */
  readonly isOpaque: boolean;
}

const noUnion: Union = { branches: [], isOpaque: false };
const opaqueUnion: Union = { branches: [], isOpaque: true };

/** Merges the schemas of one root and splits their unions; each once. */
export class UnionBranches {
  readonly #root: SchemaObject;
  readonly #merged = new WeakMap<SchemaObject, SchemaObject>();
  readonly #unions = new WeakMap<SchemaObject, Union>();

  constructor(root: SchemaObject) {
    this.#root = root;
  }

  merged(schema: SchemaObject): SchemaObject {
    let merged = this.#merged.get(schema);
    if (merged === undefined) {
      merged = mergeSchemas(schema, this.#root);
      this.#merged.set(schema, merged);
    }
    return merged;
  }

  of(schema: SchemaObject): Union {
    let union = this.#unions.get(schema);
    if (union === undefined) {
      // Until it is known: a schema that leads back to itself says nothing.
      this.#unions.set(schema, noUnion);
      union = this.#split(schema);
      this.#unions.set(schema, union);
    }
    return union;
  }

  #split(schema: SchemaObject): Union {
    const { anyOf, oneOf, ...beside } = this.merged(schema);
    const said = anyOf ?? oneOf;
    if (said === undefined) return noUnion;
    const keyword = anyOf === undefined ? 'oneOf' : 'anyOf';
    if (hasTooManyBranches(keyword, partsOf(schema, this.#root))) return opaqueUnion;
    const found = new Set<JsonSchema>();
    const isAlone = Object.keys(beside).length === 0;
    for (const branch of distinctSchemas(said)) {
      const inner = this.#innermost(isAlone ? branch : { allOf: [beside, branch] });
      if (inner === undefined) return opaqueUnion;
      for (const innermost of inner) found.add(innermost);
      if (found.size > mostBranches) return opaqueUnion;
    }
    return { branches: distinctSchemas([...found]), isOpaque: false };
  }

  /** The branches of a branch, or the branch itself; undefined where they can't be looked into. */
  #innermost(branch: JsonSchema): readonly JsonSchema[] | undefined {
    if (typeof branch === 'boolean') return [branch];
    const { branches, isOpaque } = this.of(branch);
    if (isOpaque) return undefined;
    return branches.length === 0 ? [branch] : branches;
  }
}

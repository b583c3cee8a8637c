// Into which branches does a schema split, with unions inside unions as branches of their own? None of too large a union.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import {
  distinctSchemas,
  hasTooManyBranches,
  mergeSchemas,
  mostBranches,
  partsOf,
} from '../merge-schemas.ts';
import { joinedWith, splitSchema } from './split-schema.ts';

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
    const { anyOf, oneOf, ...others } = this.merged(schema);
    const said = anyOf ?? oneOf;
    if (said === undefined) return noUnion;
    const keyword = anyOf === undefined ? 'oneOf' : 'anyOf';
    const parts = partsOf(schema, this.#root);
    if (hasTooManyBranches(keyword, parts)) return opaqueUnion;
    const found = new Set<JsonSchema>();
    const beside = splitSchema(others, parts);
    for (const branch of distinctSchemas(said)) {
      const inner = this.#innermost(joinedWith(beside, [...beside.conditional, branch]));
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

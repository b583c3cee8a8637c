// What does every step of lowering get, and give back? A schema that a provider accepts, and the way back from it.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import type { SchemaRules } from '../dialect-rules.ts';
import type { SchemaChange } from '../normal-form/schema-change.ts';
import type { Plan } from '../way-back/plan.ts';

/** A schema as a provider takes it, and how its values differ from the contract's. */
export interface Lowered {
  readonly schema: SchemaObject;
  readonly plan: Plan;
}

/** Where a schema stands. */
export interface Place {
  /** JSON Pointer in the contract's schema. */
  readonly pointer: string;
  /** The references on the way here, each with the plan of what it led to. */
  readonly around: ReadonlyMap<string, () => Plan>;
}

export interface Lowering {
  readonly rules: SchemaRules;
  /** The contract's schema in JSON Schema 2020-12, with the keys that are shown. */
  readonly root: SchemaObject;
  /** A property's own name, by the one that is shown. */
  ownKey(shown: string): string;
  /** Whether any property is shown under another name. */
  readonly hasOtherKeys: boolean;
  lower(schema: JsonSchema, place: Place): Lowered;
  /** A definition, lowered once however often it is referred to. */
  define(reference: string): Plan;
  tell(change: SchemaChange): void;
  /** Puts sentences behind a description, as far as there is room. */
  describe(schema: SchemaObject, words: readonly string[], place: Place): SchemaObject;
}

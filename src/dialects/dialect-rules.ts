// What does a provider accept in a tool, as data? Each dialect states it once; lowering, check and docs read it.
import type { JsonValue } from '../json/json-value.ts';

/** Names that a provider takes. */
export interface NameRule {
  readonly accepts: RegExp;
  /** Each match becomes `_`. */
  readonly forbidden: RegExp;
  /** Characters, at most. */
  readonly longest: number;
  /** Put before a name whose first character may not stand there. */
  readonly first?: string;
}

/** Which part of JSON Schema a provider takes. */
export interface SchemaRules {
  /** Whether a keyword may stay; what may not is said in the description. */
  keeps(keyword: string, value: unknown): boolean;
  /** `plain`: unions and `allOf` at the root become one object. */
  readonly root: 'plain' | 'any';
  /** Names of declared properties. Absent: any. */
  readonly keys?: NameRule;
  /**
   * `closed`: no undeclared keys, so a map becomes a list of `{ key, value }`. `listed`: the same, but the keyword itself
   * isn't taken. `implied`: only the keyword isn't taken. `declared`: as it is.
   */
  readonly objects: 'closed' | 'listed' | 'implied' | 'declared';
  /** `null`: every property is required, and null stands for one that is left out. */
  readonly optional: 'absent' | 'null';
  /** `alone`: nothing may stand beside a `$ref`. */
  readonly references: 'kept' | 'alone' | 'inlined';
  /** `split`: one type for each schema, null aside. `nullable`: the same, and null is OpenAPI's `nullable`. */
  readonly types: 'lists' | 'split' | 'nullable';
  /** Which values an `enum` may list. */
  readonly members: 'any' | 'primitives' | 'texts';
  /** What stands for a schema that takes anything: itself, or text that holds JSON. */
  readonly anything: 'kept' | 'json-text';
  readonly untypedItems: 'kept' | 'json-text';
  /** The largest `minItems`. Absent: any. */
  readonly mostMinItems?: number;
}

/** What a provider takes of all tools together; absent: no limit is known. */
export interface SetLimits {
  /** Objects in each other. */
  readonly depth?: number;
  readonly properties?: number;
  /** Characters of all names, enum members and constants. */
  readonly characters?: number;
  readonly enumMembers?: number;
  /** Characters of one enum with more than 250 members. */
  readonly enumCharacters?: number;
  /** Tools that are strict at once. */
  readonly strictTools?: number;
  readonly optionalParameters?: number;
  readonly unionParameters?: number;
}

export interface DialectRules {
  readonly schema: SchemaRules;
  readonly toolName?: NameRule;
  readonly limits: SetLimits;
}

export const everyKeywordBut =
  (...dropped: readonly string[]) =>
  (keyword: string): boolean =>
    !dropped.includes(keyword);

export const onlyKeywords =
  (...kept: readonly string[]) =>
  (keyword: string): boolean =>
    kept.includes(keyword);

export const isPrimitive = (value: JsonValue): boolean => typeof value !== 'object' || value === null;

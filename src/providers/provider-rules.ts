import { fingerprintOf } from '../json/serialize.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

export interface NameRule {
  readonly pattern: RegExp;
  /** Each match is replaced by `_`. */
  readonly forbidden: RegExp;
  /** Characters. */
  readonly maxLength: number;
}

/**
 * Names of these characters, such as `a-z0-9_`. `first`: the characters that a name may start with.
 */
export const nameRule = (characters: string, maxLength: number, first = characters): NameRule => ({
  pattern: new RegExp(`^[${first}][${characters}]*$`),
  forbidden: new RegExp(`[^${characters}]`, 'g'),
  maxLength,
});

/**
 * The part of JSON Schema that a provider accepts. `declared`: the schema stays as it is.
 * `json-schema`: any 2020-12 schema. `guidance`: any object schema without unions and `allOf` at
 * the root; it guides the model, and is not enforced.
 */
export type SchemaRules =
  | { readonly kind: 'declared' }
  | { readonly kind: 'json-schema' }
  | { readonly kind: 'guidance'; readonly propertyNames?: NameRule }
  | RestrictedRules;

/** For a provider that accepts only some keywords. The root is one object. */
export interface RestrictedRules {
  /**
   * `strict`: closed objects, a type for every schema, no objects in an `enum`. `openapi`: one type
   * for each schema, `nullable` for null, enums of strings only, no undeclared keys. `plain`:
   * without these restrictions.
   */
  readonly kind: 'plain' | 'strict' | 'openapi';
  /**
   * Whether a keyword may stay with this value. Other keywords are described in words. Not called
   * for `type`, `properties`, `required`, `items`, `enum`, `anyOf` and `description`, which every
   * provider accepts.
   */
  keeps(keyword: string, value: unknown): boolean;
  /** Names of declared properties. Default: any. */
  readonly propertyNames?: NameRule;
  /** All properties are required, and null means an absent one. */
  readonly nullForAbsent?: boolean;
  /** All properties have to be required, and there is no form for an absent one. */
  readonly requiresAll?: boolean;
  /** The provider refuses a schema that contains itself in required properties only. */
  readonly optionalCycles?: boolean;
  /** The items of an array must have a type. */
  readonly typedItems?: boolean;
}

/** Limits of strict mode. Default: no known limit. */
export interface StrictLimits {
  /** Nested objects, in one tool. */
  readonly depth?: number;
  /** In one tool. */
  readonly properties?: number;
  /** Characters of all property names, enum members and constants of one tool. */
  readonly characters?: number;
  /** In one tool. */
  readonly enumMembers?: number;
  /** Characters of one enum with more than 250 members. */
  readonly enumCharacters?: number;
  /** Strict tools in one request. */
  readonly strictTools?: number;
  /** Optional parameters of all strict tools of a request. */
  readonly optionalParameters?: number;
  /** Parameters of several types in all strict tools of a request. */
  readonly unionParameters?: number;
}

/** A difference between the provider's schema and the tool's own. */
export interface SchemaChange {
  /**
   * `adapted`: shown in another form. `lost`: can't be expressed. `not-strict`: strict mode can't
   * express it.
   */
  readonly kind: 'adapted' | 'lost' | 'not-strict';
  /** JSON Pointer in the tool's schema. */
  readonly pointer: string;
  readonly rule: ChangeRule;
  /** A clause: "has a union at its root". */
  readonly what: string;
}

export type ChangeRule =
  | 'any-value'
  | 'description'
  | 'enum'
  | 'limit'
  | 'misused'
  | 'open-object'
  | 'optional'
  | 'property-key'
  | 'recursion'
  | 'reference'
  | 'root'
  | 'too-large'
  | 'tuple'
  | 'union';

export interface ProviderRules {
  /** Default: any name. */
  readonly toolName?: NameRule;
  readonly schema: SchemaRules;
  /** Strict mode. A tool that it can't express is offered with `schema`, not strict. */
  readonly strict?: {
    readonly schema: RestrictedRules;
    readonly limits: StrictLimits;
    /** A tool may say for itself whether it is strict. Default: all tools are. */
    readonly choice?: { readonly option: 'anthropic' | 'openai'; readonly isDefault: boolean };
    /** If one tool isn't strict, the request may not have strict tools. */
    readonly allOrNone?: true;
  };
}

export interface ToolParts {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  /** Whether the schema conforms to the provider's strict mode. */
  readonly strict: boolean;
  readonly contract: ToolContract;
}

export interface Provider<Tool extends object> {
  readonly rules: ProviderRules;
  /** One tool in the shape of the provider's requests. Pure. */
  readonly toTool: (parts: ToolParts) => Tool;
}

export function keepsOnly(keywords: readonly string[]): (keyword: string) => boolean {
  const keptKeywords = new Set(keywords);
  return (keyword) => keptKeywords.has(keyword);
}

/** Maps from a tool's own names to the provider's, and back. Contains only names that differ. */
export interface LegalNames {
  readonly legal: ReadonlyMap<string, string>;
  readonly ownNames: ReadonlyMap<string, string>;
}

export const isLegalName = (name: string, { pattern, maxLength }: NameRule): boolean =>
  name.length <= maxLength && pattern.test(name);

/**
 * Replaces forbidden characters by `_`. A name that is then too long, or equal to another one, is
 * shortened and gets a hash of the original. The order of the names doesn't matter.
 */
export function legalNames(names: Iterable<string>, rule: NameRule | undefined): LegalNames {
  const all = [...new Set(names)].toSorted();
  const illegal = rule === undefined ? [] : all.filter((name) => !isLegalName(name, rule));
  if (rule === undefined || illegal.length === 0) return { legal: new Map(), ownNames: new Map() };
  const candidates = illegal.map((name) => withoutForbidden(name, rule));
  const takenNames = new Set(all.filter((name) => isLegalName(name, rule)));
  const legal = new Map<string, string>();
  for (const [index, name] of illegal.entries()) {
    const candidate = candidates[index] ?? name;
    const isUnique =
      candidates.indexOf(candidate) === candidates.lastIndexOf(candidate) &&
      !takenNames.has(candidate);
    const isShort = candidate.length <= rule.maxLength;
    const legalName =
      isUnique && isShort ? candidate : withHash(candidate, name, rule.maxLength, takenNames);
    takenNames.add(legalName);
    legal.set(name, legalName);
  }
  return {
    legal,
    ownNames: new Map([...legal].map(([ownName, legalName]) => [legalName, ownName])),
  };
}

function withoutForbidden(name: string, { forbidden, pattern, maxLength }: NameRule): string {
  const cleanName = name.replace(forbidden, '_');
  return pattern.test(cleanName.slice(0, maxLength)) ? cleanName : `_${cleanName}`;
}

const hashLength = 7;

function withHash(
  legal: string,
  name: string,
  maxLength: number,
  takenNames: ReadonlySet<string>,
): string {
  const prefix = legal.slice(0, maxLength - hashLength - 1);
  let saltedName = name;
  for (;;) {
    const hash = fingerprintOf(saltedName)
      .replace(/[^a-z0-9]/g, '')
      .slice(-hashLength);
    if (!takenNames.has(`${prefix}_${hash}`)) return `${prefix}_${hash}`;
    saltedName += ' ';
  }
}

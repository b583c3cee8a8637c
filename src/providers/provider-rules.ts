import { fingerprintOf } from '../json/serialize.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/** Names that a provider accepts. */
export interface NameRule {
  readonly pattern: RegExp;
  /** Each match becomes `_`. */
  readonly forbidden: RegExp;
  /** Characters. */
  readonly maxLength: number;
}

/**
 * What a provider takes of JSON Schema. `declared`: the schema stays as it is. `json-schema`: any 2020-12 schema. `guidance`: any
 * object schema, without unions and `allOf` at the root, which the model reads and nothing enforces.
 */
export type SchemaRules =
  | { readonly kind: 'declared' }
  | { readonly kind: 'json-schema' }
  | { readonly kind: 'guidance'; readonly propertyNames?: NameRule }
  | RestrictedRules;

/** For a provider that takes a part of JSON Schema. The root is one object. */
export interface RestrictedRules {
  /**
   * `strict`: closed objects, a type for every schema, no objects in an `enum`. `openapi`: one type a schema, `nullable` for null,
   * enums of strings, and undeclared keys don't arrive. `plain`: none of this.
   */
  readonly kind: 'plain' | 'strict' | 'openapi';
  /**
   * Whether a keyword may stay with this value; the description says the others in words. Not asked about `type`, `properties`,
   * `required`, `items`, `enum`, `anyOf` and `description`, which every provider takes.
   */
  keeps(keyword: string, value: unknown): boolean;
  /** Names of declared properties. Default: any. */
  readonly propertyNames?: NameRule;
  /** All properties are required, and null stands for an absent one. */
  readonly nullForAbsent?: boolean;
  /** The items of an array need a type. */
  readonly typedItems?: boolean;
}

/** Limits of strict mode; absent: none is known. */
export interface StrictLimits {
  /** Objects inside objects, in one tool. */
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

/** What a provider's schema doesn't say as the tool's own does. */
export interface SchemaChange {
  /** `adapted`: shown in another form. `lost`: can't be said or sent. `not-strict`: strict mode can't express it. */
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
  /** Absent: any name. */
  readonly toolName?: NameRule;
  readonly schema: SchemaRules;
  /** Strict mode. A tool that these rules can't express is offered by `schema`, without strict mode. */
  readonly strict?: { readonly schema: RestrictedRules; readonly limits: StrictLimits };
}

/** What a provider's tool is made from. */
export interface ToolParts {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  /** Whether the schema keeps to the provider's strict mode. */
  readonly strict: boolean;
  readonly contract: ToolContract;
}

export interface Provider<Tool extends object> {
  readonly rules: ProviderRules;
  /** One tool in the shape of a request. Pure. */
  readonly toTool: (parts: ToolParts) => Tool;
}

/** A set of names that are separated by blanks. */
export const setOf = (names: string): ReadonlySet<unknown> => new Set(names.split(' '));

/** `keywords`: separated by blanks. */
export function keepsOnly(keywords: string): (keyword: string) => boolean {
  const kept = setOf(keywords);
  return (keyword) => kept.has(keyword);
}

/** Own names by the provider's and the reverse. Only names that differ are listed. */
export interface LegalNames {
  readonly legal: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

export const noNames: LegalNames = { legal: new Map(), own: new Map() };

export const isLegalName = (name: string, { pattern, maxLength }: NameRule): boolean =>
  name.length <= maxLength && pattern.test(name);

/**
 * Replaces forbidden characters by `_`. A name that is too long, or equal to another one then, is cut and gets a hash of its
 * own name. The order of the names doesn't matter.
 */
export function legalNames(names: Iterable<string>, rule: NameRule | undefined): LegalNames {
  const all = new Set(names);
  const illegal = rule === undefined ? [] : [...all].filter((name) => !isLegalName(name, rule));
  if (rule === undefined || illegal.length === 0) return noNames;
  const candidates = new Map(illegal.map((name) => [name, withoutForbidden(name, rule)] as const));
  const taken = new Set([...all].filter((name) => isLegalName(name, rule)));
  const wanted = [...candidates.values()];
  const legal = new Map<string, string>();
  for (const [name, candidate] of [...candidates].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const isUnique = wanted.filter((other) => other === candidate).length === 1 && !taken.has(candidate);
    const chosen =
      isUnique && candidate.length <= rule.maxLength
        ? candidate
        : withHash(candidate, name, rule.maxLength, taken);
    taken.add(chosen);
    legal.set(name, chosen);
  }
  return { legal, own: new Map([...legal].map(([own, chosen]) => [chosen, own])) };
}

function withoutForbidden(name: string, { forbidden, pattern, maxLength }: NameRule): string {
  const replaced = name.replace(forbidden, '_');
  return pattern.test(replaced.slice(0, maxLength)) ? replaced : `_${replaced}`;
}

const hashLength = 7;

function withHash(legal: string, name: string, maxLength: number, taken: ReadonlySet<string>): string {
  const kept = legal.slice(0, maxLength - hashLength - 1);
  let salted = name;
  for (;;) {
    const hash = fingerprintOf(salted)
      .replace(/[^a-z0-9]/g, '')
      .slice(-hashLength);
    if (!taken.has(`${kept}_${hash}`)) return `${kept}_${hash}`;
    salted += ' ';
  }
}

import { fingerprintOf } from '../json/serialize.ts';
import { type JsonValue, freezeDeep } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { withoutAnnotations } from '../schema/schema-view.ts';
import { withMeta } from '../tool/meta-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

// Each provider states it once; lowering, check and docs read it.
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

export interface ProviderRules {
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

// The same name every time, whatever stands beside it.
/** Own names and the names that are shown for them; one to one. Names that are legal are not listed. */
export interface ShownNames {
  readonly shown: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

const noNames: ShownNames = { shown: new Map(), own: new Map() };

/** Whether a provider takes a name as it is. */
export const isLegalName = (name: string, { accepts, longest }: NameRule): boolean =>
  name.length <= longest && accepts.test(name);

/**
 * Legal names stay. In others what is forbidden becomes `_`; one that is too long, or then the same as another, is cut and
 * gets a hash of its own name. The order of the names doesn't matter.
 */
export function legalNames(names: Iterable<string>, rule: NameRule | undefined): ShownNames {
  const all = new Set(names);
  const illegal = rule === undefined ? [] : [...all].filter((name) => !isLegalName(name, rule));
  if (rule === undefined || illegal.length === 0) return noNames;
  const plain = new Map(illegal.map((name) => [name, withoutForbidden(name, rule)] as const));
  const taken = new Set([...all].filter((name) => isLegalName(name, rule)));
  const wanted = [...plain.values()];
  const shown = new Map<string, string>();
  for (const [name, legal] of [...plain].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const isFree = legal.length <= rule.longest && !taken.has(legal);
    const isOnly = wanted.filter((other) => other === legal).length === 1;
    const chosen = isFree && isOnly ? legal : hashed(legal, name, rule.longest, taken);
    taken.add(chosen);
    shown.set(name, chosen);
  }
  return { shown, own: new Map([...shown].map(([own, legal]) => [legal, own])) };
}

function withoutForbidden(name: string, { forbidden, accepts, longest, first = '_' }: NameRule): string {
  const replaced = name.replace(forbidden, '_');
  const started = replaced === '' ? first : replaced;
  return accepts.test(started.slice(0, longest)) ? started : `${first}${started}`;
}

const hashLength = 7;

function hashed(legal: string, name: string, longest: number, taken: ReadonlySet<string>): string {
  const kept = legal.slice(0, longest - hashLength - 1);
  let salted = name;
  for (;;) {
    const hash = fingerprintOf(salted)
      .replace(/[^a-z0-9]/g, '')
      .slice(-hashLength);
    const made = `${kept}_${hash}`;
    if (!taken.has(made)) return made;
    salted += ' ';
  }
}

// What was made of a thing is kept as long as the thing.
/** The same function, called once at most for each object. */
export function onceEach<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, { readonly value: To }>();
  return (from) => {
    const kept = made.get(from) ?? { value: make(from) };
    made.set(from, kept);
    return kept.value;
  };
}

// Its name, what is said of it, and its schema without our annotations.
/** A tool as every provider's form is made from it. Frozen to the bottom; the same bytes every time. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
}

/** A contract, and the description that a model reads. */
export interface DescribedTool {
  readonly contract: ToolContract;
  readonly description: string;
}

/** The same object for the same described tool. */
export const shownTool = onceEach(({ contract, description }: DescribedTool): ShownTool =>
  freezeDeep({ name: contract.name, description, inputSchema: shownSchema(contract) }),
);

/** The input schema without our annotations, with the meta arguments that are switched on. */
export const shownSchema = ({ inputSchema, meta }: ToolContract): SchemaObject =>
  withoutAnnotations(withMeta(inputSchema, meta));

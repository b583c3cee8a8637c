import { freezeDeep, memoize } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas, subschemasOf } from '../schema/json-schema.ts';
import { modelSchema } from '../tool/meta-arguments.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { declaredKeys, normalizeSchema, plainRoot, renameKeys } from './normalize-schema.ts';
import {
  type ChangeRule,
  type LegalNames,
  type ProviderRules,
  type SchemaChange,
  type SchemaRules,
  type StrictLimits,
  legalNames,
  noNames,
  setOf,
} from './provider-rules.ts';
import { ArgumentMapping } from './restore-arguments.ts';
import { SchemaTransformer } from './restrict-schema.ts';

export interface TransformedTool {
  readonly schema: SchemaObject;
  /** What the tool's description has to say beside its own text. */
  readonly words: readonly string[];
  /** Those of kind `not-strict` say why a tool isn't strict that was to be. */
  readonly changes: readonly SchemaChange[];
  readonly strict: boolean;
  /** Absent if the model sends the tool's own arguments. */
  readonly mapping?: ArgumentMapping;
}

/** The tool as a provider accepts it; in strict mode if the rules have one that can express it. The same object every time. */
export const transformTool = (contract: ToolContract, rules: ProviderRules): TransformedTool =>
  transformedBy(rules)(contract);

const transformedBy = memoize((rules: ProviderRules) =>
  memoize((contract: ToolContract): TransformedTool => {
    const schema = modelSchema(contract);
    if (rules.strict === undefined) return transformed(transformSchema(schema, rules.schema), false);
    const strict = transformSchema(schema, rules.strict.schema);
    const reasons = [
      ...strict.changes.filter(({ kind }) => kind === 'not-strict'),
      ...limitReasons(strict.schema, rules.strict.limits),
    ];
    if (reasons.length === 0) return transformed(strict, true);
    const free = transformed(transformSchema(schema, rules.schema), false);
    return { ...free, changes: [...reasons, ...free.changes] };
  }),
);

function transformed(made: TransformedSchema, strict: boolean): TransformedTool {
  const { schema, words, changes, names } = made;
  const hasNulls = changes.some(({ rule }) => rule === 'optional');
  const isSame = names.legal.size === 0 && !hasNulls;
  return {
    schema,
    words,
    changes,
    strict,
    ...(isSame ? {} : { mapping: new ArgumentMapping({ ...made, hasNulls }) }),
  };
}

export interface TransformedSchema {
  readonly schema: SchemaObject;
  /** What the tool's description has to say: the root's description, and what the root can't say. */
  readonly words: readonly string[];
  readonly changes: readonly SchemaChange[];
  /** The tool's schema with the provider's names of properties and a plain root. */
  readonly source: SchemaObject;
  readonly names: LegalNames;
}

/** The schema as a provider accepts it. Pure; the same schema gives the same text. */
export function transformSchema(schema: SchemaObject, rules: SchemaRules): TransformedSchema {
  if (rules.kind === 'declared') return { schema, words: [], changes: [], source: schema, names: noNames };
  const normal = normalizeSchema(schema);
  if (rules.kind === 'json-schema') {
    const shown: SchemaObject = freezeDeep({ ...normal.root, type: 'object' });
    return { schema: shown, words: [], changes: normal.changes, source: shown, names: noNames };
  }
  const { propertyNames } = rules;
  const names = legalNames(propertyNames === undefined ? [] : declaredKeys(normal.root), propertyNames);
  const source = plainRoot(renameKeys(normal.root, names.legal));
  const { description = '', ...root } = source.root;
  const made =
    rules.kind === 'guidance'
      ? { schema: asGuidance(root), changes: [] }
      : new SchemaTransformer(root, rules, names).transformRoot();
  const { nullable: _nullable, description: said = '', ...shown } = made.schema;
  return {
    schema: freezeDeep({ ...shown, type: 'object' }),
    words: [description, said, ...source.words].filter((text) => text !== ''),
    changes: distinct([
      ...normal.changes,
      ...[...names.legal].map(([own, legal]) =>
        adapted('property-key', `has the property ${JSON.stringify(own)}, which is shown as ${legal}`),
      ),
      ...(source.isChanged ? [adapted('root', 'has a union or `allOf` at its root')] : []),
      ...made.changes,
    ]),
    source: source.root,
    names,
  };
}

/** Annotations that say nothing to a model. */
const silent = setOf('title discriminator $comment externalDocs xml');

const asGuidance = (schema: SchemaObject): SchemaObject =>
  mapSubschemas(
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => !silent.has(keyword))),
    asGuidance,
  );

const adapted = (rule: ChangeRule, what: string): SchemaChange => ({
  kind: 'adapted',
  pointer: '',
  rule,
  what,
});

const distinct = (changes: readonly SchemaChange[]): readonly SchemaChange[] => [
  ...new Map(changes.map((change) => [JSON.stringify(change), Object.freeze(change)])).values(),
];

/** How much of each limit a schema uses. */
export type SchemaSize = { readonly [Limit in keyof StrictLimits]-?: number };

export function sizeOf(schema: SchemaObject): SchemaSize {
  const size = {
    depth: 0,
    properties: 0,
    characters: 0,
    enumMembers: 0,
    enumCharacters: 0,
    strictTools: 1,
    optionalParameters: 0,
    unionParameters: 0,
  };
  const visit = (part: SchemaObject, depth: number): void => {
    const { properties = {}, required = [], enum: members = [], const: constant } = part;
    const isObject = part.properties !== undefined || [part.type].flat().includes('object');
    const inside = isObject ? depth + 1 : depth;
    const keys = Object.keys(properties);
    const length = members.reduce<number>((sum, member) => sum + lengthOf(member), 0);
    size.depth = Math.max(size.depth, inside);
    size.properties += keys.length;
    size.characters += keys.join('').length + length + lengthOf(constant);
    size.enumMembers += members.length;
    if (members.length > 250) size.enumCharacters = Math.max(size.enumCharacters, length);
    size.optionalParameters += keys.filter((key) => !required.includes(key)).length;
    size.unionParameters += Object.values(properties).filter(isUnion).length;
    for (const below of subschemasOf(part)) visit(below, inside);
  };
  visit(schema, 0);
  return size;
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length;

const isUnion = (property: JsonSchema): boolean =>
  typeof property === 'object' && (property.anyOf !== undefined || Array.isArray(property.type));

type LimitWords = readonly (readonly [limit: keyof StrictLimits, words: string])[];

const toolLimits: LimitWords = [
  ['depth', 'objects inside objects'],
  ['properties', 'properties'],
  ['characters', 'characters of names and enum members'],
  ['enumMembers', 'enum members'],
  ['enumCharacters', 'characters in one enum'],
];

/** Limits of all strict tools of a request. */
export const setLimits: LimitWords = [
  ['strictTools', 'strict tools'],
  ['optionalParameters', 'optional parameters'],
  ['unionParameters', 'parameters of several types'],
];

function limitReasons(schema: SchemaObject, limits: StrictLimits): readonly SchemaChange[] {
  const size = sizeOf(schema);
  return toolLimits.flatMap(([limit, words]) => {
    const max = limits[limit] ?? Infinity;
    if (size[limit] <= max) return [];
    const what = `has ${size[limit]} ${words}, of which ${max} are accepted`;
    return [{ kind: 'not-strict', pointer: '', rule: 'limit', what }];
  });
}

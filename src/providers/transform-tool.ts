import { memoize } from '../collections/memoize.ts';
import { freezeDeep } from '../collections/objects.ts';
import { type SchemaObject, subschemasOf, withoutKeywordsIn } from '../schema/json-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { modelSchema } from '../messages/describe-tool.ts';
import { declaredKeys, normalizeSchema, plainRoot, renameKeys } from './normalize-schema.ts';
import {
  type ChangeRule,
  type ProviderRules,
  type SchemaChange,
  type SchemaRules,
  type StrictLimits,
  legalNames,
} from './provider-rules.ts';
import { ArgumentMapping } from './restore-arguments.ts';
import { SchemaTransformer } from './restrict-schema.ts';

export interface TransformedSchema {
  readonly schema: SchemaObject;
  /**
   * Additions to the tool's description: the root's description, and what the root can't express.
   */
  readonly words: readonly string[];
  /** Those of kind `not-strict` are the reasons why a tool isn't strict. */
  readonly changes: readonly SchemaChange[];
  /** Absent if the model sends the tool's own arguments. */
  readonly mapping?: ArgumentMapping;
}

export interface TransformedTool extends TransformedSchema {
  readonly strict: boolean;
}

/** The tool as a provider accepts it, in strict mode if the rules have one that can express it. */
export const transformTool = (contract: ToolContract, rules: ProviderRules): TransformedTool =>
  transformedBy(rules)(contract);

function isWanted(
  { providerOptions = {} }: ToolContract,
  choice: NonNullable<ProviderRules['strict']>['choice'],
): boolean {
  return choice === undefined || (providerOptions[choice.option]?.strict ?? choice.isDefault);
}

const transformedBy = memoize(({ schema: rules, strict: strictRules }: ProviderRules) =>
  memoize((contract: ToolContract): TransformedTool => {
    const schema = modelSchema(contract);
    if (strictRules === undefined || !isWanted(contract, strictRules.choice))
      return { ...transformSchema(schema, rules), strict: false };
    const strict = transformSchema(schema, strictRules.schema);
    const reasons = [
      ...strict.changes.filter(({ kind }) => kind === 'not-strict'),
      ...limitReasons(strict.schema, strictRules.limits),
    ];
    if (reasons.length === 0) return { ...strict, strict: true };
    const plain = transformSchema(schema, rules);
    return { ...plain, strict: false, changes: [...reasons, ...plain.changes] };
  }),
);

/** The schema as a provider accepts it. Pure; the same schema gives the same text. */
export function transformSchema(
  declaredSchema: SchemaObject,
  rules: SchemaRules,
): TransformedSchema {
  if (rules.kind === 'declared') return { schema: declaredSchema, words: [], changes: [] };
  const normal = normalizeSchema(declaredSchema);
  if (rules.kind === 'json-schema')
    return {
      schema: freezeDeep({ ...normal.root, type: 'object' }),
      words: [],
      changes: normal.changes,
    };
  const { propertyNames } = rules;
  const names = legalNames(
    propertyNames === undefined ? [] : declaredKeys(normal.root),
    propertyNames,
  );
  const plain = plainRoot(renameKeys(normal.root, names.legal));
  const { description = '', ...root } = plain.schema;
  const result =
    rules.kind === 'guidance'
      ? { schema: withoutKeywordsIn(root, silent), changes: [] }
      : new SchemaTransformer(root, rules, names).transformRoot();
  const {
    nullable: _nullable,
    description: transformedDescription = '',
    ...others
  } = result.schema;
  const schema: SchemaObject = freezeDeep({ ...others, type: 'object' });
  const hasNulls = result.changes.some(({ rule }) => rule === 'optional');
  return {
    schema,
    words: [description, transformedDescription, ...plain.words].filter((text) => text !== ''),
    changes: distinct([
      ...normal.changes,
      ...[...names.legal].map(([ownKey, legal]) =>
        adaptedSchema(
          'property-key',
          `has the property ${JSON.stringify(ownKey)}, which is shown as ${legal}`,
        ),
      ),
      ...(plain.isChanged ? [adaptedSchema('root', 'has a union or `allOf` at its root')] : []),
      ...result.changes,
    ]),
    ...(names.legal.size === 0 && !hasNulls
      ? {}
      : { mapping: new ArgumentMapping(schema, plain.schema, names, hasNulls) }),
  };
}

/** Annotations that mean nothing to a model. */
const silent: ReadonlySet<string> = new Set([
  'title',
  'discriminator',
  '$comment',
  'externalDocs',
  'xml',
]);

const adaptedSchema = (rule: ChangeRule, what: string): SchemaChange => ({
  kind: 'adapted',
  pointer: '',
  rule,
  what,
});

const distinct = (changes: readonly SchemaChange[]): readonly SchemaChange[] => [
  ...new Map(changes.map((change) => [JSON.stringify(change), Object.freeze(change)])).values(),
];

export type SchemaSize = { readonly [Limit in keyof StrictLimits]-?: number };

export function schemaSize(schema: SchemaObject): SchemaSize {
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
    const innerDepth = isObject ? depth + 1 : depth;
    const keys = Object.keys(properties);
    const length = members.reduce<number>((sum, member) => sum + lengthOf(member), 0);
    size.depth = Math.max(size.depth, innerDepth);
    size.properties += keys.length;
    size.characters += keys.join('').length + length + lengthOf(constant);
    size.enumMembers += members.length;
    if (members.length > 250) size.enumCharacters = Math.max(size.enumCharacters, length);
    size.optionalParameters += keys.filter((key) => !required.includes(key)).length;
    size.unionParameters += Object.values(properties).filter(isUnion).length;
    for (const subschema of subschemasOf(part)) visit(subschema, innerDepth);
  };
  visit(schema, 0);
  return size;
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length;

const isUnion = (property: SchemaObject | boolean): boolean =>
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
  const size = schemaSize(schema);
  return toolLimits.flatMap(([limit, words]) => {
    const max = limits[limit] ?? Infinity;
    if (size[limit] <= max) return [];
    const what = `has ${size[limit]} ${words}, of which ${max} are accepted`;
    return [{ kind: 'not-strict', pointer: '', rule: 'limit', what }];
  });
}

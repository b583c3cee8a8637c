import {
  type JsonObject,
  type JsonSchema,
  type SchemaObject,
  type ToolContract,
  defineTool,
  standardMetaArguments,
} from 'toolmend';
import { CallGenerator } from '../../../src/testing/generate.ts';
import { fc } from '../../seeded-fast-check.ts';

type Schemas = fc.Arbitrary<JsonSchema>;

const scalars: readonly JsonSchema[] = [
  { type: 'string' },
  { type: 'string', default: 'plain' },
  { type: 'string', description: 'Free text.', 'x-toolmend': { verbatim: true } },
  { type: 'string', 'x-toolmend': { secret: true } },
  { type: 'string', 'x-toolmend': { semantic: 'path' } },
  { type: 'string', 'dirge-hints': { semantic: 'file_path' } },
  { type: 'string', minLength: 2, maxLength: 5 },
  { type: 'string', pattern: '^[a-z]+$' },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'uri' },
  { type: 'integer' },
  { type: 'integer', default: 3 },
  { type: 'integer', minimum: 1, maximum: 10 },
  { type: 'integer', multipleOf: 5 },
  { type: 'number' },
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  { type: 'boolean' },
  { type: 'boolean', default: false },
  { type: 'string', enum: ['red', 'dark_blue', 'None', 'Not-Applicable'] },
  { type: 'string', enum: ['1-0', '10', 'v1'], default: 'v1' },
  { enum: [1, 2, 'auto', null, true] },
  { type: 'integer', enum: [1, 10] },
  { const: 'fixed' },
  { type: ['string', 'null'] },
  { type: ['integer', 'string'] },
  { type: ['boolean', 'string'] },
  { type: ['number', 'null'] },
  { type: 'integer', nullable: true },
  { type: 'null' },
  {},
  true,
];

const arrays = (below: Schemas): Schemas =>
  fc
    .tuple(below, fc.constantFrom({}, {}, { minItems: 1 }, { maxItems: 2 }, { uniqueItems: true }))
    .map(([items, bounds]) => ({ type: 'array', items, ...bounds }));

const tuples = (below: Schemas): Schemas =>
  fc.array(below, { minLength: 1, maxLength: 3 }).map((prefixItems) => ({
    type: 'array',
    prefixItems,
    items: false,
    minItems: prefixItems.length,
  }));

const maps = (below: Schemas): Schemas =>
  fc.tuple(below, fc.boolean()).map(([schema, isByPattern]) => ({
    type: 'object',
    ...(isByPattern
      ? { patternProperties: { '^[a-zA-Z_-]+$': schema }, additionalProperties: false }
      : { additionalProperties: schema }),
  }));

const closedObject = (properties: { readonly [name: string]: JsonSchema }): SchemaObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const unions = (below: Schemas): Schemas =>
  fc
    .tuple(below, below, fc.constantFrom('anyOf', 'oneOf', 'nullable', 'tagged'))
    .map(([first, second, kind]) => {
      if (kind === 'nullable') return { anyOf: [first, { type: 'null' }] };
      if (kind !== 'tagged') return { [kind]: [first, second] };
      const branch = (tag: string, payload: JsonSchema): SchemaObject =>
        closedObject({ kind: { type: 'string', const: tag }, payload });
      return { oneOf: [branch('first', first), branch('second', second)] };
    });

/** The payload depends on the kind, or on the presence of a key. */
const conditionals = (below: Schemas): Schemas =>
  fc.tuple(below, below, fc.boolean()).map(([first, second, isByPresence]) => {
    const having = (payload: JsonSchema) => ({ properties: { payload }, required: ['payload'] });
    return {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['first', 'second'] },
        extra: { type: 'boolean' },
      },
      required: ['kind'],
      if: isByPresence
        ? { required: ['extra'] }
        : { properties: { kind: { const: 'first' } }, required: ['kind'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: having(first),
      else: having(second),
    };
  });

/**
 * Names of which no two are spellings of each other, some of them known to repair rules or to
 * JavaScript.
 */
const names = [
  ...'name maxLines items tags value type edits toString query description path outputDir'.split(
    ' ',
  ),
  ...'files user_id arguments x-y timeout item'.split(' '),
];

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly hasAlias: boolean;
}

const membersOf = (below: Schemas): fc.Arbitrary<readonly Member[]> =>
  fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      schema: below,
      isRequired: fc.boolean(),
      hasAlias: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 4, selector: ({ name }) => name },
  );

const keywordsOfObjects = fc.record({
  additional: fc
    .constantFrom<JsonSchema | undefined>(undefined, false, false, true, {
      type: ['integer', 'null'],
    })
    .map((schema): SchemaObject => (schema === undefined ? {} : { additionalProperties: schema })),
  related: fc.constantFrom('no', 'no', 'pair', 'dependent', 'condition'),
});
type KeywordsOfObject =
  typeof keywordsOfObjects extends fc.Arbitrary<infer Keywords> ? Keywords : never;

function objectOf(
  members: readonly Member[],
  { additional, related }: KeywordsOfObject,
): SchemaObject {
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name, withAlias(member)])),
    required: members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    ...additional,
    ...relationOf(members, related),
  };
}

function withAlias({ name, schema, hasAlias }: Member): JsonSchema {
  if (typeof schema === 'boolean' || !hasAlias) return schema;
  const hints = { ...schema['x-toolmend'], aliases: [`the ${name}`] };
  return { ...schema, 'x-toolmend': hints, description: `What ${name} is.` };
}

/** Two members that belong together. */
function relationOf(
  [first, second]: readonly Member[],
  kind: KeywordsOfObject['related'],
): SchemaObject {
  if (first === undefined || second === undefined || kind === 'no') return {};
  const requires = [first.name, second.name];
  const value = typeof second.schema === 'boolean' ? undefined : second.schema.default;
  if (kind === 'pair' && value !== undefined)
    return { 'x-toolmend': { relational: [{ requires, defaults: { [second.name]: value } }] } };
  return kind === 'condition'
    ? // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { if: { required: [first.name] }, then: { required: [second.name] } }
    : { dependentRequired: { [first.name]: [second.name] } };
}

const objects = (below: Schemas): Schemas =>
  fc.tuple(membersOf(below), keywordsOfObjects).map((parts) => objectOf(...parts));

const schemas: Schemas = fc.letrec<{ node: JsonSchema }>((tie) => {
  const below = tie('node');
  return {
    node: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      { weight: 5, arbitrary: fc.constantFrom(...scalars) },
      { weight: 3, arbitrary: objects(below) },
      { weight: 3, arbitrary: arrays(below) },
      { weight: 1, arbitrary: maps(below) },
      { weight: 1, arbitrary: tuples(below) },
      { weight: 2, arbitrary: unions(below) },
      {
        weight: 1,
        arbitrary: below.map((schema) => ({ allOf: [schema], description: 'Merged.' })),
      },
      { weight: 1, arbitrary: conditionals(below) },
    ),
  };
}).node;

const tree: Member = {
  name: 'tree',
  schema: { $ref: '#/$defs/Node' },
  isRequired: true,
  hasAlias: false,
};

const treeNodes: JsonSchema = { type: 'array', items: { $ref: '#/$defs/Node' } };
const treeNode: JsonSchema = {
  ...closedObject({ label: { type: 'string' }, weight: { type: 'integer' }, children: treeNodes }),
  required: ['label'],
};

/** Object schemas with some members behind references, as JSON Schema 2020-12. */
const roots = fc
  .tuple(membersOf(schemas), keywordsOfObjects, fc.subarray(names), fc.boolean())
  .map(([members, keywords, referred, isRecursive]): SchemaObject => {
    const behind = members.filter(({ name }) => referred.includes(name));
    const written = members.map((member) =>
      behind.includes(member) ? { ...member, schema: { $ref: `#/$defs/${member.name}` } } : member,
    );
    const $defs = Object.fromEntries(behind.map(({ name, schema }) => [name, schema]));
    return isRecursive
      ? { ...objectOf([...written, tree], keywords), $defs: { ...$defs, Node: treeNode } }
      : { ...objectOf(written, keywords), $defs };
  });

export interface ContractAndValue {
  readonly contract: ToolContract;
  /** As JSON Schema 2020-12. */
  readonly schema: SchemaObject;
  /** Valid arguments. */
  readonly value: JsonObject;
}

/** The contract with valid arguments; undefined if none are found. */
export function withValue(contract: ToolContract, schema: SchemaObject, seed: number) {
  const value = new CallGenerator(contract, seed).valid();
  return value && { contract, schema, value };
}

/** Contracts of tools that are defined by a schema, in all their options. */
export const schemaContracts: fc.Arbitrary<ContractAndValue> = fc
  .record({
    schema: roots,
    isOld: fc.boolean(),
    effects: fc.constantFrom(undefined, undefined, 'read', 'write', 'destructive'),
    unknownArguments: fc.constantFrom('reject', 'reject', 'strip'),
    hasMeta: fc.constantFrom(false, false, false, true),
    seed: fc.nat(),
  })
  .map(({ schema, isOld, effects, unknownArguments, hasMeta, seed }) => {
    const contract = defineTool({
      name: 'tried_tool',
      description: 'Is tried.',
      inputSchema: isOld ? asDraft07(schema) : schema,
      unknownArguments,
      ...(effects === undefined ? {} : { effects }),
      execute: () => 'done',
    });
    // The name of a standard meta argument.
    const isTaken = schema.properties !== undefined && Object.hasOwn(schema.properties, 'timeout');
    const meta = hasMeta && !isTaken ? standardMetaArguments : [];
    return withValue(meta.length === 0 ? contract : { ...contract, meta }, schema, seed);
  })
  .filter((found) => found !== undefined);

/** The same in the words of draft-07: `definitions`, tuples in `items`. */
function asDraft07({ $defs = {}, ...schema }: SchemaObject): SchemaObject {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const old: SchemaObject = { $schema, ...schema, definitions: $defs };
  return JSON.parse(JSON.stringify(old), (_key, part: unknown) => {
    if (typeof part === 'string') return part.replace(/^#\/\$defs\//, '#/definitions/');
    if (typeof part !== 'object' || part === null || !('prefixItems' in part)) return part;
    const { prefixItems, ...rest } = part;
    return { ...rest, items: prefixItems, additionalItems: false };
  });
}

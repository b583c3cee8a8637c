// Which contracts are there? Of nested objects, lists, maps, tuples, unions and references, as draft-07 and 2020-12 write them.
import { fc } from '../../seeded-fast-check.ts';
import {
  defineTool,
  type JsonObject,
  type JsonSchema,
  type SchemaObject,
  standardMetaArguments,
  type ToolContract,
} from 'toolmend';
import { type Member, membersOf, objectOf, saidOfObject } from './objects.ts';
import { scalars } from './scalars.ts';
import type { SchemaAndValue } from './schema-and-value.ts';

type Nodes = fc.Arbitrary<SchemaAndValue>;

const lists = (below: Nodes): Nodes =>
  fc
    .tuple(below, fc.nat(2), fc.constantFrom({}, {}, { minItems: 1 }, { maxItems: 2 }, { uniqueItems: true }))
    .map(([{ schema, value }, count, bounds]) => {
      const least = 'minItems' in bounds ? Math.max(1, count) : count;
      const length = 'uniqueItems' in bounds ? Math.min(1, count) : least;
      return {
        schema: { type: 'array', items: schema, ...bounds },
        value: Array.from({ length }, () => value),
      };
    });

const maps = (below: Nodes): Nodes =>
  fc
    .tuple(below, fc.uniqueArray(fc.constantFrom('a', 'A', 'x-y', 'name', '__proto__')), fc.boolean())
    .map(([{ schema, value }, keys, isByPattern]) => ({
      schema: {
        type: 'object',
        ...(isByPattern
          ? { patternProperties: { '^[a-zA-Z_-]+$': schema }, additionalProperties: false }
          : { additionalProperties: schema }),
      },
      value: Object.fromEntries(keys.map((key) => [key, value])),
    }));

const tuples = (below: Nodes): Nodes =>
  fc.array(below, { minLength: 1, maxLength: 3 }).map((parts) => ({
    schema: {
      type: 'array',
      prefixItems: parts.map(({ schema }) => schema),
      items: false,
      minItems: parts.length,
    },
    value: parts.map(({ value }) => value),
  }));

const unions = (below: Nodes): Nodes =>
  fc
    .tuple(below, below, fc.constantFrom('anyOf', 'oneOf', 'nullable', 'tagged'), fc.boolean())
    .map(([first, second, kind, isSecond]) => {
      const { value } = isSecond ? second : first;
      if (kind === 'nullable')
        return { schema: { anyOf: [first.schema, { type: 'null' }] }, value: first.value };
      if (kind !== 'tagged') {
        const keyword = areDisjoint(first.schema, second.schema) ? kind : 'anyOf';
        return { schema: { [keyword]: [first.schema, second.schema] }, value };
      }
      const branch = (tag: string, { schema }: SchemaAndValue): JsonSchema => ({
        type: 'object',
        properties: { kind: { type: 'string', const: tag }, payload: schema },
        required: ['kind', 'payload'],
        additionalProperties: false,
      });
      return {
        schema: { oneOf: [branch('first', first), branch('second', second)] },
        value: { kind: isSecond ? 'second' : 'first', payload: value },
      };
    });

/** No value is of both types. */
function areDisjoint(first: JsonSchema, second: JsonSchema): boolean {
  const [one, other] = [first, second].map((schema) =>
    typeof schema === 'boolean' || schema.nullable === true ? undefined : schema.type,
  );
  const isSaid = typeof one === 'string' && typeof other === 'string';
  return isSaid && one !== other && !(numeric.has(one) && numeric.has(other));
}

const numeric: ReadonlySet<string> = new Set(['integer', 'number']);

/** What the payload is depends on the kind, or on the presence of a key. */
const conditionals = (below: Nodes): Nodes =>
  fc.tuple(below, below, fc.boolean(), fc.boolean()).map(([first, second, isFirst, isByPresence]) => {
    const having = ({ schema }: SchemaAndValue): JsonSchema => ({
      type: 'object',
      properties: { payload: schema },
      required: ['payload'],
    });
    const { value: payload } = isFirst ? first : second;
    const condition: SchemaObject = isByPresence
      ? { required: ['extra'] }
      : { properties: { kind: { const: 'first' } }, required: ['kind'] };
    const schema: SchemaObject = {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['first', 'second'] }, extra: { type: 'boolean' } },
      required: ['kind'],
      if: condition,
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: having(first),
      else: having(second),
    };
    const kind = isFirst ? 'first' : 'second';
    return { schema, value: { kind, payload, ...(isByPresence && isFirst ? { extra: true } : {}) } };
  });

const merged = (below: Nodes): Nodes =>
  below.map(({ schema, value }) => ({ schema: { allOf: [schema], description: 'Merged.' }, value }));

const objects = (below: Nodes): Nodes =>
  fc.tuple(membersOf(below), saidOfObject).map(([members, said]) => objectOf(members, said));

const nodes: Nodes = fc.letrec<{ node: SchemaAndValue }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    { weight: 5, arbitrary: scalars },
    { weight: 3, arbitrary: objects(tie('node')) },
    { weight: 3, arbitrary: lists(tie('node')) },
    { weight: 1, arbitrary: maps(tie('node')) },
    { weight: 1, arbitrary: tuples(tie('node')) },
    { weight: 2, arbitrary: unions(tie('node')) },
    { weight: 1, arbitrary: merged(tie('node')) },
    { weight: 1, arbitrary: conditionals(tie('node')) },
  ),
})).node;

/** A list of itself, as deep as the value is. */
const recursive: Member = {
  name: 'tree',
  presence: 'required',
  facts: [],
  below: {
    schema: { $ref: '#/$defs/Node' },
    value: {
      label: 'root',
      children: [
        { label: 'leaf', weight: 2 },
        { label: 'twig', children: [] },
      ],
    },
  },
};

const nodeSchema: JsonSchema = {
  type: 'object',
  properties: {
    label: { type: 'string' },
    weight: { type: 'integer' },
    children: { type: 'array', items: { $ref: '#/$defs/Node' } },
  },
  required: ['label'],
  additionalProperties: false,
};

export interface ContractAndValue {
  readonly contract: ToolContract;
  /** As JSON Schema 2020-12. */
  readonly schema: SchemaObject;
  readonly value: JsonObject;
}

/** Object schemas with some members behind references. */
const roots = fc
  .tuple(membersOf(nodes), saidOfObject, fc.subarray([0, 1, 2, 3]), fc.boolean())
  .map(([found, said, behind, isRecursive]) => {
    const members = found.map((member, at): Member =>
      behind.includes(at)
        ? { ...member, below: { ...member.below, schema: { $ref: `#/$defs/${member.name}` } } }
        : member,
    );
    const { schema, value } = objectOf(isRecursive ? [...members, recursive] : members, said);
    const $defs = Object.fromEntries([
      ...found.filter((_, at) => behind.includes(at)).map(({ name, below }) => [name, below.schema] as const),
      ...(isRecursive ? [['Node', nodeSchema] as const] : []),
    ]);
    return { schema: { ...schema, $defs }, value };
  });

/** A contract by a schema, with what else a tool says of itself. */
export const schemaContracts: fc.Arbitrary<ContractAndValue> = fc
  .record({
    root: roots,
    isOld: fc.boolean(),
    effects: fc.constantFrom(undefined, undefined, 'read', 'write', 'destructive'),
    unknownArguments: fc.constantFrom('reject', 'reject', 'strip'),
    hasMeta: fc.constantFrom(false, false, false, true),
  })
  .map(({ root: { schema, value }, isOld, effects, unknownArguments, hasMeta }) => {
    const contract = defineTool({
      name: 'tried_tool',
      description: 'Is tried.',
      inputSchema: isOld ? asDraft07(schema) : schema,
      unknownArguments,
      ...(effects === undefined ? {} : { effects }),
      execute: () => 'done',
    });
    const meta = hasMeta && !('timeout' in value) ? standardMetaArguments : [];
    return { schema, value, contract: meta.length === 0 ? contract : { ...contract, meta } };
  });

/** The same in the words of draft-07: `definitions`, tuples in `items`. */
function asDraft07({ $defs = {}, ...schema }: SchemaObject): SchemaObject {
  const old: SchemaObject = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...schema,
    definitions: $defs,
  };
  return JSON.parse(JSON.stringify(old), (_key, part: unknown) => {
    if (typeof part === 'string') return part.replace(/^#\/\$defs\//, '#/definitions/');
    if (typeof part !== 'object' || part === null || !('prefixItems' in part)) return part;
    const { prefixItems, ...rest } = part;
    return { ...rest, items: prefixItems, additionalItems: false };
  });
}

// Schemas with a value that each accepts, for properties: nested, in lists and maps, behind references, in unions.
import * as fc from 'fast-check';
import type { Schema } from '../repair/sample-schemas.ts';

export interface SchemaAndValue {
  readonly schema: Schema;
  readonly value: unknown;
}

/** Texts that look like something else: they are valid where text is declared, and must stay as they are. */
const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    'a b',
    'a,b',
    'null',
    'None',
    'true',
    '5',
    '1.50',
    '["x"]',
    '{"a": 1}',
    '[1',
    'a.ts',
    "it's",
  ),
  fc.string({ maxLength: 6 }),
);

const scalar: fc.Arbitrary<SchemaAndValue> = fc.oneof(
  texts.map((value) => ({ schema: { type: 'string' }, value }) as const),
  fc.integer({ min: -1000, max: 1000 }).map((value) => ({ schema: { type: 'integer' }, value }) as const),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(
    // -0 is 0 in JSON.
    (value) => ({ schema: { type: 'number' }, value: value === 0 ? 0 : value }) as const,
  ),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value }) as const),
  fc
    .constantFrom('red', 'dark_blue', 'None')
    .map((value) => ({ schema: { type: 'string', enum: ['red', 'dark_blue', 'None'] }, value }) as const),
  fc.constantFrom(1, 2).map((value) => ({ schema: { enum: [1, 2, 'auto'] }, value })),
);

/** No two of them fold to the same key, and none is a name of a path. */
const names = [
  'name',
  'maxLines',
  'items',
  'tags',
  'value',
  'type',
  'edits',
  'toString',
  'query',
  'description',
];

const member = (below: fc.Arbitrary<SchemaAndValue>): fc.Arbitrary<Member> =>
  fc.record({
    name: fc.constantFrom(...names),
    below,
    presence: fc.constantFrom('required', 'required', 'optional', 'absent'),
    byReference: fc.boolean(),
  });

interface Member {
  readonly name: string;
  readonly below: SchemaAndValue;
  readonly presence: string;
  readonly byReference: boolean;
}

function objectOf(members: readonly Member[], closed: boolean): SchemaAndValue {
  const required = members.filter(({ presence }) => presence === 'required').map(({ name }) => name);
  const present = members.filter(({ presence }) => presence !== 'absent');
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(members.map(({ name, below }) => [name, below.schema])),
      required,
      ...(closed ? { additionalProperties: false } : {}),
    },
    value: Object.fromEntries(present.map(({ name, below }) => [name, below.value])),
  };
}

const members = (below: fc.Arbitrary<SchemaAndValue>): fc.Arbitrary<readonly Member[]> =>
  fc.uniqueArray(member(below), { minLength: 1, maxLength: 4, selector: ({ name }) => name });

const container = (below: fc.Arbitrary<SchemaAndValue>): fc.Arbitrary<SchemaAndValue> =>
  fc.oneof(
    fc.tuple(members(below), fc.boolean()).map(([found, closed]) => objectOf(found, closed)),
    fc.tuple(below, fc.nat(2)).map(([{ schema, value }, count]) => ({
      schema: { type: 'array', items: schema } as const,
      value: Array.from({ length: count }, () => value),
    })),
    fc
      .tuple(below, fc.uniqueArray(fc.constantFrom('a', 'A', 'x-y', 'name', 'path')))
      .map(([{ schema, value }, keys]) => ({
        schema: { type: 'object', additionalProperties: schema } as const,
        value: Object.fromEntries(keys.map((key) => [key, value])),
      })),
    below.map(({ schema, value }) => ({ schema: { anyOf: [schema, { type: 'null' } as const] }, value })),
    fc
      .tuple(below, below)
      .map(([first, second]) => ({ schema: { anyOf: [first.schema, second.schema] }, value: second.value })),
    below.map(({ schema, value }) => ({ schema: { allOf: [schema] }, value })),
  );

const node: fc.Arbitrary<SchemaAndValue> = fc.letrec<{ node: SchemaAndValue }>((tie) => ({
  node: fc.oneof({ depthSize: 'small', maxDepth: 4 }, scalar, container(tie('node'))),
})).node;

/** An object schema and arguments that it accepts; some properties stand behind references. */
export const schemaAndValue: fc.Arbitrary<SchemaAndValue & { readonly value: object }> = fc
  .tuple(members(node), fc.boolean())
  .map(([found, closed]) => {
    const behind = found.filter(({ byReference }) => byReference);
    const direct = found.map((one) =>
      one.byReference ? { ...one, below: { ...one.below, schema: { $ref: `#/$defs/${one.name}` } } } : one,
    );
    const { schema, value } = objectOf(direct, closed);
    const $defs = Object.fromEntries(behind.map(({ name, below }) => [name, below.schema]));
    return { schema: { ...schema, $defs }, value: Object(value) };
  });

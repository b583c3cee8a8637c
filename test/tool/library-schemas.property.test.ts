import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { type StandardSchema, interpretArguments, parseAs } from 'toolmend';
import { fc } from '../seeded-fast-check.ts';

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', ' abc ', 'ABC', '5', '2026-01-02', 'true', 'a,b', '["a"]', 'a.b-'),
);
const number = fc.oneof(fc.integer(), fc.constantFrom(0, 5.4, 50, -1, 1e6));
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
/** Any JSON value that is not an object: what drops keys has tests of its own. */
const any = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }));
const ab = fc.record({ a: number, b: text });
const numeric = fc.oneof(number, number.map(String));

const list = (value: unknown) => (typeof value === 'string' ? value.split(',') : value);

/** One field of each kind, and what may be sent for it. Typebox's schemas are JSON Schemas. */
const fields: readonly (readonly [string, StandardSchema, fc.Arbitrary<unknown>])[] = [
  ['zod, a preprocessed array', z.object({ f: z.preprocess(list, z.array(z.string())) }), any],
  ['zod, a preprocessed number', z.object({ f: z.preprocess((one) => one ?? 1, z.int()) }), any],
  ['zod, a preprocessed date', z.object({ f: z.preprocess((one) => new Date(String(one)), z.date()) }), any],
  ['zod, a rounded number', z.object({ f: z.number().overwrite(Math.round).int().max(60) }), any],
  [
    'zod, a shortened array',
    z.object({
      f: z
        .array(z.string())
        .overwrite((all) => all.slice(0, 1))
        .max(1),
    }),
    any,
  ],
  ['zod, trimmed and folded text', z.object({ f: z.string().trim().toLowerCase().max(3) }), any],
  ['zod, flags', z.object({ f: z.string().regex(/^abc$/i) }), any],
  [
    'zod, an expression without the flag u',
    z.object({ f: z.string().regex(new RegExp('^[\\w-.]+\\-$')) }),
    any,
  ],
  ['zod, a coerced number', z.object({ f: z.coerce.number() }), numeric],
  ['zod, a coerced text', z.object({ f: z.coerce.string() }), fc.oneof(text, number, fc.boolean())],
  ['zod, a coerced date', z.object({ f: z.coerce.date().nullable() }), fc.oneof(text, number)],
  ['zod, a pipe', z.object({ f: z.string().pipe(z.coerce.number()) }), any],
  ['zod, a transform', z.object({ f: z.string().transform((one) => one.length) }), any],
  ['zod, a fallback', z.object({ f: z.number().catch(7) }), fc.oneof(number, fc.constant('a'))],
  ['zod, a union of literals', z.object({ f: z.union([z.literal('ABC'), z.literal(5), z.null()]) }), any],
  ['zod 3, a preprocessed array', z3.object({ f: z3.preprocess(list, z3.array(z3.string())) }), any],
  [
    'zod 3, a preprocessed date',
    z3.object({ f: z3.preprocess((one) => new Date(String(one)), z3.date()) }),
    any,
  ],
  ['zod 3, a coerced date', z3.object({ f: z3.coerce.date() }), fc.oneof(text, number)],
  ['zod 3, a coerced number', z3.object({ f: z3.coerce.number().optional() }), numeric],
  ['zod 3, flags', z3.object({ f: z3.string().regex(/^abc$/i) }), any],
  ['zod 3, trimmed text', z3.object({ f: z3.string().trim().email().or(z3.string().trim().max(3)) }), any],
  ['zod 3, a pipe', z3.object({ f: z3.string().pipe(z3.coerce.number()) }), any],
  ['zod 3, a fallback', z3.object({ f: z3.number().catch(7) }), fc.oneof(number, fc.constant('a'))],
  ['valibot, trimmed text', v.object({ f: v.pipe(v.string(), v.trim(), v.maxLength(3)) }), any],
  ['valibot, flags', v.object({ f: v.pipe(v.string(), v.regex(/^abc$/i)) }), any],
  ['valibot, a pipe', v.object({ f: v.pipe(v.string(), v.transform(Number), v.number()) }), any],
  ['valibot, a tuple', v.object({ f: v.strictTuple([v.string(), v.any()]) }), any],
  ['valibot, a local time', v.object({ f: v.pipe(v.string(), v.isoDate()) }), any],
  ['arktype, a number in text', type({ f: 'string.numeric.parse' }), any],
  ['arktype, a date in text', type({ f: 'string.date.parse' }), any],
  ['arktype, trimmed text', type({ f: 'string.trim' }), any],
  ['arktype, flags', type({ f: type(/^abc$/i).or('number') }), any],
];

const objects: readonly (readonly [string, StandardSchema, fc.Arbitrary<object>])[] = [
  ['zod, strict ∩ strict', z.strictObject({ a: z.number() }).and(z.strictObject({ b: z.string() })), ab],
  ['zod, strict ∩ plain', z.strictObject({ a: z.number() }).and(z.object({ b: z.string() })), ab],
  ['zod, plain ∩ plain', z.object({ a: z.number() }).and(z.object({ b: z.string() })), ab],
  [
    'zod, a strict union',
    z.union([z.strictObject({ a: z.number() }), z.strictObject({ a: z.any(), b: z.any() })]),
    ab,
  ],
  ['zod 3, plain ∩ plain', z3.object({ a: z3.number() }).and(z3.object({ b: z3.string() })), ab],
  ['zod 3, a plain object', z3.object({ a: z3.number(), b: z3.string().optional() }), ab],
  ['valibot, plain ∩ plain', v.intersect([v.object({ a: v.number() }), v.object({ b: v.string() })]), ab],
  ['valibot, a loose object', v.looseObject({ a: v.number() }), ab],
  ['arktype, an intersection', type({ a: 'number' }).and({ b: 'string' }), ab],
];

/** What the library itself makes of a value. */
function outputOf(schema: StandardSchema, value: unknown): { readonly value: unknown } | undefined {
  const result = schema['~standard'].validate(structuredClone(value));
  if (typeof result !== 'object' || result === null || !('value' in result)) return undefined;
  // valibot has a value beside its issues.
  return 'issues' in result && result.issues !== undefined ? undefined : result;
}

const asIs = (schema: StandardSchema, value: unknown) => {
  const output = outputOf(schema, value);
  fc.pre(output !== undefined);
  expect(interpretArguments(schema, { text: JSON.stringify(value) })).toMatchObject({
    status: 'unchanged',
    repairs: [],
    text: JSON.stringify(value),
    value: output?.value,
  });
};

const runs = { maxSkipsPerRun: 10_000 };

describe('what a library accepts without dropping a key is not changed', () => {
  test.each(fields)('%s', (_title, schema, sent) => {
    fc.assert(
      fc.property(sent, (f) => asIs(schema, { f })),
      runs,
    );
  });

  test.each(objects)('%s', (_title, schema, sent) => {
    fc.assert(
      fc.property(sent, (value) => asIs(schema, value)),
      runs,
    );
  });

  test.each(fields)('in an answer: %s', (_title, schema, sent) => {
    const output = (f: unknown) => outputOf(schema, { f });
    fc.assert(
      fc.property(sent, (f) => {
        fc.pre(output(f) !== undefined);
        expect(parseAs(schema, JSON.stringify({ f }))).toMatchObject({
          status: 'unchanged',
          value: output(f)?.value,
        });
      }),
      runs,
    );
  });
});

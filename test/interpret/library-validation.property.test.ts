import { type Type, type } from 'arktype';
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
/** Some in each case for the expressions below. */
const words = fc.oneof(
  fc.constantFrom('ABC', 'abc', 'a.b-', '-', '5', '.5', '2026-01-02', '1999-12-31'),
  any,
);

const ab = fc.record({ a: number, b: text });
const numeric = fc.oneof(number, number.map(String));

const firstOf = (all: string[]): string[] => all.slice(0, 1);
const list = (value: unknown) => (typeof value === 'string' ? value.split(',') : value);

/** The schema of an object with one field, and with a number beside it. */
interface FieldSchemas {
  readonly alone: StandardSchema;
  readonly beside: StandardSchema;
}

const zod = (f: z.ZodType): FieldSchemas => ({
  alone: z.object({ f }),
  beside: z.object({ f, count: z.int() }),
});
const zod3 = (f: z3.ZodTypeAny): FieldSchemas => ({
  alone: z3.object({ f }),
  beside: z3.object({ f, count: z3.number() }),
});
const valibot = (f: v.GenericSchema): FieldSchemas => ({
  alone: v.object({ f }),
  beside: v.object({ f, count: v.number() }),
});
const arktype = (alone: Type<object>): FieldSchemas => ({
  alone,
  beside: alone.and({ count: 'number' }),
});

/** One field of each kind, and what may be sent for it. Typebox's schemas are JSON Schemas. */
const fields: readonly (readonly [string, FieldSchemas, fc.Arbitrary<unknown>])[] = [
  ['zod, a preprocessed array', zod(z.preprocess(list, z.array(z.string()))), any],
  ['zod, a preprocessed number', zod(z.preprocess((one) => one ?? 1, z.int())), any],
  ['zod, a preprocessed date', zod(z.preprocess((one) => new Date(String(one)), z.date())), any],
  ['zod, a rounded number', zod(z.number().overwrite(Math.round).int().max(60)), any],
  ['zod, a shortened array', zod(z.array(z.string()).overwrite(firstOf).max(1)), any],
  ['zod, trimmed and folded text', zod(z.string().trim().toLowerCase().max(3)), any],
  ['zod, flags', zod(z.string().regex(/^abc$/i)), words],
  [
    'zod, an expression without the flag u',
    zod(z.string().regex(new RegExp('^[\\w-.]+\\-$'))),
    words,
  ],
  ['zod, a coerced number', zod(z.coerce.number()), numeric],
  ['zod, a coerced text', zod(z.coerce.string()), fc.oneof(text, number, fc.boolean())],
  ['zod, a coerced date', zod(z.coerce.date().nullable()), fc.oneof(text, number)],
  ['zod, a pipe', zod(z.string().pipe(z.coerce.number())), words],
  ['zod, a transform', zod(z.string().transform((one) => one.length)), any],
  ['zod, a fallback', zod(z.number().catch(7)), fc.oneof(number, fc.constant('a'))],
  ['zod, a union of literals', zod(z.union([z.literal('ABC'), z.literal(5), z.null()])), any],
  ['zod 3, a preprocessed array', zod3(z3.preprocess(list, z3.array(z3.string()))), any],
  [
    'zod 3, a preprocessed date',
    zod3(z3.preprocess((one) => new Date(String(one)), z3.date())),
    any,
  ],
  ['zod 3, a coerced date', zod3(z3.coerce.date()), fc.oneof(text, number)],
  ['zod 3, a coerced number', zod3(z3.coerce.number().optional()), numeric],
  ['zod 3, flags', zod3(z3.string().regex(/^abc$/i)), words],
  ['zod 3, trimmed text', zod3(z3.string().trim().email().or(z3.string().trim().max(3))), any],
  ['zod 3, a pipe', zod3(z3.string().pipe(z3.coerce.number())), words],
  ['zod 3, a fallback', zod3(z3.number().catch(7)), fc.oneof(number, fc.constant('a'))],
  ['valibot, trimmed text', valibot(v.pipe(v.string(), v.trim(), v.maxLength(3))), any],
  ['valibot, flags', valibot(v.pipe(v.string(), v.regex(/^abc$/i))), words],
  ['valibot, a pipe', valibot(v.pipe(v.string(), v.transform(Number), v.number())), words],
  ['valibot, a tuple', valibot(v.strictTuple([v.string(), v.any()])), any],
  ['valibot, a local time', valibot(v.pipe(v.string(), v.isoDate())), words],
  ['arktype, a number in text', arktype(type({ f: 'string.numeric.parse' })), words],
  ['arktype, a date in text', arktype(type({ f: 'string.date.parse' })), words],
  ['arktype, trimmed text', arktype(type({ f: 'string.trim' })), any],
  ['arktype, flags', arktype(type({ f: type(/^abc$/i).or('number') })), words],
];

const objects: readonly (readonly [string, StandardSchema, fc.Arbitrary<object>])[] = [
  [
    'zod, strict ∩ strict',
    z.strictObject({ a: z.number() }).and(z.strictObject({ b: z.string() })),
    ab,
  ],
  ['zod, strict ∩ plain', z.strictObject({ a: z.number() }).and(z.object({ b: z.string() })), ab],
  ['zod, plain ∩ plain', z.object({ a: z.number() }).and(z.object({ b: z.string() })), ab],
  [
    'zod, a strict union',
    z.union([z.strictObject({ a: z.any() }), z.strictObject({ a: z.any(), b: z.any() })]),
    ab,
  ],
  ['zod 3, plain ∩ plain', z3.object({ a: z3.number() }).and(z3.object({ b: z3.string() })), ab],
  ['zod 3, a plain object', z3.object({ a: z3.number(), b: z3.string().optional() }), ab],
  [
    'valibot, plain ∩ plain',
    v.intersect([v.object({ a: v.number() }), v.object({ b: v.string() })]),
    ab,
  ],
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
  test.each(fields)('%s', (_title, { alone }, sent) => {
    fc.assert(
      fc.property(sent, (f) => asIs(alone, { f })),
      runs,
    );
  });

  test.each(objects)('%s', (_title, schema, sent) => {
    fc.assert(
      fc.property(sent, (value) => asIs(schema, value)),
      runs,
    );
  });

  test.each(fields)('in an answer: %s', (_title, { alone }, sent) => {
    fc.assert(
      fc.property(sent, (f) => {
        const output = outputOf(alone, { f });
        fc.pre(output !== undefined);
        expect(parseAs(alone, JSON.stringify({ f }))).toMatchObject({
          status: 'unchanged',
          value: output?.value,
        });
      }),
      runs,
    );
  });

  test.each(fields)('beside a value that is repaired: %s', (title, { beside }, sent) => {
    // A fallback takes anything, so repair comes first.
    if (title.endsWith('a fallback')) return;
    fc.assert(
      fc.property(sent, (f) => {
        const output = outputOf(beside, { f, count: 5 });
        fc.pre(output !== undefined);
        expect(
          interpretArguments(beside, { text: JSON.stringify({ f, count: '5' }) }),
        ).toMatchObject({
          status: 'repaired',
          repairs: [{ path: '/count' }],
          text: JSON.stringify({ f, count: 5 }),
          value: output?.value,
        });
      }),
      runs,
    );
  });
});

// Which single values are declared, and sent? Texts above all that look like something else.
import { fc } from '../../seeded-fast-check.ts';
import type { SchemaAndValue } from './schema-and-value.ts';

/** Valid where text is declared, and to be left as they are. */
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
    '007',
    '["x"]',
    '{"a": 1}',
    '[1',
    '{',

    'a.ts',
    "it's",
    'say "hi"',
    'C:\\new\\table',
    'line\nbreak',
    '```\ncode\n```',
    '[docs](http://x.org)',

    '<|im_end|>',
    '</tool_call>',
    '// no comment',
    'ünïcode \u{1f600}',
    '12345678901234567890',
    'undefined',
  ),
  fc.string({ maxLength: 6 }),
);

const paths = fc.constantFrom(
  'a.ts',
  'src/b c.md',
  '/tmp/[id].tsx',
  'C:\\x\\y.txt',
  './',
  '~/notes',
  '[a](b)',
);

const just = (schema: SchemaAndValue['schema'], ...values: readonly SchemaAndValue['value'][]) =>
  fc.constantFrom(...values).map((value): SchemaAndValue => ({ schema, value }));

const from = <Value extends SchemaAndValue['value']>(
  schema: SchemaAndValue['schema'],
  values: fc.Arbitrary<Value>,
): fc.Arbitrary<SchemaAndValue> => values.map((value) => ({ schema, value }));

const string = fc.oneof(
  from({ type: 'string' }, texts),
  from({ type: 'string', description: 'Free text.', 'x-toolmend': { verbatim: true } }, texts),
  from({ type: 'string', 'x-toolmend': { secret: true } }, texts),
  from({ type: 'string', 'x-toolmend': { semantic: 'path' } }, paths),
  from({ type: 'string', 'dirge-hints': { semantic: 'file_path' } }, paths),
  just({ type: 'string', minLength: 2, maxLength: 5 }, 'ab', 'null', '12345'),
  just({ type: 'string', pattern: '^[a-z]+$' }, 'abc', 'null', 'true'),
  just({ type: 'string', format: 'date' }, '2026-01-31'),
  just({ type: 'string', format: 'date-time' }, '2026-01-31T10:00:00Z'),
  just({ type: 'string', format: 'email' }, 'ada@example.com'),
  just({ type: 'string', format: 'uri' }, 'https://example.com/a?b=1'),
  just({ type: 'string', format: 'uuid' }, '3d6f0a52-3c9b-4a5e-9d5b-2f6d3a1c8e70'),
);

const number = fc.oneof(
  from({ type: 'integer' }, fc.integer({ min: -1000, max: 1000 })),
  from({ type: 'integer', minimum: 1, maximum: 10 }, fc.integer({ min: 1, max: 10 })),
  just({ type: 'integer', multipleOf: 5 }, 0, 5, -10),
  just({ type: 'integer' }, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  from(
    { type: 'number' },
    // -0 is 0 in JSON.
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
      .map((value) => (value === 0 ? 0 : value)),
  ),
  just({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.1, 0.5, 1e-7),
);

const enumeration = fc.oneof(
  just({ type: 'string', enum: ['red', 'dark_blue', 'None', 'Not-Applicable'] }, 'red', 'dark_blue', 'None'),
  just({ enum: [1, 2, 'auto', null, true] }, 1, 'auto', null, true),
  just({ type: 'integer', enum: [1, 10] }, 1, 10),
  just({ const: 'fixed' }, 'fixed'),
  just({ type: 'string', enum: ['1-0', '10', 'v1'] }, '1-0', '10', 'v1'),
);

const several = fc.oneof(
  just({ type: ['string', 'null'] }, 'a', null, 'null', ''),
  just({ type: ['integer', 'string'] }, 5, '5', 'all'),
  just({ type: ['boolean', 'string'] }, true, 'true', 'maybe'),
  just({ type: 'integer', nullable: true }, 3, null),
  just({ type: ['number', 'null'] }, 1.5, null),
  just({}, 5, 'x', null, { a: ['b'] }, []),
  just(true, 'x', { path: 'a' }),
  just({ type: 'null' }, null),
);

/** One value, and a schema that accepts it. */
export const scalars: fc.Arbitrary<SchemaAndValue> = fc.oneof(
  { weight: 4, arbitrary: string },
  { weight: 3, arbitrary: number },
  { weight: 2, arbitrary: enumeration },
  { weight: 2, arbitrary: several },
  { weight: 1, arbitrary: fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value }) as const) },
);

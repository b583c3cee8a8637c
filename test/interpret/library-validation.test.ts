import { jsonSchema, zodSchema } from 'ai';
import { type } from 'arktype';
import { Type } from 'typebox';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import {
  type ToolContract,
  DefinitionError,
  defineTool,
  interpretArguments,
  standardSchema,
  ToolRegistry,
} from 'toolmend';
import { callTo, toolOf } from '../tools.ts';

/** Objects with the property `a` of each library. */
const za = <A extends z.ZodType>(a: A) => z.object({ a });
const z3a = <A extends z3.ZodType>(a: A) => z3.object({ a });
const va = <A extends v.GenericSchema>(a: A) => v.object({ a });

/** Interprets a value by any schema. */
const readValue = (schema: object, value: unknown, options: object = {}) =>
  Reflect.apply(interpretArguments, undefined, [schema, { value }, options]);

const split = (sent: unknown) => (typeof sent === 'string' ? sent.split(',') : sent);
const splitTags = z.preprocess(split, z.array(z.string()));
const tagged = z.object({ tags: splitTags });
/** The JSON Schema of an object with the property `a`, and a function that accepts all. */
const byHand = (a: object) =>
  jsonSchema(
    { type: 'object', properties: { a } },
    { validate: (value) => ({ success: true, value }) },
  );
const umlaut = 'https://de.wikipedia.org/wiki/Österreich';

const toDate = (text: string): Date => new Date(text);

const list = {
  type: 'object',
  properties: { tags: { type: 'array', items: { type: 'string' } } },
} as const;
const stringified = { text: '{"tags":"[\\"a\\",\\"b\\"]"}' };

const call = (tool: ToolContract, args: object) =>
  new ToolRegistry().register(tool).call(callTo(tool.name, JSON.stringify(args)));

/** The message of the DefinitionError that `make` throws. */
function definitionErrorOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    if (error instanceof DefinitionError) return error.message;
    throw error;
  }
  return 'nothing';
}

test.each<[string, object]>([
  ['zod 4', z.object({ tags: z.array(z.string()) })],
  ['zod 3', z3.object({ tags: z3.array(z3.string()) })],
  ['valibot', v.object({ tags: v.array(v.string()) })],
  ['arktype', type({ tags: 'string[]' })],
  ['typebox', Type.Object({ tags: Type.Array(Type.String()) })],
  ['jsonSchema() of the AI SDK', jsonSchema(list)],
  ["OpenAI's Chat Completions", { type: 'function', function: { name: 'tag', parameters: list } }],
  ["OpenAI's Responses", { type: 'function', name: 'tag', parameters: list, strict: null }],
  [
    'a tool of ours',
    standardSchema(
      defineTool({ name: 'tag', description: 'Tags.', inputSchema: list, execute: () => 1 }),
    ),
  ],
])('arguments are repaired by the JSON Schema of %s', (_title, schema) => {
  const { status, value, repairs } = Reflect.apply(interpretArguments, undefined, [
    schema,
    stringified,
  ]);
  expect([status, value, repairs.map(({ rule }: { rule: string }) => rule)]).toEqual([
    'repaired',
    { tags: ['a', 'b'] },
    ['json_text_to_array'],
  ]);
});

describe('the value is the output of the schema', () => {
  test('of zod: transforms, defaults and coerced values', () => {
    const schema = z.object({
      at: z.iso.datetime().transform((text) => new Date(text)),
      day: z.coerce.date(),
      unit: z.enum(['C', 'F']).default('C'),
    });
    const result = interpretArguments(schema, {
      text: '{"at":"2026-01-02T03:04:05Z","day":"2026-01-02"}',
    });

    expect(result.status).toBe('unchanged');
    if (result.status === 'rejected') return;
    // Compiles only if the value has the schema's output type.
    const times: readonly number[] = [result.value.at.getTime(), result.value.day.getTime()];
    expect(times).toEqual([Date.UTC(2026, 0, 2, 3, 4, 5), Date.UTC(2026, 0, 2)]);
    expect(result.value.unit).toBe('C');
    expect(result.text).toBe('{"at":"2026-01-02T03:04:05Z","day":"2026-01-02"}');
  });

  test('which a handler gets', async () => {
    const tool = defineTool({
      name: 'wait_until',
      description: 'Waits.',
      inputSchema: z.object({
        at: z.iso.datetime().transform((text) => new Date(text)),
        times: z.int().default(1),
      }),
      execute: ({ at, times }) => `${at.getFullYear()}, ${times.toFixed(0)} times`,
    });

    await expect(call(tool, { at: '2026-01-02T03:04:05Z' })).resolves.toMatchObject({
      status: 'completed',
      result: '2026, 1 times',
    });
  });

  test('which a handler may change, because no other call gets it', async () => {
    const seen: string[][] = [];
    const tool = defineTool({
      name: 'tag',
      description: 'Tags.',
      inputSchema: z.object({ tags: z.array(z.string()) }),
      execute: ({ tags }) => {
        seen.push([...tags]);
        tags.push('changed');
      },
    });
    const tools = new ToolRegistry().register(tool);
    const args = { tags: ['a'] };
    await tools.call({ id: '1', name: 'tag', arguments: args });
    await tools.call({ id: '2', name: 'tag', arguments: args });

    expect(seen).toEqual([['a'], ['a']]);
    expect(args).toEqual({ tags: ['a'] });
  });

  test('which standardSchema returns', () => {
    const tool = toolOf(() => 1, { inputSchema: z.object({ day: z.coerce.date() }) });

    expect(standardSchema(tool)['~standard'].validate({ day: '2026-01-02' })).toEqual({
      value: { day: new Date('2026-01-02') },
    });
  });
});

test('the arguments of a handler have the type of a schema of typebox', async () => {
  const tag = defineTool({
    name: 'tag',
    description: 'Tags.',
    inputSchema: Type.Object({
      tags: Type.Array(Type.String()),
      count: Type.Optional(Type.Integer()),
    }),
    // Compiles only with the inferred types.
    execute: ({ tags, count }) => {
      const optional: number | undefined = count;
      return [tags.map((one) => one.length), optional];
    },
  });

  await expect(call(tag, { tags: ['abc'] })).resolves.toMatchObject({ result: [[3], undefined] });
});

describe('a refinement', () => {
  const even = z.object({
    seats: z.array(z.int().refine((seat) => seat % 2 === 0, 'only even seats are free')),
  });

  test('becomes an issue for the model at its place', () => {
    const result = interpretArguments(even, { text: '{"seats":[2,3]}' });

    expect(result.status).toBe('rejected');
    expect(result.issues).toEqual([
      { keyword: 'check', path: '/seats/1', advice: 'only even seats are free' },
    ]);
    if (result.status === 'rejected')
      expect(result.message).toContain('- seats[1]: only even seats are free.');
  });

  test('of a secret does not show its value', () => {
    const tokens = () =>
      type({
        token: type('string').narrow((text, it) => text.startsWith('t') || it.mustBe('a token')),
      });
    const token = { type: 'string', writeOnly: true };
    const toJsonSchema = () => ({ type: 'object', properties: { token }, required: ['token'] });
    const value = { token: 'hunter2' };
    const shown = interpretArguments(tokens(), { value });
    const hidden = interpretArguments(tokens(), { value }, { toJsonSchema });

    expect(JSON.stringify(shown)).toContain('hunter2');
    expect(JSON.stringify(hidden)).not.toContain('hunter2');
    if (hidden.status === 'rejected') expect(hidden.message).toContain('- token: is not valid.');
  });

  test('that is asynchronous runs before the handler and before approval', async () => {
    const tool = defineTool({
      name: 'take_name',
      description: 'Takes a name.',
      inputSchema: z.object({
        name: z.string().refine((name) => Promise.resolve(name !== 'ada'), 'is taken'),
      }),
      execute: ({ name }) => `took ${name}`,
      effects: 'destructive',
    });
    const tools = new ToolRegistry({ approval: {} }).register(tool);
    const outcomes = [
      await tools.call({ id: '1', name: 'take_name', arguments: '{"name":"ada"}' }),
      await tools.call({ id: '2', name: 'take_name', arguments: '{"name":"bob"}' }),
    ];

    expect(outcomes.map(({ status }) => status)).toEqual([
      'invalid_arguments',
      'approval_required',
    ]);
    expect(outcomes[0]).toMatchObject({ message: expect.stringContaining('- name: is taken.') });
    await expect(call({ ...tool, effects: 'read' }, { name: 'bob' })).resolves.toMatchObject({
      result: 'took bob',
    });
  });

  test('that is asynchronous is a DefinitionError of interpretArguments', () => {
    const schema = z.object({ name: z.string().refine(() => Promise.resolve(true)) });

    expect(definitionErrorOf(() => interpretArguments(schema, { text: '{"name":"a"}' }))).toBe(
      'interpretArguments was given a schema whose validation returned a promise: pass its JSON Schema and validate ' +
        'the value afterwards, or use defineTool, whose calls wait for it.',
    );
  });

  test('shows no key of a secret', () => {
    const key = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      additionalProperties: false,
      writeOnly: true,
    };
    const { issues } = readValue(
      { type: 'object', properties: { key } },
      { key: { n: 'x', s3cret: 1 } },
    );
    expect(JSON.stringify(issues)).not.toContain('s3cret');
  });

  test('of zodSchema() of the AI SDK is waited for', async () => {
    const tool = toolOf(() => 'sat', { inputSchema: zodSchema(even) });

    await expect(call(tool, { seats: [3] })).resolves.toMatchObject({
      status: 'invalid_arguments',
      message: expect.stringContaining('- seats[0]: only even seats are free.'),
    });
    await expect(call(tool, { seats: [2] })).resolves.toMatchObject({ result: 'sat' });
  });
});

describe('a valid call is not refused for what the JSON Schema lacks', () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    [
      'an address in capitals',
      z.string().trim().toLowerCase().pipe(z.email()),
      ' A@B.COM ',
      'a@b.com',
    ],
    ['a coerced bigint', z.coerce.bigint(), '12', 12n],
    ['a union with undefined', z.union([z.string(), z.undefined()]), 'a', 'a'],
  ])('%s', (_title, field, sent, expected) => {
    expect(interpretArguments(z.object({ field }), { value: { field: sent } })).toMatchObject({
      status: 'unchanged',
      value: { field: expected },
    });
  });

  test('a union with undefined takes no other type', () => {
    const schema = z.object({ field: z.union([z.string(), z.undefined()]) });
    expect(interpretArguments(schema, { value: { field: [1, 2] } }).status).toBe('rejected');
  });
});

describe('keys that a library would remove without a word', () => {
  const inner = z.object({ from: z.int(), to: z.int().optional() });

  test.each<[string, object]>([
    ['zod', z.object({ city: z.string(), span: inner.optional() })],
    [
      'valibot',
      v.object({
        city: v.string(),
        span: v.optional(
          v.object({ from: v.pipe(v.number(), v.integer()), to: v.optional(v.number()) }),
        ),
      }),
    ],
  ])('are removed with a record and a note: %s', (_title, schema) => {
    const value = { city: 'Graz', mood: 'sunny', span: { from: 1, till: 2 } };
    expect(readValue(schema, value)).toMatchObject({
      status: 'repaired',
      value: { city: 'Graz', span: { from: 1 } },
      repairs: [
        { rule: 'drop_unknown_argument', was: 'the string "sunny"' },
        { rule: 'drop_unknown_argument', was: 'the number 2' },
      ],
      notes: [
        { path: '/mood', text: 'mood is not an argument of this tool and was left out.' },
        { path: '/span/till' },
      ],
    });
  });

  const [a, b] = [za(z.int()), z.object({ b: z.int() })];
  const ofA = va(v.number());

  test.each<[string, object, object, object]>([
    ['an intersection of zod', a.and(b), { a: 1, b: 2, mood: 3 }, { a: 1, b: 2 }],
    ['one of zod 3', z3a(z3.number()).and(z3.object({})), { a: 1, mood: 3 }, { a: 1 }],
    ['an object without keys', z.object({ m: z.object({}) }), { m: { x: 1 } }, { m: {} }],
    [
      'an element behind others',
      z.object({ list: z.array(a) }),
      { list: [{ a: 1 }, { a: 2, mood: 3 }] },
      { list: [{ a: 1 }, { a: 2 }] },
    ],
    [
      'one in an array',
      z.object({ list: z.array(a.and(b)) }),
      { list: [{ a: 1, b: 2, mood: 3 }] },
      { list: [{ a: 1, b: 2 }] },
    ],
    ['arktype', type({ '+': 'delete', a: 'number' }), { a: 1, mood: 3 }, { a: 1 }],
    [
      'a pipe into a closed object',
      z.looseObject({ a: z.int() }).pipe(a),
      { a: 1, mood: 3 },
      { a: 1 },
    ],
    ['zod 3', z3a(z3.number()), { a: 1, mood: 3 }, { a: 1 }],
    [
      'a strict object joined with a plain one',
      z.strictObject({ a: z.int() }).and(z.object({ b: z.int() })),
      { a: 1, b: 2, mood: 3 },
      { a: 1, b: 2 },
    ],
    [
      'a tuple',
      v.object({ pair: v.tuple([ofA]) }),
      { pair: [{ a: 1, mood: 3 }] },
      { pair: [{ a: 1 }] },
    ],
    [
      'a union whose first branch fits',
      z.union([a, a.extend({ b: z.int() })]),
      { a: 1, b: 2 },
      { a: 1 },
    ],
  ])('are found by its output: %s', (_title, schema, value, kept) => {
    const read = (options: object = {}) => readValue(schema, value, options);
    expect(read()).toMatchObject({
      status: 'repaired',
      repairs: [{ rule: 'drop_unknown_argument' }],
      notes: [{ text: expect.stringContaining('was left out') }],
    });
    expect(read().value).toEqual(kept);
    expect(read({ tool: { effects: 'destructive' } }).wouldBe).toEqual(kept);
    expect(read({ tool: { repair: 'off' } })).toMatchObject({
      issues: [{ keyword: 'additionalProperties' }],
    });
  });

  test.each<[string, object, object]>([
    [
      'declared ones',
      z.object({ a: z.int(), b: z.int() }).transform(({ a: sum, b: add }) => ({ sum: sum + add })),
      { a: 1, b: 2 },
    ],
    [
      'those that a transform counts',
      z.looseObject({ a: z.int() }).transform((all) => ({ count: Object.keys(all).length })),
      { a: 1, b: 2 },
    ],
    [
      'those of a map',
      z.object({ m: z.record(z.string(), z.int()).transform(() => ({})) }),
      { m: { x: 1 } },
    ],
    [
      'one that is declared and dropped',
      z.object({ a: z.int(), b: z.int() }).transform(({ a: one }) => ({ a: one })),
      { a: 1, b: 2 },
    ],
    [
      'an optional one that is declared and dropped',
      z.object({ a: z.int(), b: z.int().optional() }).transform(({ a: one }) => ({ a: one })),
      { a: 1, b: 2 },
    ],
    [
      'those of a map with declared keys',
      z
        .object({ a: z.int() })
        .catchall(z.int())
        .transform(({ a: one }) => ({ a: one })),
      { a: 1, b: 2 },
    ],
    [
      'those of an open object',
      z.object({ m: z.looseObject({}).transform(() => ({})) }),
      { m: { x: 1 } },
    ],
    [
      'those of a union with a transform',
      z.union([a, b]).transform((all) => ({ sum: Object.values(all).join() })),
      { a: 1 },
    ],
  ])('are not those that a transform reads: %s', (_title, schema, value) => {
    expect(readValue(schema, value)).toMatchObject({ status: 'unchanged', repairs: [] });
  });

  test('are removed from arguments whose output JSON lacks', () => {
    const result = interpretArguments(za(z.coerce.bigint()), { value: { a: '12', mood: 3 } });
    expect(result).toMatchObject({
      value: { a: 12n },
      text: '{"a":"12"}',
      repairs: [{ path: '/mood' }],
    });
    const schema = za(z.object({ day: z.int() }).transform(({ day }) => new Date(day)));
    expect(interpretArguments(schema, { value: { a: { day: 1, mood: 3 } } })).toMatchObject({
      value: { a: new Date(1) },
      repairs: [{ path: '/a/mood' }],
    });
  });

  test('are refused if they are nearly an optional one', () => {
    const schema = z.object({ city: z.string() }).and(z.object({ days: z.int().default(1) }));
    expect(interpretArguments(schema, { value: { city: 'Graz', day: 3, mood: 1 } })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'additionalProperties', key: 'day', advice: 'did you mean "days"?' }],
    });
  });

  test('are misspelt ones if they may be', () => {
    const schema = z.object({ city: z.string(), unitSystem: z.string().optional() });
    expect(interpretArguments(schema, { value: { city: 'Graz', unit_system: 'C' } })).toMatchObject(
      {
        value: { city: 'Graz', unitSystem: 'C' },
        repairs: [{ rule: 'rename_key' }],
      },
    );
  });

  test('are names of their own if the schema says additionalProperties: true', () => {
    const schema = z3.object({ path: z3.string().optional() }).passthrough();
    expect(readValue(schema, { PATH: 'q', other: 1 }, {})).toMatchObject({ status: 'unchanged' });
  });

  test.each<[string, object]>([
    ['zod', z.looseObject({ path: z.string().optional() })],
    ['valibot', v.looseObject({ path: v.optional(v.string()) })],
    ['arktype', type({ 'path?': 'string' })],
    ['typebox', Type.Object({ path: Type.Optional(Type.String()) })],
  ])('are another spelling of an absent one in an open object too: %s', (_title, schema) => {
    const read = (tool: object) => readValue(schema, { PATH: 'q', other: 1 }, { tool });
    expect(read({})).toMatchObject({
      status: 'repaired',
      value: { path: 'q', other: 1 },
      repairs: [{ rule: 'rename_key' }],
    });
    expect(read({ strict: { spellings: false } })).toMatchObject({ status: 'unchanged' });
  });

  test('have to be confirmed if the tool is destructive', () => {
    const tool = { effects: 'destructive' } as const;
    const schema = z.object({ city: z.string() });
    expect(
      interpretArguments(schema, { value: { city: 'Graz', mood: 'x' } }, { tool }),
    ).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'not_confirmed' }],
      wouldBe: { city: 'Graz' },
    });
  });

  test('are rejected by a strict object, and kept by a loose one', () => {
    const value = { city: 'Graz', mood: 'x' };
    expect(interpretArguments(z.strictObject({ city: z.string() }), { value }).status).toBe(
      'rejected',
    );
    expect(interpretArguments(z.looseObject({ city: z.string() }), { value })).toMatchObject({
      status: 'unchanged',
      value,
    });
  });
});

describe('what the library accepts and its JSON Schema refuses is accepted:', () => {
  test.each<[string, object, unknown]>([
    ['a flag in a union', va(v.nullable(v.pipe(v.string(), v.regex(/^abc$/i)))), 'ABC'],
    ['a URL with letters beyond ASCII', za(z.url()), umlaut],
    ['a key that is one', za(z.record(z.url(), z.int())), { [umlaut]: 1 }],
    ['an object in a union', za(z.union([tagged, z.string()])), { tags: 'a,b' }],
    [
      'objects in an object in a union',
      za(z.union([z.object({ list: z.array(tagged) }), z.string()])),
      { list: [{ tags: 'a,b' }, { tags: ['c'] }] },
    ],
    [
      'a coerced number in a union',
      za(z.union([z.object({ n: z.coerce.number() }), z.string()])),
      { n: '5' },
    ],
    [
      'text by a JSON Schema that was written by hand',
      byHand({ type: 'string', pattern: '^abc$' }),
      'ABC',
    ],
    [
      'text in a union of one',
      byHand({ anyOf: [{ type: 'string', maxLength: 2 }, { type: 'integer' }] }),
      'ABC',
    ],
    ['a local time of valibot', va(v.pipe(v.string(), v.isoTime())), '12:30'],
    [
      'a local date and time of valibot',
      va(v.pipe(v.string(), v.isoDateTime())),
      '2026-01-02T12:30',
    ],
    ['a time of zod 3', z3a(z3.string().time()), '12:30:00'],
    [
      'an expression with the flag v',
      za(z.string().regex(new RegExp('^[\\p{L}--[a-z]]+$', 'v'))),
      'ABC',
    ],
    [
      'a strict object joined with a plain one',
      za(z.strictObject({ x: z.int() }).and(z.object({ y: z.int() }))),
      { x: 1, y: 2 },
    ],
    [
      'a key that must be undefined',
      z.object({ a: z.string(), gone: z.undefined().optional() }),
      'x',
    ],
  ])('%s', (_title, schema, a) => {
    const warnings: unknown[] = [];
    const read = (value: unknown) =>
      readValue(schema, value, { warn: (it: unknown) => warnings.push(it) });
    expect(read({ a })).toMatchObject({ status: 'unchanged', text: JSON.stringify({ a }) });
    expect(read({ a: { no: 1 } })).toMatchObject({ status: 'rejected' });
    expect(warnings).toEqual([]);
  });

  test.each<[string, object, unknown, string]>([
    ['a number', { type: 'integer', minimum: 5 }, 3, 'rejected'],
    [
      'a number in a union',
      { anyOf: [{ type: 'integer', minimum: 5 }, { type: 'string' }] },
      3,
      'rejected',
    ],
    ['text for a number with a pattern', { type: 'integer', pattern: '^abc$' }, 'ABC', 'rejected'],
    [
      'text for another type in a union',
      { anyOf: [{ type: 'boolean' }, { type: 'integer' }] },
      'true',
      'repaired',
    ],
  ])('not %s by a JSON Schema that was written by hand', (_title, schema, a, status) => {
    expect(readValue(byHand(schema), { a }).status).toBe(status);
  });

  test('not an object of a union that would lose a key', () => {
    const schema = za(z.union([z.object({ list: z.array(tagged) }), z.string()]));
    const a = { list: [{ tags: 'a,b', mood: 1 }] };
    expect(interpretArguments(schema, { value: { a } })).toMatchObject({ status: 'rejected' });
  });

  test('not a value of another type, which the library would coerce', () => {
    const schema = za(z.coerce.boolean());
    expect(interpretArguments(schema, { value: { a: 'false' } })).toMatchObject({
      value: { a: false },
    });
  });

  test.each<[string, object, unknown]>([
    ['null for a number', za(z.coerce.number()), null],
    ['blank text for a number', za(z.coerce.number()), ' '],
    ['an array for a number', za(z.coerce.number()), ['5']],
    ['an object for text', za(z.coerce.string()), { x: 1 }],
    ['any text for a boolean', za(z.coerce.boolean()), 'no idea'],
    ['null for a date of zod 3', z3a(z3.coerce.date()), null],
  ])('not %s, which a coercion would take', (_title, schema, a) => {
    expect(readValue(schema, { a }).status).toBe('rejected');
  });

  test.each<[string, object]>([
    ['zod', za(z.number().catch(7))],
    ['zod 3', z3a(z3.number().catch(7))],
    ['valibot', va(v.fallback(v.pipe(v.number(), v.minValue(1)), 7))],
  ])('what has a fallback, if it cannot be repaired: %s', (_title, schema) => {
    const read = (a: unknown) => readValue(schema, { a });
    expect(read('12')).toMatchObject({ status: 'repaired', value: { a: 12 } });
    expect(read('many')).toMatchObject({ status: 'unchanged', value: { a: 7 } });
  });

  test.each<[string, object, unknown]>([
    ['a list of zod', za(z.array(z.coerce.number())), ['1', null]],
    ['a list of zod 3', z3a(z3.array(z3.coerce.number())), ['1', null]],
    ['text and an object', za(z.array(z.coerce.string())), [1, { x: 1 }]],
    ['a map', za(z.record(z.string(), z.coerce.date())), { x: 5, y: null }],
    ['objects', za(z.array(z.object({ n: z.coerce.number() }))), [{ n: '1' }, { n: null }]],
  ])(
    'not a value that a coercion would take beside one that it may take: %s',
    (_title, schema, a) => {
      expect(readValue(schema, { a }).status).toBe('rejected');
    },
  );

  test('and every value that a coercion would take is named', () => {
    const schema = za(z.array(z.coerce.number()));
    expect(interpretArguments(schema, { value: { a: ['1', null, 'x'] } }).issues).toMatchObject([
      { path: '/a/1' },
      { path: '/a/2' },
    ]);
  });

  const any = v.unknown();
  test.each<[string, object, unknown, object | undefined]>([
    ['text for a boolean', va(v.pipe(any, v.toBoolean())), 'false', { a: false }],
    ['text for a number', va(v.pipe(v.any(), v.toNumber(), v.minValue(3))), '5', { a: 5 }],
    ['blank text for a number', va(v.pipe(any, v.toNumber())), '', undefined],
    ['an element', va(v.array(v.pipe(any, v.toNumber()))), ['1', null], undefined],
    [
      'a member of a map',
      va(v.record(v.string(), v.pipe(any, v.toNumber()))),
      { x: null },
      undefined,
    ],
    ['an optional one', va(v.optional(v.pipe(any, v.toNumber()))), null, {}],
    ['an object for text', va(v.pipe(any, v.toString())), { x: 1 }, undefined],
    ['null for a date', va(v.pipe(any, v.toDate())), null, undefined],
  ])('a coercion of valibot is one of zod: %s', (_title, schema, a, expected) => {
    const result = readValue(schema, { a });
    expect(result.status === 'rejected' ? undefined : result.value).toEqual(expected);
  });

  test.each<[string, object]>([
    ['an object of valibot', va(v.object({ x: v.optional(v.string()) }))],
    ['a loose one', va(v.looseObject({ x: v.optional(v.string()) }))],
    ['an object of arktype', type({ a: { 'x?': 'string' } })],
    ['one that deletes keys', type({ a: type({ '+': 'delete', 'x?': 'string' }) })],
  ])('not an array in the place of an object: %s', (_title, schema) => {
    const read = (value: unknown) => readValue(schema, value);
    expect(read({ a: [{ x: 'y' }] })).toMatchObject({
      status: 'repaired',
      value: { a: { x: 'y' } },
      repairs: [{ rule: 'unwrap_single' }],
    });
    expect(read({ a: ['x', 'y'] })).toMatchObject({ status: 'rejected', issues: [{ path: '/a' }] });
  });

  test.each<[string, object]>([
    ['a map of valibot', va(v.record(v.string(), v.string()))],
    ['a map of arktype', type({ a: 'Record<string, string>' })],
    [
      'a union of valibot',
      va(v.union([v.array(v.number()), v.object({ x: v.optional(v.string()) })])),
    ],
  ])('not an array in the place of %s', (_title, schema) => {
    expect(readValue(schema, { a: ['x', 'y'] }).status).toBe('rejected');
  });

  test('but an array of which a preprocessor of zod makes an object', () => {
    const pairs = z.array(z.tuple([z.string(), z.int()]));
    const schema = za(
      z.preprocess(
        (sent) => Object.fromEntries(pairs.safeParse(sent).data ?? []),
        z.object({ x: z.int() }),
      ),
    );
    expect(interpretArguments(schema, { value: { a: [['x', 1]] } })).toMatchObject({
      status: 'unchanged',
      value: { a: { x: 1 } },
    });
  });

  const n = z.number();
  const vn = v.number();
  test.each<[string, object, object, object]>([
    [
      'beside another one',
      z.object({ a: n.catch(-1), b: n.catch(-1) }),
      { a: '1', b: 'x' },
      { a: 1, b: -1 },
    ],
    [
      'of valibot beside another one',
      v.object({ a: v.fallback(vn, -1), b: v.fallback(vn, -1) }),
      { a: '1', b: 'x' },
      { a: 1, b: -1 },
    ],
    ['of an element', za(z.array(n.catch(-1))), { a: ['1', 'x'] }, { a: [1, -1] }],
    ['of an object', za(z.object({ n }).catch({ n: 0 })), { a: { n: '5' } }, { a: { n: 5 } }],
    [
      'of zod 3',
      z3a(z3.object({ n: z3.number() }).catch({ n: 0 })),
      { a: { n: '5' } },
      { a: { n: 5 } },
    ],
    [
      'of one of valibot',
      va(v.fallback(v.object({ n: vn }), { n: 0 })),
      { a: { N: '5' } },
      { a: { n: 5 } },
    ],
    [
      'of an element of a list that a preprocessor makes longer',
      za(z.preprocess((all) => [all, all].flat(), z.array(n.catch(-1)).min(2))),
      { a: ['5'] },
      { a: [5, 5] },
    ],
    [
      'of a union',
      za(z.union([z.object({ n: n.catch(0) }), z.boolean()])),
      { a: { n: '5' } },
      { a: { n: 5 } },
    ],
    [
      'of one that is lazy in a union',
      va(v.union([v.object({ n: v.lazy(() => v.fallback(vn, 0)) }), v.boolean()])),
      { a: { n: '5' } },
      { a: { n: 5 } },
    ],
    ['of one that is lazy', va(v.lazy(() => v.fallback(vn, 0))), { a: '5' }, { a: 5 }],
    ['of a list', za(z.array(n).catch([])), { a: ['5'] }, { a: [5] }],
    ['of the arguments', za(n).catch({ a: 1 }), { a: '5' }, { a: 5 }],
  ])('what can be repaired before its fallback: %s', (_title, schema, value, expected) => {
    expect(readValue(schema, value)).toMatchObject({ status: 'repaired', value: expected });
  });

  test('and what gets a fallback is not among the issues', () => {
    const schema = z.object({ a: n.catch(7), b: z.string() });
    expect(interpretArguments(schema, { value: { a: 'x' } }).issues).toMatchObject([{ key: 'b' }]);
    expect(
      interpretArguments(schema, { value: { a: 'x', b: 'y' } }, { tool: { repair: 'off' } }),
    ).toMatchObject({ status: 'unchanged', value: { a: 7, b: 'y' } });
  });

  test('not elements that the library drops', () => {
    const pair = v.tuple([v.number()]);
    const schema = v.object({ pair: v.union([pair, v.boolean()]), n: v.fallback(vn, 0) });
    expect(readValue(v.object({ pair }), { pair: [1, 2] }).status).toBe('rejected');
    expect(readValue(schema, { pair: [1, 2], n: '5' }).status).toBe('rejected');
    expect(readValue(schema, { pair: [1], n: '5' }).status).toBe('repaired');
  });

  test('so that only what the library refuses beside it is an issue', () => {
    const even = z.int().refine((count) => count % 2 === 0, 'must be even');
    for (const repair of ['all', 'off'])
      expect(
        readValue(
          z.object({ tags: splitTags, even }),
          { tags: 'a,b', even: 3 },
          { tool: { repair } },
        ).issues,
      ).toEqual([{ keyword: 'check', path: '/even', advice: 'must be even' }]);
  });

  test('not text that the library refuses', () => {
    const schema = z.object({ a: z.string().regex(new RegExp('^[\\w-.]+\\-$')), n: z.int() });
    expect(interpretArguments(schema, { value: { a: '!', n: 1 } })).toMatchObject({
      status: 'rejected',
    });
    expect(interpretArguments(schema, { value: { a: 'x-', n: '5' } })).toMatchObject({
      value: { n: 5 },
    });
  });

  test.each([
    ['z.file()', za(z.file())],
    ['z.instanceof()', za(z.instanceof(URL))],
    ['a key of z.undefined()', za(z.undefined())],
  ])('nothing is by %s, which is a DefinitionError', (name, schema) => {
    expect(definitionErrorOf(() => interpretArguments(schema, { value: {} }))).toContain(
      `has ${name}`,
    );
  });
});

describe('what only the JSON Schema refuses is left as it was sent when something else is repaired:', () => {
  const counted = z.object({ tags: splitTags, count: z.int() });

  test.each<[string, object, object, object | undefined]>([
    ['a value', counted, { tags: 'a,b', count: '5' }, { tags: 'a,b', count: 5 }],
    ['a name', counted, { tags: 'a,b', Count: 5 }, { tags: 'a,b', count: 5 }],
    [
      'an element beside one that is repaired',
      z.object({
        list: z.array(
          z.preprocess((it) => (Array.isArray(it) && it[1] ? it.join() : it), z.string()),
        ),
      }),
      { list: [['a', 'b'], ['c']] },
      { list: [['a', 'b'], 'c'] },
    ],
    [
      'an absent key beside a misspelt one',
      z.preprocess((sent) => ({ x: 1, ...Object(sent) }), z.object({ x: z.int(), y: z.int() })),
      { Y: 5 },
      { y: 5 },
    ],
    [
      'a name in a union',
      z.object({
        u: z.union([z.object({ name: z.string().optional() }), z.string()]),
        count: z.int(),
      }),
      { u: { Name: 'x' }, count: '5' },
      { u: { name: 'x' }, count: 5 },
    ],
    [
      'a name in an array in a union',
      z.object({
        u: z.union([
          z.array(z.union([z.object({ name: z.string().optional() }), z.string()])),
          z.int(),
        ]),
        count: z.int(),
      }),
      { u: ['y', { Name: 'x' }], count: '5' },
      { u: ['y', { name: 'x' }], count: 5 },
    ],
    ['an undeclared key', counted, { tags: 'a,b', count: 5, mood: 1 }, { tags: 'a,b', count: 5 }],
    [
      'one element',
      z.object({ list: z.array(counted) }),
      {
        list: [
          { tags: 'a,b', count: '5' },
          { tags: ['c'], count: 6 },
        ],
      },
      {
        list: [
          { tags: 'a,b', count: 5 },
          { tags: ['c'], count: 6 },
        ],
      },
    ],
    [
      'text in a union',
      v.object({ text: v.nullable(v.pipe(v.string(), v.regex(/^abc$/i))), count: v.number() }),
      { text: 'ABC', count: '5' },
      { text: 'ABC', count: 5 },
    ],
    [
      'a list in a union',
      z.object({ list: z.union([z.array(z.coerce.number()), z.boolean()]), count: z.int() }),
      { list: ['1'], count: '5' },
      { list: ['1'], count: 5 },
    ],
    [
      'beside an absent value',
      z.object({ tags: z.preprocess((it) => it ?? [], z.array(z.string())), count: z.int() }),
      { count: '5' },
      { count: 5 },
    ],
  ])('%s', (_title, schema, value, expected) => {
    const result = readValue(schema, value);
    expect(result).toMatchObject({ status: 'repaired' });
    expect(JSON.parse(result.text)).toEqual(expected);
  });

  test('and is not among the issues', () => {
    const limited = z.object({
      tags: splitTags,
      count: z.int().refine((count) => count > 3, 'has to be over three'),
    });
    const read = (count: unknown) => interpretArguments(limited, { value: { tags: 'a,b', count } });
    expect(read('many').issues).toMatchObject([{ keyword: 'type', path: '/count' }]);
    expect(read(2).issues).toMatchObject([{ path: '/count', advice: 'has to be over three' }]);
    expect(read('2').issues).toMatchObject([{ path: '/count', advice: 'has to be over three' }]);
    expect(interpretArguments(limited, { value: { tags: 5, count: 'many' } }).issues).toMatchObject(
      [{ path: '/count' }],
    );
  });
});

describe('a message says what to send', () => {
  const date = 'a: expected a date like "2026-01-31T12:00:00Z", got "next friday".';
  const no = (message: string) => [() => false, message] as const;
  const city = no('is not a city');

  test.each<[string, object, unknown, string]>([
    ['a coerced date', za(z.coerce.date()), 'next friday', date],
    ['one of zod 3', z3a(z3.coerce.date()), 'next friday', date],
    [
      'a refinement without words',
      za(z.string().refine(() => false)),
      'x',
      'a: is not valid, got "x".',
    ],
    [
      'one that valibot makes',
      va(v.pipe(v.string(), v.transform(toDate), v.date())),
      'next friday',
      date,
    ],
    [
      'an own message',
      za(z.coerce.date('a day of this year')),
      'next friday',
      'a: a day of this year.',
    ],
    [
      'a number in text',
      za(z.string().transform(Number).pipe(z.number())),
      'many',
      'a: expected a string that converts to number, got "many".',
    ],
    [
      'a branch of a union',
      za(z.union([z.object({ b: z.string().refine(...city) }), z.string()])),
      { b: 'x' },
      'a.b: is not a city.',
    ],
    [
      'several branches of a union',
      za(z.union([z.string().refine(...city), z.string().refine(...no('is not a zip code'))])),
      'x',
      'a: is not a city, or is not a zip code.',
    ],
    [
      'a key of a map',
      za(z.record(z.string().refine(...city), z.int())),
      { x: 1 },
      'a.x: the key is not valid: is not a city.',
    ],
    ['arktype', type({ a: 'string.date.parse' }), 'x', 'a: must be a parsable date (was "x").'],
  ])('%s', (_title, schema, a, message) => {
    const result = readValue(schema, { a });
    expect(result.message.split('\n')[1]).toBe(`- ${message}`);
  });

  test.each<[string, object]>([
    ['zod', za(z.record(z.enum(['low', 'high']), z.int()))],
    ['zod 3', z3a(z3.record(z3.enum(['low', 'high']), z3.number().int()))],
    ['valibot', va(v.record(v.picklist(['low', 'high']), v.pipe(v.number(), v.integer())))],
  ])('a map whose keys are listed, which are names for repair too: %s', (_title, schema) => {
    const read = (a: unknown) => readValue(schema, { a });
    expect(read({ Low: '1', high: 2 })).toMatchObject({
      status: 'repaired',
      value: { a: { low: 1, high: 2 } },
    });
    expect(read({ low: 1, high: 2 })).toMatchObject({ status: 'unchanged' });
    expect(read({ low: 1, high: 2, top: 3 }).message).toMatch(
      /- a\.top is not a known property\.\nExpected at a: \{ low\??: integer, high\??: integer \}/,
    );
  });

  test('a coerced date has an example', () => {
    const result = interpretArguments(za(z.coerce.date()), { value: { a: 'x' } });
    expect(result).toMatchObject({
      message: expect.stringContaining('Example: {"a":"2026-01-31T12:00:00Z"}'),
    });
  });
});

const fail = () => {
  throw new Error('boom');
};

test.each<[string, object]>([
  ['a refinement of zod', za(z.string().refine(fail))],
  ['a transform of zod', za(z.string().transform(fail))],
  ['a transform of zod 3', z3a(z3.string().transform(fail))],
  ['a check of valibot', va(v.pipe(v.string(), v.check(fail)))],
])(
  'a schema that throws has the call rejected, with the error as its cause: %s',
  (_title, schema) => {
    const result = Reflect.apply(interpretArguments, undefined, [schema, { text: '{"a":"x"}' }]);
    expect(result).toMatchObject({ status: 'rejected', issues: [{ keyword: 'broken_check' }] });
    expect(result.causes).toEqual([new Error('boom')]);
    expect(Object.keys(result)).not.toContain('causes');
  },
);

test.each<[string, object, string]>([
  [
    'a type that JSON lacks',
    z.object({ day: z.date() }),
    'has z.date(), which no JSON value passes: write z.coerce.date(), or z.iso.datetime() with a transform.',
  ],
  [
    'a map of zod 3',
    z3.object({ seats: z3.map(z3.string(), z3.number()) }),
    'has z.map(), which no JSON value passes: write z.record(), with a transform into a Map.',
  ],
  [
    'a date of valibot',
    v.object({ day: v.date() }),
    'has date(), which no JSON value passes: write the type that the model sends, in a v.pipe() with v.transform().',
  ],
  [
    'a library that throws',
    {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: () => ({ issues: [] }),
        jsonSchema: {
          input: () => {
            throw new Error('Not today');
          },
        },
      },
    },
    "is a schema of own, which can't write it as JSON Schema (Not today): write a type that JSON has, with a " +
      'transform, or give toJsonSchema: (schema) => ….',
  ],
  [
    'a library without JSON Schema',
    { '~standard': { version: 1, vendor: 'own', validate: () => ({ value: {} }) } },
    'is a schema of own, which has no JSON Schema of its own: give toJsonSchema: (schema) => …, which returns its JSON Schema.',
  ],
  [
    'a JSON Schema in a promise',
    jsonSchema(Promise.resolve(list)),
    'has its JSON Schema in a promise: await its jsonSchema, and pass that.',
  ],
  [
    'text',
    z.string(),
    "is not the schema of an object: write { type: 'object', properties: { … } }, or read an answer of another type with parseAs.",
  ],
])('a DefinitionError says what to do about %s', (_title, inputSchema, words) => {
  const definition = { name: 'tool', description: 'Does it.', inputSchema, execute: () => 1 };
  const expected = `tool has an input schema that ${words}`;

  expect(definitionErrorOf(() => Reflect.apply(defineTool, undefined, [definition]))).toBe(
    expected,
  );
  expect(
    definitionErrorOf(() =>
      Reflect.apply(interpretArguments, undefined, [inputSchema, { value: {} }]),
    ),
  ).toBe(expected);
});

test('toJsonSchema writes the JSON Schema of a library without one', () => {
  const schema = {
    '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) },
  } as const;

  expect(interpretArguments(schema, stringified, { toJsonSchema: () => list })).toMatchObject({
    status: 'repaired',
    value: { tags: ['a', 'b'] },
  });
});

test('a schema whose validate returns no result rejects the call', () => {
  const standard = { version: 1, vendor: 'own', jsonSchema: { input: () => list } } as const;
  const schema = { '~standard': { ...standard, validate: (): unknown => undefined } };
  expect(interpretArguments(schema, { value: {} })).toMatchObject({
    status: 'rejected',
    causes: [new TypeError('validate of own returned undefined, not a result')],
  });
});

test('a schema whose issues are empty or no array rejects the call', () => {
  const read = (issues: unknown) => {
    const standard = { version: 1, vendor: 'own', jsonSchema: { input: () => list } } as const;
    const schema = {
      '~standard': { ...standard, validate: (): unknown => ({ value: {}, issues }) },
    };
    return interpretArguments(schema, { value: {} });
  };
  expect(read([])).toMatchObject({ issues: [{ path: '', advice: 'is not valid' }] });
  expect(read('no')).toMatchObject({
    status: 'rejected',
    causes: [new TypeError('validate of own returned issues that are not an array')],
  });
  expect(read(undefined).status).toBe('unchanged');
});

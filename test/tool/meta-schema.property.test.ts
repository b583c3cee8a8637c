// Every schema that a model is shown admits the meta arguments, whatever its root looks like.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { requireMeta, standardMetaArguments, ToolRegistry } from 'toolmend';
import { schemaContracts } from '../laws/generators/contracts.ts';
import { closedOf, mapOf, objectOf, type Schema, text, whole } from '../schemas.ts';
import { callOf, toolOf } from '../tools.ts';

const sentMeta = { _rationale: 'to see', _timeout_seconds: 30, _background: false };
const meta = { rationale: 'to see', timeout_seconds: 30, background: false };
const closedSchema = closedOf({ path: text }, ['path']);

const registryOf = (inputSchema: Schema, metaArguments = standardMetaArguments): ToolRegistry =>
  new ToolRegistry({ meta: metaArguments }).register(
    toolOf(() => 'seen', { inputSchema, background: 'allowed' }),
  );

const schemaShownBy = (registry: ToolRegistry): Schema => registry.schemas()[0]?.inputSchema ?? {};

const isAccepted = (schema: Schema, value: unknown): boolean =>
  formats
    .default(new Ajv2020({ strict: false, ownProperties: true, logger: false }))
    .compile(schema)(value);

const interpreted = (registry: ToolRegistry, args: unknown): unknown =>
  Reflect.get(registry.interpret(callOf({ arguments: args })), 'interpretation');

const itself = closedOf({ name: text, below: { $ref: '#' } }, ['name']);
const roots: readonly (readonly [string, Schema, object])[] = [
  ['closed', closedSchema, { path: 'a' }],
  ['open', objectOf({ path: text }), { path: 'a', other: 1 }],
  ['without a type', { properties: { path: text }, additionalProperties: false }, { path: 'a' }],
  ['a reference', { $ref: '#/$defs/Arguments', $defs: { Arguments: closedSchema } }, { path: 'a' }],
  [
    'draft-07',
    { $ref: '#/definitions/Arguments', definitions: { Arguments: closedSchema } },
    { path: 'a' },
  ],
  ['allOf', { allOf: [closedOf({ a: whole, b: whole }), objectOf({ b: whole }, ['b'])] }, { b: 5 }],
  [
    'allOf, closed',
    { allOf: [objectOf({ path: text })], unevaluatedProperties: false },
    { path: 'a' },
  ],
  [
    'oneOf',
    { type: 'object', oneOf: [closedSchema, closedOf({ url: text }, ['url'])] },
    { url: 'file:///a' },
  ],
  [
    'else',
    objectOf({ a: whole }, [], { if: { required: ['b'] }, else: closedOf({ a: whole }) }),
    { a: 1 },
  ],
  ['a map', mapOf(whole), { a: 1 }],
  ['few keys', objectOf({ a: whole }, [], { maxProperties: 1 }), { a: 1 }],
  ['plain keys', objectOf({ a: whole }, [], { propertyNames: { pattern: '^[a-z]+$' } }), { a: 1 }],
  ['itself below', itself, { name: 'a', below: { name: 'b', below: { name: 'c' } } }],
];

describe.each(roots)('%s', (_title, inputSchema, value) => {
  const registry = registryOf(inputSchema);
  const shownSchema = schemaShownBy(registry);

  test('accepts the same without them, by schema and interpretation', () => {
    expect(isAccepted(inputSchema, value)).toBe(true);
    expect(isAccepted(shownSchema, value)).toBe(true);
    expect(interpreted(registry, value)).toMatchObject({ status: 'unchanged', value });
  });

  test('accepts them, and refuses what they may not be', () => {
    expect(isAccepted(shownSchema, { ...value, ...sentMeta })).toBe(true);
    const result = interpreted(registry, { ...value, ...sentMeta });
    expect(result).toMatchObject({ status: 'unchanged', value, meta });
    expect(isAccepted(shownSchema, { ...value, _timeout_seconds: 'soon' })).toBe(false);
    expect(shownSchema.properties).toHaveProperty('_rationale');
    expect(shownSchema.$ref).toBeUndefined();
  });
});

test('what refers to the root from below has no meta arguments', () => {
  const shownSchema = schemaShownBy(registryOf(itself));
  expect(isAccepted(shownSchema, { name: 'a', below: { name: 'b' }, ...sentMeta })).toBe(true);
  expect(isAccepted(shownSchema, { name: 'a', below: { name: 'b', ...sentMeta } })).toBe(false);
});

describe('if the schema requires one', () => {
  const requiredSchema = objectOf({ path: text, _rationale: { ...text, description: 'Why.' } }, [
    '_rationale',
  ]);
  const strict = { ...requiredSchema, additionalProperties: false };

  test.each<[string, Schema]>([
    ['a root', requiredSchema],
    ['a reference', { $ref: '#/$defs/A', $defs: { A: strict } }],
    ['allOf', { type: 'object', allOf: [requiredSchema, objectOf({ path: text })] }],
    ['every branch', { type: 'object', oneOf: [strict] }],
  ])('%s', (_title, inputSchema) => {
    const registry = registryOf(inputSchema);
    const shownSchema = schemaShownBy(registry);
    const [value, issues] = [{ path: 'a' }, [{ keyword: 'required', key: '_rationale' }]];
    const args = { ...value, _rationale: 'b' };
    expect([isAccepted(shownSchema, value), isAccepted(shownSchema, args)]).toEqual([false, true]);
    expect(interpreted(registry, value)).toMatchObject({ issues });
    const acceptedResult = { status: 'unchanged', value, meta: { rationale: 'b' } };
    expect(interpreted(registry, args)).toMatchObject(acceptedResult);
  });

  test('the application requires one of every tool', () => {
    const registry = registryOf(closedSchema, requireMeta(standardMetaArguments, 'rationale'));
    expect(schemaShownBy(registry).required).toEqual(['path', '_rationale']);
    const message = expect.stringContaining('Example: {"path":"…","_rationale":"…"}');
    expect(interpreted(registry, { path: 'a' })).toMatchObject({ message });
  });
});

test('law: a value that a schema accepts is accepted with meta arguments beside it, by schema and interpretation', () => {
  fc.assert(
    fc.property(schemaContracts, fc.subarray(Object.entries(meta)), ({ schema, value }, some) => {
      const registry = registryOf(schema);
      const all = { ...value, ...Object.fromEntries(some.map(([key, one]) => [`_${key}`, one])) };
      expect(isAccepted(schemaShownBy(registry), all)).toBe(true);
      const acceptedResult = { status: 'unchanged', value, meta: Object.fromEntries(some) };
      expect(interpreted(registry, all)).toMatchObject(acceptedResult);
    }),
    { numRuns: propertyRuns / 5 },
  );
});

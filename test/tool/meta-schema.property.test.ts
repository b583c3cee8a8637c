// Every schema that a model is shown admits the meta arguments, whatever its root looks like.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { defineTool, type MetaArgument, standardMetaArguments, ToolRegistry } from 'toolmend';
import { schemaContracts } from '../laws/generators/contracts.ts';
import { closedOf, mapOf, objectOf, type Schema, text, whole } from '../schemas.ts';

const meta = { _rationale: 'to see', _timeout_seconds: 30, _background: false };
const metaValues = { rationale: 'to see', timeout_seconds: 30, background: false };
const closed = closedOf({ path: text }, ['path']);

function registryOf(
  inputSchema: Schema,
  shown: readonly MetaArgument[] = standardMetaArguments,
): ToolRegistry {
  const tool = defineTool({
    name: 'look',
    description: 'Looks.',
    inputSchema,
    background: 'allowed',
    execute: () => 'seen',
  });
  return new ToolRegistry({ meta: shown }).register(tool);
}

const schemaShownBy = (registry: ToolRegistry): Schema => registry.schemas()[0]?.inputSchema ?? {};

const isAccepted = (schema: Schema, value: unknown): boolean =>
  formats.default(new Ajv2020({ strict: false, ownProperties: true, logger: false })).compile(schema)(value);

const interpreted = (registry: ToolRegistry, sent: unknown): unknown =>
  registry.interpret({ id: 'call_1', name: 'look', arguments: sent });

const roots: readonly (readonly [string, Schema, object])[] = [
  ['closed', closed, { path: 'a' }],
  ['open', objectOf({ path: text }), { path: 'a', other: 1 }],
  ['without a type', { properties: { path: text }, additionalProperties: false }, { path: 'a' }],
  ['a reference', { $ref: '#/$defs/Arguments', $defs: { Arguments: closed } }, { path: 'a' }],
  ['draft-07', { $ref: '#/definitions/Arguments', definitions: { Arguments: closed } }, { path: 'a' }],
  [
    'allOf',
    { type: 'object', allOf: [closedOf({ path: text, line: whole }), objectOf({ line: whole }, ['line'])] },
    { line: 5 },
  ],
  [
    'allOf, closed as a whole',
    { type: 'object', allOf: [objectOf({ path: text })], unevaluatedProperties: false },
    { path: 'a' },
  ],
  ['oneOf', { type: 'object', oneOf: [closed, closedOf({ url: text }, ['url'])] }, { url: 'file:///a' }],
  ['else', objectOf({ a: whole }, [], { if: { required: ['b'] }, else: closedOf({ a: whole }) }), { a: 1 }],
  ['a map', mapOf(whole), { a: 1 }],
  ['few keys', objectOf({ a: whole }, [], { maxProperties: 1 }), { a: 1 }],
  ['plain keys', objectOf({ a: whole }, [], { propertyNames: { pattern: '^[a-z]+$' } }), { a: 1 }],
  [
    'itself below',
    closedOf({ name: text, below: { $ref: '#' } }, ['name']),
    { name: 'a', below: { name: 'b', below: { name: 'c' } } },
  ],
];

describe.each(roots)('%s', (_title, inputSchema, value) => {
  const registry = registryOf(inputSchema);
  const shown = schemaShownBy(registry);

  test('accepts the same without them, by schema and interpretation', () => {
    expect(isAccepted(inputSchema, value)).toBe(true);
    expect(isAccepted(shown, value)).toBe(true);
    expect(interpreted(registry, value)).toMatchObject({ interpretation: { status: 'unchanged', value } });
  });

  test('accepts them, and refuses what they may not be', () => {
    expect(isAccepted(shown, { ...value, ...meta })).toBe(true);
    expect(interpreted(registry, { ...value, ...meta })).toMatchObject({
      interpretation: { status: 'unchanged', value, meta: metaValues },
    });
    expect(isAccepted(shown, { ...value, _timeout_seconds: 'soon' })).toBe(false);
    expect(shown.properties).toHaveProperty('_rationale');
    expect(shown.$ref).toBeUndefined();
  });
});

test('what refers to the root from below has no meta arguments', () => {
  const shown = schemaShownBy(registryOf(closedOf({ name: text, below: { $ref: '#' } }, ['name'])));
  expect(isAccepted(shown, { name: 'a', below: { name: 'b' }, ...meta })).toBe(true);
  expect(isAccepted(shown, { name: 'a', below: { name: 'b', ...meta } })).toBe(false);
});

describe('if the schema requires one', () => {
  const required = objectOf({ path: text, _rationale: { ...text, description: 'Why.' } }, ['_rationale']);
  const rows: readonly (readonly [string, Schema])[] = [
    ['a root', required],
    ['a reference', { $ref: '#/$defs/A', $defs: { A: { ...required, additionalProperties: false } } }],
    ['allOf', { type: 'object', allOf: [required, objectOf({ path: text })] }],
    ['every branch', { type: 'object', oneOf: [{ ...required, additionalProperties: false }] }],
  ];

  test.each(rows)('%s', (_title, inputSchema) => {
    const registry = registryOf(inputSchema);
    const shown = schemaShownBy(registry);
    expect(isAccepted(shown, { path: 'a' })).toBe(false);
    expect(isAccepted(shown, { path: 'a', _rationale: 'b' })).toBe(true);
    expect(interpreted(registry, { path: 'a' })).toMatchObject({
      interpretation: { issues: [{ keyword: 'required', key: '_rationale' }] },
    });
    expect(interpreted(registry, { path: 'a', _rationale: 'b' })).toMatchObject({
      interpretation: { status: 'unchanged', value: { path: 'a' }, meta: { rationale: 'b' } },
    });
  });

  test('the application requires one of every tool', () => {
    const [rationale, ...others] = standardMetaArguments;
    if (rationale === undefined) throw new Error('there is none');
    const registry = registryOf(closed, [{ ...rationale, isRequired: true }, ...others]);
    expect(schemaShownBy(registry).required).toEqual(['path', '_rationale']);
    expect(interpreted(registry, { path: 'a' })).toMatchObject({
      message: expect.stringContaining('Example: {"path":"…","_rationale":"…"}'),
    });
  });
});

test('law: a value that a schema accepts is accepted with meta arguments beside it, by schema and interpretation', () => {
  fc.assert(
    fc.property(schemaContracts, fc.subarray(Object.entries(meta)), ({ schema, value }, sent) => {
      const registry = registryOf(schema);
      const all = { ...value, ...Object.fromEntries(sent) };
      expect(isAccepted(schemaShownBy(registry), all)).toBe(true);
      expect(interpreted(registry, all)).toMatchObject({
        interpretation: {
          status: 'unchanged',
          value,
          meta: Object.fromEntries(sent.map(([key, one]) => [key.slice(1), one])),
        },
      });
    }),
    { numRuns: propertyRuns / 5 },
  );
});

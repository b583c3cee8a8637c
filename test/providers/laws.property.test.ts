// Properties of every provider's schema for generated tools; those of real tools are in
// real-tools.slow.test.ts.
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonValue, SchemaObject } from 'toolmend';
import { isJsonObject } from '../../src/json/value.ts';
import { providers } from '../../src/providers/providers.ts';
import { transformTool } from '../../src/providers/transform-tool.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { schemaContracts } from '../laws/generators/contracts.ts';
import { objectOf } from '../schemas.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { providerModels, transformAgain, transformingProviders } from './provider-models.ts';

const ajv = addFormats.default(new Ajv2020({ strict: false, ownProperties: true, logger: false }));

/** OpenAPI's nullable is null in JSON Schema. */
const asJsonSchema = (schema: SchemaObject): SchemaObject =>
  JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (
      typeof part !== 'object' ||
      part === null ||
      !('nullable' in part) ||
      part.nullable !== true
    )
      return part;
    const { nullable: _nullable, ...rest } = part;
    return { anyOf: [rest, { type: 'null' }] };
  });

const undeclared = new Set(['extra', 'note_2', 'a/b', 'x.y[0]', '~', '']);

/**
 * Without the keys that the generator adds to open objects: strict mode closes objects that say
 * nothing of other keys.
 */
const declaredOnly = (value: JsonValue): JsonValue =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).filter(([key]) => !undeclared.has(key)))
      : part,
  );

/**
 * If null is a value of an optional property, it can't be told from a property that was left out.
 */
function withoutNullsOf(restoredValue: unknown, value: unknown): unknown {
  if (Array.isArray(restoredValue) && Array.isArray(value))
    return restoredValue.map((element, index) => withoutNullsOf(element, value[index]));
  if (typeof restoredValue !== 'object' || restoredValue === null || Array.isArray(restoredValue))
    return restoredValue;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return restoredValue;
  const members = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(restoredValue)
      .filter(([key, member]) => member !== null || members.has(key))
      .map(([key, member]) => [key, withoutNullsOf(member, members.get(key))]),
  );
}

/** Losses that a check tells of: some values can't be sent. */
const unsendable = new Set(['open-object', 'any-value']);

describe.each(transformingProviders)('%s', (name) => {
  const { rules } = providers[name];
  const model = providerModels[name];

  it('accepts every valid value, maps it back, and is transformed once', () => {
    fc.assert(
      fc.property(schemaContracts, ({ contract, value }) => {
        // Ajv compares constants by their own toString.
        fc.pre(!JSON.stringify(contract.inputSchema).includes('toString'));
        const { schema, strict, mapping, changes } = transformTool(contract, rules);
        expect(model(schema, strict)).toEqual([]);
        expect(JSON.stringify(transformAgain(schema, rules, strict))).toBe(JSON.stringify(schema));
        if (changes.some(({ kind, rule }) => kind === 'lost' && unsendable.has(rule))) return;
        const declaredValue = strict ? declaredOnly(value) : value;
        if (!isJsonObject(declaredValue)) throw new Error('no object');
        const sentValue =
          mapping === undefined
            ? declaredValue
            : mapping.toProvider(JSON.parse(JSON.stringify(declaredValue)));
        const validate = ajv.compile(asJsonSchema(schema));
        expect({ sent: sentValue, errors: validate(sentValue) ? [] : validate.errors }).toEqual({
          sent: sentValue,
          errors: [],
        });
        expect(
          withoutNullsOf(
            mapping === undefined ? sentValue : mapping.restore(sentValue),
            declaredValue,
          ),
        ).toEqual(declaredValue);
      }),
      // Strict mode expresses one in six of these contracts.
      { numRuns: rules.strict === undefined ? propertyRuns / 5 : propertyRuns },
    );
  });

  it('has no reference to a server', () => {
    const $ref = 'http://127.0.0.1:9/schema.json';
    const inputSchema = objectOf({ a: { $ref }, b: { $ref: `${$ref}#/$defs/x`, type: 'string' } });
    const { schema } = transformTool(contractFromSchema({ name: 'a_tool', inputSchema }), rules);
    expect(JSON.stringify(schema)).not.toContain('"$ref"');
  });
});

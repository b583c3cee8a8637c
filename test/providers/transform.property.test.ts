// What holds of every provider, whatever the tool? Over generated contracts, and over real ones. D1: lowering again changes
// nothing. D2: the provider takes it. D3: every valid value, encoded, is valid there. D4: it comes back. D5 to D8: laws.test.ts.
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonValue, SchemaObject } from 'toolmend';
import { contractsOf } from '../../scripts/mistakes/judge-mistakes.ts';
import { noNumberTexts } from '../../src/json/exact-numbers.ts';
import { providers } from '../../src/providers/provider-schemas.ts';
import { decodeArguments, encodeArguments } from '../../src/providers/restore-arguments.ts';
import { lowerContract, lowerSchema } from '../../src/providers/transform-schema.ts';
import { schemaContracts } from '../laws/generators/contracts.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { providerModels } from './provider-models.ts';

const names = Object.keys(providerModels);
const rulesOf = (name: string) =>
  Object.entries(providers).find(([provider]) => provider === name)?.[1].rules ?? providers.mcp.rules;

const real = contractsOf(readFileSync(new URL('../cases/mcp-tools.jsonl', import.meta.url), 'utf8'));

const ajv = addFormats.default(new Ajv2020({ strict: false, ownProperties: true, logger: false }));

/** OpenAPI's nullable is null in JSON Schema. */
const asJsonSchema = (schema: SchemaObject): SchemaObject =>
  JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('nullable' in part) || part.nullable !== true)
      return part;
    const { nullable: _nullable, ...rest } = part;
    return { anyOf: [rest, { type: 'null' }] };
  });

const undeclared = new Set(['extra', 'note_2', 'a/b', 'x.y[0]', '~', '']);

/** Without keys that nobody declared: a strict provider has no place for them. */
const declaredOnly = (value: JsonValue): JsonValue =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).filter(([key]) => !undeclared.has(key)))
      : part,
  );

/** Where null is a value of an optional property, nobody can tell it from a property that was left out. */
function withoutNullsOf(decoded: unknown, value: unknown): unknown {
  if (Array.isArray(decoded) && Array.isArray(value))
    return decoded.map((element, index) => withoutNullsOf(element, value[index]));
  if (typeof decoded !== 'object' || decoded === null || Array.isArray(decoded)) return decoded;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return decoded;
  const sent = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(decoded)
      .filter(([key, held]) => held !== null || sent.has(key))
      .map(([key, held]) => [key, withoutNullsOf(held, sent.get(key))]),
  );
}

describe.each(names)('%s', (name) => {
  const rules = rulesOf(name);
  const model = providerModels[name] ?? (() => ['no model']);

  it('D1, D2, D5 of real tools: the provider takes them, lowering again changes nothing, and nothing is left out in silence', () => {
    const wrong = real.flatMap((contract) => {
      const { schema, changes } = lowerContract(contract, rules);
      const again = lowerSchema(schema, rules.schema);
      return [
        ...model(schema),
        ...(JSON.stringify(again.schema) === JSON.stringify(schema)
          ? []
          : ['is changed by lowering it again']),
        ...changes.filter(({ kind, rule }) => kind === 'lost' && rule !== 'closed').map(({ what }) => what),
      ].map((what) => `${contract.name}: ${what}`);
    });
    expect(real).toHaveLength(968);
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it('D1 to D4 of generated contracts: taken, stable, and every valid value goes there and comes back', () => {
    fc.assert(
      fc.property(schemaContracts, ({ contract, value }) => {
        // Ajv compares constants by their own toString.
        fc.pre(!JSON.stringify(contract.inputSchema).includes('toString'));
        const lowered = lowerContract(contract, rules);
        const { schema } = lowered;
        expect(model(schema)).toEqual([]);
        expect(JSON.stringify(lowerSchema(schema, rules.schema).schema)).toBe(JSON.stringify(schema));
        const isOpen = rules.schema.objects === 'declared';
        const own = isOpen ? value : declaredOnly(value);
        if (typeof own !== 'object' || own === null || Array.isArray(own)) throw new Error('no object');
        const sent = encodeArguments(lowered, JSON.parse(JSON.stringify(own)));
        const validator = ajv.compile(asJsonSchema(schema));
        expect({ sent, errors: validator(sent) ? [] : validator.errors, schema }).toEqual({
          sent,
          errors: [],
          schema,
        });
        const form = {
          numbers: noNumberTexts.copied(),
          longNumbers: 'text',
          lonePair: () => undefined,
        } as const;
        expect(withoutNullsOf(decodeArguments(lowered, sent, form), own)).toEqual(own);
      }),
      { numRuns: propertyRuns / 5 },
    );
  });
});

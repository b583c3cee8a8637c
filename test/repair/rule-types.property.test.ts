// The rules of a place are chosen by what they say of the types that they are sent, before any of
// them is asked. So a rule must have nothing to say of a value of any other type.
import { defineTool } from 'toolmend';
import { noLiterals } from '../../src/json/number-literals.ts';
import { type JsonValue, jsonTypeOf } from '../../src/json/value.ts';
import { rulesOf } from '../../src/repair/contract-rules.ts';
import { RepairContext, memberLocation, rootLocation } from '../../src/repair/repair-context.ts';
import { ruleTable } from '../../src/repair/rule-table.ts';
import type { JsonSchema, SchemaObject } from '../../src/schema/json-schema.ts';
import { validatorOf } from '../../src/validate/validator.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';

const object: SchemaObject = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};
const fields: readonly JsonSchema[] = [
  { type: 'string' },
  { type: 'string', enum: ['dark_red', 'light_blue'] },
  { type: 'integer', minimum: 1 },
  { type: ['number', 'null'] },
  { type: 'boolean' },
  { type: 'array', items: { type: 'string' } },
  { type: 'array', items: object },
  { ...object, additionalProperties: false },
];

const rules = ruleTable.flatMap((rule) =>
  rule.level === 'value' && rule.sent !== undefined ? [{ rule, sent: rule.sent }] : [],
);

const values: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 3, 2.5, '3', 'true', '["a"]', '{"name":"a"}', 'null'),
  fc.constantFrom<JsonValue>([], ['a'], [{ name: 'a' }], {}, { name: 'a' }, { field: ['a'] }),
  fc.string(),
  fc.integer(),
);

function proposalFor(rule: (typeof rules)[number]['rule'], field: JsonSchema, value: JsonValue) {
  const contract = defineTool({
    name: 'note',
    description: 'A note.',
    inputSchema: { type: 'object', properties: { field } },
    execute: () => 'done',
  });
  const validator = validatorOf(contract);
  const sent = { field: value };
  const request = { value: sent, numbers: noLiterals, size: 100 };
  const unrepaired = () => ({ kind: 'failed', repaired: [] }) as const;
  const context = new RepairContext(validator, request, unrepaired, rulesOf(contract));
  const root = rootLocation(validator.views);
  const location = memberLocation(validator.views, root, 'field', sent) ?? root;
  return rule.propose(context.ruleContext(value, location));
}

it.each(rules)('$rule.id skips what it says it is not sent', ({ rule, sent }) => {
  fc.assert(
    fc.property(fc.constantFrom(...fields), values, (field, value) => {
      fc.pre(!sent.includes(jsonTypeOf(value)));
      expect(proposalFor(rule, field, value)).toEqual({ kind: 'skip' });
    }),
    { numRuns: propertyRuns * 2 },
  );
});

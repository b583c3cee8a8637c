// Rules are chosen by what they say of the types and the keys that they are sent, before any of them
// is asked. So a rule must have nothing to say of a value of any other type or with other keys.
import { defineTool } from 'toolmend';
import { noLiterals } from '../../src/json/number-literals.ts';
import { type JsonValue, jsonTypeOf } from '../../src/json/value.ts';
import { rulesOf } from '../../src/repair/contract-rules.ts';
import { hasAny, keyTraits } from '../../src/repair/repair-object.ts';
import { RepairContext, memberLocation, rootLocation } from '../../src/repair/repair-context.ts';
import { rootPlan } from '../../src/repair/repair-plan.ts';
import type { ValueRule } from '../../src/repair/repair-rule.ts';
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
  rule.level === 'value' && rule.sentTypes !== undefined ? [{ rule, sent: rule.sentTypes }] : [],
);

const values: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 3, 2.5, '3', 'true', '["a"]', '{"name":"a"}', 'null'),
  fc.constantFrom<JsonValue>([], ['a'], [{ name: 'a' }], {}, { name: 'a' }, { field: ['a'] }),
  fc.string(),
  fc.integer(),
);

/** The location of a field, in a context that repairs nothing, and of the arguments around it. */
function placesOf(field: JsonSchema, value: JsonValue) {
  const contract = defineTool({
    name: 'note',
    description: 'A note.',
    inputSchema: { type: 'object', properties: { field, name: { type: 'string' } } },
    execute: () => 'done',
  });
  const validator = validatorOf(contract);
  const sent = { field: value };
  const request = { value: sent, numbers: noLiterals, size: 100 };
  const unrepaired = () => ({ kind: 'failed', repairedPaths: [] }) as const;
  const context = new RepairContext(validator, request, unrepaired, rulesOf(contract));
  const root = rootLocation(rootPlan(validator, rulesOf(contract)));
  const member = memberLocation(root, root.plan.member('field'), 'field', sent);
  return { context, root, member };
}

function proposalFor(rule: ValueRule, field: JsonSchema, value: JsonValue) {
  const { context, member } = placesOf(field, value);
  return rule.propose(context.ruleContext(value, member));
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

const ruleChoices = ruleTable.flatMap((rule) =>
  rule.level === 'value' && rule.keys !== undefined ? [{ rule, keys: rule.keys }] : [],
);

const keys = ['name', 'field', 'arguments', 'tool', 'type', 'properties', 'payload', '$x', 'Name'];
const objects = fc.dictionary(fc.constantFrom(...keys), values, { maxKeys: 3 });

it.each(ruleChoices)('$rule.id skips objects without $keys keys', ({ rule, keys: traits }) => {
  fc.assert(
    fc.property(fc.constantFrom(...fields), objects, (field, sent) => {
      const { context, root, member } = placesOf(field, sent);
      const location = rule.answers.includes('root') ? root : member;
      fc.pre(!hasAny(keyTraits(sent, location.plan.view), traits));
      expect(rule.propose(context.ruleContext(sent, location))).toEqual({ kind: 'skip' });
    }),
    { numRuns: propertyRuns * 4 },
  );
});

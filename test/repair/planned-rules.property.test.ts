// A repair plan leaves out the rules that can't act at a place, and repairs some calls without any
// rule. That saves time and changes nothing: if every rule is asked, each call gets the same value
// with the same records.
import { defineTool } from 'toolmend';
import { noLiterals } from '../../src/json/number-literals.ts';
import type { JsonObject, JsonType, JsonValue } from '../../src/json/value.ts';
import { type ContractRules, rulesOf } from '../../src/repair/contract-rules.ts';
import { repairPlainly } from '../../src/repair/plain-repair.ts';
import { type ValueRule, skip } from '../../src/repair/repair-rule.ts';
import { type RepairResult, repairByRules } from '../../src/repair/repair-value.ts';
import { validatorOf } from '../../src/validate/validator.ts';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  number,
  objectOf,
  orNull,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';

/** A value that was sent for a schema, valid or nearly so. */
interface SentValue {
  readonly schema: Schema;
  readonly value: JsonValue;
}

const person = closedOf({ name: text, age: whole }, ['name']);
const ada = { name: 'Ada', age: 36 };

/** Values that models send: first as declared; in another type, as text, wrapped, or empty. */
const sentFor: readonly (readonly [Schema, readonly JsonValue[]])[] = [
  [text, ['billing', 5, true, null, ['billing'], { value: 'billing' }, { type: 'string' }]],
  [{ type: 'string', enum: ['dark_red', 'blue'] }, ['dark_red', 'Dark Red', ['blue'], '"blue"']],
  [{ ...text, 'x-toolmend': { semantic: 'path' } }, ['a.ts', '[a.ts](http://a.ts)', ['a.ts']]],
  [{ ...text, default: 'north' }, ['south', null, '', {}]],
  [whole, [3, '3', ' 3 ', '3.0', 2.5, [3], 'three', null, true, '']],
  [number, [2.5, '2.5', '1e3', '0x10', [2.5], 'null']],
  [flag, [true, 'True', 'false', 'yes', 1, [false]]],
  [orNull(whole), [3, null, 'null', 'None', '3']],
  [texts, [['a', 'b'], '["a","b"]', "['a','b']", 'a', 'a,b', {}, { item: ['a'] }, null, '']],
  [listOf(whole), [[1, 2], ['1', '2'], '[1,2]', '1', 1, [[1, 2]]]],
  [listOf(person), [[ada], ada, JSON.stringify([ada]), [JSON.stringify(ada)], { person: ada }]],
  [person, [ada, JSON.stringify(ada), [ada], { person: ada }, { Name: 'Ada', age: '36' }, {}]],
  [mapOf(whole), [{ a: 1 }, { a: '1' }, '{"a":1}', null]],
  [anyOf(whole, texts), [3, '3', ['a'], '["a"]', 'a']],
  [anyOf(person, whole), [ada, '36', JSON.stringify(ada), { name: 'Ada', age: '36' }]],
];

const single: fc.Arbitrary<SentValue> = fc
  .constantFrom(...sentFor)
  .chain(([schema, values]) =>
    fc
      .oneof(fc.constantFrom(...values.slice(0, 1)), fc.constantFrom(...values))
      .map((value) => ({ schema, value })),
  );

/** Models write these about a call, too. */
const namesInCalls = ['tool_name', 'Input', 'function', 'ID'] as const;
const names = fc.constantFrom(
  'title',
  'max_results',
  'file_path',
  'tags',
  'options',
  ...namesInCalls,
);
const spellings = fc.constantFrom<(name: string) => string | undefined>(
  (name) => name,
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.replace('_', '-'),
  (name) => `${name}</arg_key>`,
  (name) => `${name}_value`,
  () => undefined,
);

interface SentObject extends SentValue {
  readonly value: JsonObject;
}

/** An object whose keys are as declared, spelt otherwise, or absent. */
const objectWith = (member: fc.Arbitrary<SentValue>): fc.Arbitrary<SentObject> =>
  fc
    .record({
      members: fc.uniqueArray(
        fc.record({ name: names, member, spell: spellings, isRequired: fc.boolean() }),
        { selector: ({ name }) => name, minLength: 1, maxLength: 5 },
      ),
      others: fc.constantFrom<JsonObject>({}, {}, {}, { verbose: true }, { options2: {} }),
      isClosed: fc.boolean(),
    })
    .map(({ members, others, isClosed }) => ({
      schema: objectOf(
        Object.fromEntries(members.map(({ name, member: { schema } }) => [name, schema])),
        members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        isClosed ? { additionalProperties: false } : {},
      ),
      value: {
        ...Object.fromEntries(
          members.flatMap(({ name, member: { value }, spell }) => {
            const key = spell(name);
            return key === undefined ? [] : [[key, value] as const];
          }),
        ),
        ...others,
      },
    }));

const inText = ({ schema, value }: SentValue): SentValue => ({
  schema,
  value: JSON.stringify(value),
});

const nested = objectWith(single);
const sentArguments = objectWith(
  fc.oneof(
    { weight: 4, arbitrary: single },
    { weight: 1, arbitrary: nested },
    { weight: 1, arbitrary: nested.map(inText) },
  ),
);

const envelopes = fc.constantFrom<(value: JsonObject) => JsonObject>(
  (value) => value,
  (value) => value,
  (value) => value,
  (value) => ({ arguments: value }),
  (value) => ({ payload: value }),
  (value) => ({ ...value, tool: 'note' }),
);

const effects = fc.constantFrom<'read' | 'write' | 'destructive'>('read', 'write', 'destructive');

/** The same rule, which is asked about any value and finds out by itself if it can act. */
const askedAlways = ({
  sentTypes: _sentTypes,
  keys: _keys,
  declaredTypes,
  ...rule
}: ValueRule): ValueRule => ({
  ...rule,
  propose(context) {
    const { view, isRoot } = context;
    const isDeclared = (type: JsonType): boolean =>
      view.types.has(type) && (!isRoot || type === 'object');
    return declaredTypes?.some(isDeclared) === false ? skip : rule.propose(context);
  },
});

const allAsked = (rules: ContractRules): ContractRules => ({
  ...rules,
  answering: (mismatch) => rules.answering(mismatch).map(askedAlways),
});

const shown = (result: RepairResult): string =>
  result.kind === 'repaired' ? JSON.stringify(result) : JSON.stringify(result.repairedPaths);

test('a plan repairs a call as all rules together do', () => {
  let repaired = 0;
  fc.assert(
    fc.property(sentArguments, envelopes, effects, ({ schema, value }, wrap, effect) => {
      const contract = defineTool({
        name: 'note',
        description: 'A note.',
        inputSchema: schema,
        effects: effect,
        execute: () => 'done',
      });
      const validator = validatorOf(contract);
      const sent = wrap(value);
      fc.pre(!validator.accepts(sent));
      const request = { value: sent, numbers: noLiterals, size: 1_000 };
      const planned =
        repairPlainly(validator, request) ?? repairByRules(validator, request, rulesOf(contract));
      const asked = repairByRules(validator, request, allAsked(rulesOf(contract)));
      expect(shown(planned)).toBe(shown(asked));
      if (planned.kind === 'repaired') repaired += 1;
    }),
    { numRuns: propertyRuns * 4 },
  );
  expect(repaired).toBeGreaterThan(propertyRuns);
});

// Which objects are declared, and sent? With members that are required, optional or absent, aliases, defaults, pairs.
import { fc } from '../../seeded-fast-check.ts';
import type { JsonObject, JsonSchema, JsonValue, SchemaObject } from 'toolmend';
import type { SchemaAndValue } from './schema-and-value.ts';

/** No two of them fold to the same key; some are what models call things that we know, or JavaScript's. */
const names =
  'name maxLines items tags value type edits toString query description path outputDir files user_id arguments x-y timeout item'.split(
    ' ',
  );

/** Of no declared key another spelling, and of none an alias. */
const undeclaredNames = ['extra', 'note_2', 'a/b', 'x.y[0]', '~', ''];

/** Another name that models use for a property. */
export const aliasOf = (name: string): string => `the ${name}`;

export interface Member {
  readonly name: string;
  readonly below: SchemaAndValue;
  readonly presence: 'required' | 'optional' | 'absent';
  readonly facts: readonly ('alias' | 'default' | 'described')[];
}

export const membersOf = (below: fc.Arbitrary<SchemaAndValue>): fc.Arbitrary<readonly Member[]> =>
  fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      below,
      presence: fc.constantFrom('required', 'required', 'optional', 'absent'),
      facts: fc.subarray(['alias', 'default', 'described'] as const, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 4, selector: ({ name }) => name },
  );

/** What is said of an object beside its members. */
export const saidOfObject = fc.record({
  additional: fc.constantFrom('unsaid', 'closed', 'closed', 'open', 'typed'),
  extra: fc.option(fc.constantFrom(...undeclaredNames)),
  together: fc.constantFrom('nothing', 'nothing', 'pair', 'dependent', 'condition'),
});

type SaidOfObject = typeof saidOfObject extends fc.Arbitrary<infer Said> ? Said : never;

/** The object schema of these members, and the object of those that are there. */
export function objectOf(
  members: readonly Member[],
  { additional, extra, together }: SaidOfObject,
): { readonly schema: SchemaObject; readonly value: JsonObject } {
  const present = members.filter(({ presence }) => presence !== 'absent');
  const extras: readonly (readonly [string, JsonValue])[] =
    extra === null || additional === 'closed' ? [] : [[extra, 7]];
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(members.map((member) => [member.name, declared(member)])),
      required: members.filter(({ presence }) => presence === 'required').map(({ name }) => name),
      ...(additional === 'closed' ? { additionalProperties: false } : {}),
      ...(additional === 'open' ? { additionalProperties: true } : {}),
      ...(additional === 'typed' ? { additionalProperties: { type: ['integer', 'null'] } } : {}),
      ...saidOfPair(present, together),
    },
    value: Object.fromEntries([...present.map(({ name, below }) => [name, below.value] as const), ...extras]),
  };
}

function declared({ name, below, facts }: Member): JsonSchema {
  const { schema, value } = below;
  if (typeof schema === 'boolean' || facts.length === 0) return schema;
  return {
    ...schema,
    ...(facts.includes('alias')
      ? { 'x-toolmend': { ...schema['x-toolmend'], aliases: [aliasOf(name)] } }
      : {}),
    ...(facts.includes('default') ? { default: value } : {}),
    ...(facts.includes('described') ? { description: `What ${name} is.` } : {}),
  };
}

/** Two members that belong together; both are there. */
function saidOfPair([first, second]: readonly Member[], together: SaidOfObject['together']): SchemaObject {
  if (first === undefined || second === undefined) return {};
  if (together === 'dependent') return { dependentRequired: { [first.name]: [second.name] } };
  if (together === 'condition') {
    return {
      if: { properties: { [first.name]: { const: first.below.value } }, required: [first.name] },
      // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: [second.name] },
    };
  }
  if (together !== 'pair') return {};
  const requires = [first.name, second.name];
  return { 'x-toolmend': { relational: [{ requires, defaults: { [second.name]: second.below.value } }] } };
}

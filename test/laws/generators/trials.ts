import type { JsonObject, SchemaObject, SentArguments, ToolContract } from 'toolmend';
import { CallGenerator } from '../../../src/testing/generate.ts';
import { fc } from '../../seeded-fast-check.ts';
import { locationsIn, valueAt, withValueAt } from '../locations.ts';
import { type ContractAndValue, schemaContracts } from './contracts.ts';
import { classContracts } from './decorated-classes.ts';

/** A contract, arguments that it accepts as sent, and calls with faults. */
export interface Trial {
  readonly contract: ToolContract;
  /** The contract's schema as JSON Schema 2020-12. */
  readonly schema: SchemaObject;
  readonly valid: JsonObject;
  readonly faulty: readonly FaultyCall[];
}

export interface FaultyCall {
  readonly sent: SentArguments;
  /** The only meaning; undefined if there may be several, or none. */
  readonly meant: JsonObject | undefined;
  /** The valid arguments that the faults were made in. */
  readonly base: JsonObject;
}

export const finishReasons = [undefined, 'length', 'stop', 'tool_calls'] as const;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const inObject = (make: (object: object) => unknown) => (value: unknown) =>
  isObject(value) ? make(value) : undefined;
const inText = (make: (text: string) => unknown) => (value: unknown) =>
  typeof value === 'string' ? make(value) : undefined;
const withMember = (key: string, member: unknown) =>
  inObject((object) => ({ ...object, [key]: member }));
const withKeys = (rename: (key: string) => string) =>
  inObject((object) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value])),
  );

/**
 * What models make of a value at any location, whatever it means there. undefined: not of this
 * value.
 */
const disturbances: readonly ((value: unknown) => unknown)[] = [
  () => null,
  () => ({}),
  () => 'None',
  () => '  ',
  () => 'a, b',
  (value) => [value],
  (value) => JSON.stringify(value),
  (value) => (Array.isArray(value) ? value[0] : undefined),
  (value) => (Array.isArray(value) ? { items: value } : undefined),
  (value) =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).join(', ') : undefined,
  inText((text) => text.toUpperCase()),
  inText((text) => `"${text}"`),
  inText((text) => `[${text}](https://${text})`),
  inObject((object) => Object.fromEntries(Object.entries(object).slice(1))),
  inObject((object) => ({ name: 'tried_tool', arguments: JSON.stringify(object) })),
  withMember('unheard_of', ''),
  withMember('unheard_of', { a: ['b'] }),
  withMember('constructor', { a: 1 }),
  inObject((object) => ({ ...object, _timeout_seconds: '5', Rationale: 'why' })),
  withKeys((key) => key.toUpperCase()),
  withKeys((key) => `the ${key}`),
];

/**
 * A disturbance at a location, both chosen by numbers; the value itself if none is possible there.
 */
export function disturbed(
  value: unknown,
  [kind, at]: readonly [kind: number, location: number],
): unknown {
  const locations = locationsIn(value);
  const keys = locations[at % locations.length] ?? [];
  const found = valueAt(value, keys);
  const possible = disturbances.filter((make) => make(found) !== undefined);
  const make = possible[kind % possible.length];
  return make === undefined ? value : withValueAt(value, keys, make(found));
}

/** Up to `count` calls with one to three faults: as text, and as a value if the text is JSON. */
function brokenCalls(contract: ToolContract, seed: number, count: number): readonly FaultyCall[] {
  const generator = new CallGenerator(contract, seed);
  return Array.from({ length: count }).flatMap((_call, index) => {
    const broken = generator.brokenArguments(1 + (index % 3));
    if (broken === undefined) return [];
    const { text, meant } = broken;
    const finishReason = finishReasons[(seed + index) % finishReasons.length];
    const sent =
      finishReason === undefined ? { arguments: text } : { arguments: text, finishReason };
    const values = valueOf(text).map((value) => ({ arguments: value }));
    return [sent, ...values].map((call) => ({ sent: call, meant, base: meant }));
  });
}

function valueOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}

const fewDisturbances = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 });

/** Compiling a contract takes as long as many calls, so each is tried with several. */
const choices = fc.record({
  seed: fc.nat(),
  disturbances: fc.array(fewDisturbances, { minLength: 5, maxLength: 5 }),
  cutAt: fc.double({ min: 0, max: 1, noNaN: true }),
  cutReason: fc.constantFrom(...finishReasons.slice(0, 2)),
});
type Choices = typeof choices extends fc.Arbitrary<infer Chosen> ? Chosen : never;

function trialOf({ contract, schema, value }: ContractAndValue, choice: Choices): Trial {
  const json = JSON.stringify(value);
  // An empty text would be a call without arguments.
  const cut = json.slice(0, 1 + Math.floor((json.length - 1) * choice.cutAt));
  const cutCall = choice.cutReason === undefined ? {} : { finishReason: choice.cutReason };
  const disturbedCalls = choice.disturbances.flatMap((made, index) => {
    const changed = made.reduce<unknown>(disturbed, value);
    const sent = index === 0 ? JSON.stringify(changed) : changed;
    const isSendable = isObject(changed) || Array.isArray(changed);
    return isSendable ? [{ sent: { arguments: sent }, meant: undefined, base: value }] : [];
  });
  const faulty = [
    ...brokenCalls(contract, choice.seed, 7),
    ...disturbedCalls,
    { sent: { arguments: cut, ...cutCall }, meant: value, base: value },
  ];
  return { contract, schema, valid: value, faulty };
}

/** Of contracts by schemas, and now and then by a decorated class. */
export const trials: fc.Arbitrary<Trial> = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: schemaContracts }, { weight: 1, arbitrary: classContracts }),
    choices,
  )
  .map(([found, choice]) => trialOf(found, choice));

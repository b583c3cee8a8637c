// What is a law tried on? A contract, arguments that it accepts, and calls with one to three mistakes in them.
import { fc } from '../../seeded-fast-check.ts';
import type { JsonObject } from 'toolmend';
import type { Mistake, Trial } from '../judge-trial.ts';
import { placesIn, valueAt, withValueAt } from '../places.ts';
import { type ContractAndValue, schemaContracts } from './contracts.ts';
import { classContracts } from './decorated-classes.ts';
import { finishReasons, textMistakes } from './text-mistakes.ts';
import { type ValueMistake, valueMistakes } from './value-mistakes.ts';

/** What to do to arguments, before they are known: numbers that choose a place, a kind and an end. */
const choice = fc.record({
  kind: fc.nat(),
  place: fc.nat(),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
});
type Choice = typeof choice extends fc.Arbitrary<infer Chosen> ? Chosen : never;

const chosen = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % items.length];

function withMistake(
  value: unknown,
  { kind, place }: Choice,
): { value: unknown; mistake: ValueMistake } | undefined {
  const way = chosen(placesIn(value), place) ?? [];
  const standing = valueAt(value, way);
  const able = valueMistakes.filter((mistake) => mistake.make(standing) !== undefined);
  const mistake = chosen(able, kind);
  return mistake && { mistake, value: withValueAt(value, way, mistake.make(standing)) };
}

function valueMistake(valid: JsonObject, choices: readonly Choice[]): readonly Mistake[] {
  let value: unknown = valid;
  const made: ValueMistake[] = [];
  for (const one of choices) {
    const next = withMistake(value, one);
    if (next === undefined || typeof next.value !== 'object' || next.value === null) continue;
    value = next.value;
    made.push(next.mistake);
  }
  const title = made.map((mistake) => mistake.title).join(', ');
  const isFaithful = made.length === 1 && made[0]?.isFaithful === true;
  return made.length === 0 ? [] : [{ title, sent: { arguments: value }, isFaithful }];
}

function textMistake(valid: JsonObject, { kind, place, at }: Choice): readonly Mistake[] {
  const json = JSON.stringify(valid);
  const able = textMistakes.filter((mistake) => mistake.make(json, at) !== undefined);
  const mistake = chosen(able, kind);
  const text = mistake?.make(json, at);
  if (mistake === undefined || text === undefined) return [];
  // What is cut is not said to be whole.
  const reasons = mistake.title === 'cut' ? finishReasons.slice(0, 2) : finishReasons;
  const finishReason = chosen(reasons, place);
  const sent = { arguments: text, ...(finishReason === undefined ? {} : { finishReason }) };
  return [{ title: mistake.title, sent, isFaithful: true }];
}

/** A value mistake in text: what was written, with its mistakes, as JSON. */
const asText = (mistakes: readonly Mistake[]): readonly Mistake[] =>
  mistakes.map(({ title, sent }) => ({
    title: `${title}, as text`,
    sent: { arguments: JSON.stringify(sent.arguments) },
    isFaithful: false,
  }));

/** Compiling a contract takes as long as many calls: each is tried with some. */
const choices = fc.record({
  single: fc.array(choice, { minLength: 5, maxLength: 5 }),
  several: fc.array(fc.array(choice, { minLength: 2, maxLength: 3 }), { minLength: 2, maxLength: 2 }),
  written: fc.array(choice, { minLength: 4, maxLength: 4 }),
});
type Choices = typeof choices extends fc.Arbitrary<infer Chosen> ? Chosen : never;

function trialOf(
  { contract, schema, value }: ContractAndValue,
  { single, several, written }: Choices,
): Trial {
  const one = single.flatMap((chosenOne) => valueMistake(value, [chosenOne]));
  const mistakes = [
    ...one,
    ...asText(one.slice(0, 2)),
    ...several.flatMap((chosenOnes) => valueMistake(value, chosenOnes)),
    ...written.flatMap((chosenOne) => textMistake(value, chosenOne)),
  ];
  return { contract, schema, valid: value, mistakes };
}

/** Contracts by schemas, and now and then by a decorated class. */
export const trials: fc.Arbitrary<Trial> = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: schemaContracts }, { weight: 1, arbitrary: classContracts }),
    choices,
  )
  .map(([found, chosenOnes]) => trialOf(found, chosenOnes));

// Do all laws hold for the calls of one trial?
import type { JsonObject, SchemaObject, SentArguments, ToolContract } from 'toolmend';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { independentValidator } from './independent-validator.ts';
import { type IndependentValidator, type Interpret, type JudgedCall, LawBroken } from './law.ts';
import { laws } from './laws.ts';

/** A contract, what it accepts as it is, and calls with mistakes in them. */
export interface Trial {
  readonly contract: ToolContract;
  /** The contract's schema as JSON Schema 2020-12, for a judge of its own. */
  readonly schema: SchemaObject;
  readonly valid: JsonObject;
  readonly mistakes: readonly Mistake[];
}

export interface Mistake {
  readonly title: string;
  readonly sent: SentArguments;
  /** There is no other reading than the valid value. */
  readonly isFaithful: boolean;
}

/** How often each law had something to say, by its id. */
export type LawCounts = Map<string, number>;

/** Throws LawBroken at the first breach. */
export function judgeTrial(trial: Trial, interpret: Interpret, counts: LawCounts): void {
  const { contract, schema, valid, mistakes } = trial;
  const around = { contract, interpret, judge: independentValidator(schema) };
  const isValid = around.judge.accepts(valid);
  for (const sent of [valid, reversed(valid), JSON.stringify(valid), JSON.stringify(valid, undefined, 2)]) {
    judgeCall({ ...around, sent: { arguments: sent }, isValid, meant: undefined, base: undefined }, counts);
  }
  for (const { sent, isFaithful } of mistakes) {
    const known = isValid
      ? { meant: isFaithful ? valid : undefined, base: valid }
      : { meant: undefined, base: undefined };
    judgeCall({ ...around, sent, isValid: false, ...known }, counts);
  }
}

/** The order of keys says nothing. */
const reversed = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).toReversed());

interface AskedCall extends Omit<JudgedCall, 'result'> {
  readonly judge: IndependentValidator;
}

/** Throws LawBroken at the first breach of any law; an exception is a breach too. */
export function judgeCall(asked: AskedCall, counts: LawCounts = new Map()): void {
  const sent = { ...asked.sent, arguments: deepFrozen(asked.sent.arguments) };
  const around = (): string => `\nsent: ${JSON.stringify(sent)}\ncontract: ${JSON.stringify(asked.contract)}`;
  let at = 'never_throws';
  try {
    const call: JudgedCall = { ...asked, sent, result: asked.interpret(asked.contract, sent) };
    for (const law of laws) {
      at = law.id;
      const verdict = law.judge(call);
      if (verdict === 'silent') continue;
      if (verdict !== 'holds') throw new LawBroken(law.id, `${verdict.breach}${around()}`);
      counts.set(law.id, (counts.get(law.id) ?? 0) + 1);
    }
  } catch (error) {
    if (error instanceof LawBroken) throw error;
    throw new LawBroken(at, `an exception: ${stackOf(error)}${around()}`);
  }
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

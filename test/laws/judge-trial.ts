import type { JsonObject } from 'toolmend';
import { deepFrozen } from '../repair/deep-frozen.ts';
import type { Trial } from './generators/trials.ts';
import { independentValidator } from './independent-validator.ts';
import { type Interpret, type JudgedCall, LawBroken } from './law.ts';
import { laws } from './laws.ts';

/** How often each law applied, by its id. */
export type LawCounts = Map<string, number>;

/** Throws LawBroken at the first breach. */
export function judgeTrial(trial: Trial, interpret: Interpret, counts: LawCounts): void {
  const { contract, schema, valid, faulty } = trial;
  const around = { contract, interpret, validator: independentValidator(schema) };
  const isValid = around.validator.accepts(valid);
  for (const sent of [
    valid,
    reversed(valid),
    JSON.stringify(valid),
    JSON.stringify(valid, undefined, 2),
  ]) {
    judgeCall(
      { ...around, sent: { arguments: sent }, isValid, meant: undefined, base: undefined },
      counts,
    );
  }
  for (const { sent, meant, base } of faulty) {
    const known = isValid ? { meant, base } : { meant: undefined, base: undefined };
    judgeCall({ ...around, sent, isValid: false, ...known }, counts);
  }
}

/** Another order of keys. */
const reversed = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).toReversed());

/** Throws LawBroken at the first breach of any law. An exception is a breach too. */
export function judgeCall(asked: Omit<JudgedCall, 'result'>, counts: LawCounts = new Map()): void {
  const sent = { ...asked.sent, arguments: deepFrozen(asked.sent.arguments) };
  const around = (): string =>
    `\nsent: ${JSON.stringify(sent)}\ncontract: ${JSON.stringify(asked.contract)}`;
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

import { interpret } from 'toolmend';
import { judgeCall } from '../laws/judge-trial.ts';
import { type Interpret, LawBroken } from '../laws/law.ts';
import { finishReasons } from '../laws/generators/trials.ts';
import { fc, propertySeed } from '../seeded-fast-check.ts';
import { recordedCalls } from './recorded-calls.ts';
import { schemaProperty } from './schema-property.ts';
import { edited, textEdits } from './text-edits.ts';

/** `FUZZ_SECONDS` gives each property this time instead of a number of runs. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0);
const limits = (numRuns: number) =>
  seconds > 0
    ? { numRuns: Number.MAX_SAFE_INTEGER, plugins: [fc.interruptAfterTimeLimit(seconds * 1000)] }
    : { numRuns };
const timeout = (seconds + 900) * 1000;

/**
 * Every law holds for each edited text of a recorded call, sent as text and, if it is JSON, as a
 * value.
 */
function textProperty(engine: Interpret) {
  const calls = recordedCalls(propertySeed, 200);
  const texts = calls.map(({ text }) => text);
  const call = fc.constantFrom(...calls);
  const finishReason = fc.option(fc.constantFrom(...finishReasons), {
    nil: 'as recorded',
    freq: 9,
  });
  return fc.property(call, textEdits(texts), finishReason, (recorded, edits, other) => {
    const text = edited(recorded.text, edits);
    const end = other === 'as recorded' ? recorded.finishReason : other;
    const around = {
      ...recorded,
      interpret: engine,
      isValid: false,
      meant: undefined,
      base: undefined,
    };
    const ended = end === undefined ? {} : { finishReason: end };
    for (const sent of [text, ...valueIn(text)])
      judgeCall({ ...around, sent: { arguments: sent, ...ended } });
  });
}

/** What a provider that parses the text itself would hand over. */
function valueIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? [value] : [];
  } catch {
    return [];
  }
}

test.each([
  [
    'no edited text of a recorded call breaks a law',
    () => fc.assert(textProperty(interpret), limits(2000)),
  ],
  [
    'every edited schema ends in a tool, a warning or a refusal',
    () => fc.assert(schemaProperty(new Map()), limits(300)),
  ],
])(`%s (seed ${propertySeed})`, (_title, holds) => holds(), timeout);

describe('faults planted in what the engine gives back', () => {
  const brokenLaw = (engine: Interpret): unknown =>
    fc.check(textProperty(engine), { numRuns: 20_000, endOnFailure: true }).errorInstance;

  test('a crash that no recorded call meets is found', () => {
    const error = brokenLaw((contract, call) => {
      if (JSON.stringify(call.arguments).includes('1e400')) throw new Error('planted');
      return interpret(contract, call);
    });
    expect(error).toBeInstanceOf(LawBroken);
    expect(error).toMatchObject({
      law: 'never_throws',
      message: expect.stringContaining('planted'),
    });
  });

  test('a record that is missing only far below the root is found', () => {
    const error = brokenLaw((contract, call) => {
      const result = interpret(contract, call);
      if (result.status !== 'repaired') return result;
      return {
        ...result,
        repairs: result.repairs.filter(({ path }) => path.split('/').length <= 3),
      };
    });
    expect(error).toMatchObject({ law: 'records_say_all' });
  });
});

test('edited texts are many, some JSON and most not', () => {
  const json = '{"path": "a.ts", "lines": [1, 2]}';
  const texts = fc.sample(textEdits([json]), 300).map((edits) => edited(json, edits));
  expect(new Set(texts).size).toBeGreaterThan(150);
  expect(texts.filter((text) => valueIn(text).length > 0).length).toBeGreaterThan(30);
  expect(texts.filter((text) => valueIn(text).length === 0).length).toBeGreaterThan(75);
});

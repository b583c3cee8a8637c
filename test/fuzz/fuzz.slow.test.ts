import { defineTool, interpret } from 'toolmend';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { judgeCall } from '../laws/judge-trial.ts';
import { LawBroken } from '../laws/law.ts';
import { type Engine, mutantEngine, type SourceMutant } from '../laws/mutant-engine.ts';
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

/** Every law holds for each edited text of a recorded call, sent as text and, if it is JSON, as a value. */
function textProperty(engine: Engine, tools: number) {
  const calls = recordedCalls(engine, propertySeed, tools);
  const texts = calls.map(({ text }) => text);
  const call = fc.constantFrom(...calls);
  const finishReason = fc.option(fc.constantFrom(...finishReasons), { nil: 'as recorded', freq: 9 });
  return fc.property(call, textEdits(texts), finishReason, (recorded, edits, other) => {
    const text = edited(recorded.text, edits);
    const end = other === 'as recorded' ? recorded.finishReason : other;
    const around = {
      ...recorded,
      interpret: engine.interpret,
      isValid: false,
      meant: undefined,
      base: undefined,
    };
    for (const sent of [text, ...valueIn(text)])
      judgeCall({
        ...around,
        sent: { arguments: sent, ...(end === undefined ? {} : { finishReason: end }) },
      });
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

test(
  `no edited text of a recorded call breaks a law (seed ${propertySeed})`,
  () => {
    fc.assert(textProperty({ interpret, defineTool }, 200), limits(2000));
  },
  timeout,
);

test(
  `every edited schema ends in a tool, a warning or a refusal (seed ${propertySeed})`,
  () => {
    fc.assert(schemaProperty(new Map()), limits(300));
  },
  timeout,
);

describe('faults planted in a copy of the engine', () => {
  const brokenLaw = async (planted: SourceMutant): Promise<unknown> => {
    const engine = await mutantEngine(temporaryFolder(), planted);
    const { errorInstance } = fc.check(textProperty(engine, 200), { numRuns: 20_000, endOnFailure: true });
    return errorInstance;
  };

  test('a crash that no recorded call meets is found', async () => {
    const original = 'export function proposeReadings({ text, end, loose }: TextContext): TextProposal {';
    const error = await brokenLaw({
      file: 'src/repair/text-rules/readings.ts',
      original,
      mutated: `${original} if (text.includes('1e400')) throw new Error('planted');`,
    });

    expect(error).toBeInstanceOf(LawBroken);
    expect(error).toMatchObject({ law: 'never_throws', message: expect.stringContaining('planted') });
  });

  test('a record that is wrong only far below the root is found', async () => {
    const error = await brokenLaw({
      file: 'src/repair/edits.ts',
      original: "op: 'replace', path, value",
      mutated: "op: 'replace', path: path.split('/').length > 3 ? '' : path, value",
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

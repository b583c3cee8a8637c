// The cases of the suite, made from test/cases: the files whose texts are ours, or facts of calls.
import { readFileSync } from 'node:fs';
import { levelOf } from './level-of.ts';
import type { RecordedCase } from './recorded-case.ts';

const names = [
  'systems',
  'reported',
  'reported-2',
  'reported-3',
  'reported-4',
  'reported-5-arguments',
  'adversarial',
  'attack',
  'attack-2',
  'mutants',
  'ours',
];

/** Cases that need the option `meta` of toolmend are left out: no other library has it. */
export const recordedCases = (): readonly RecordedCase[] =>
  names
    .flatMap((name) =>
      readFileSync(new URL(`../../test/cases/${name}.jsonl`, import.meta.url), 'utf8')
        .trim()
        .split('\n'),
    )
    .map((line): RecordedCase => JSON.parse(line))
    .filter(({ options }) => options?.meta !== true);

/** A line of suite/cases.jsonl, as suite/case.schema.json describes it. */
export function suiteLine(recorded: RecordedCase): string {
  const { id, source, model, tool, schema, effects, options, expect, why } = recorded;
  const { outcome, value = recorded.input, kinds = [] } = expect;
  const jsonText = kinds.flatMap((kind) => /^compare-parsed:(.*)$/.exec(kind)?.[1] ?? []);
  return JSON.stringify({
    id,
    level: levelOf(recorded),
    source,
    model: model ?? undefined,
    tool: { name: tool ?? 'tool', schema, effects },
    sent: sentBy(recorded),
    finishReason: recorded.finishReason ?? options?.finishReason,
    ...(outcome === 'rejected' ? { refuse: true } : { accept: value }),
    jsonText: jsonText.length === 0 ? undefined : jsonText,
    why,
  });
}

function sentBy({ input, inputText, answer }: RecordedCase): object {
  if (answer !== undefined) return { answer };
  return inputText === undefined ? { arguments: input } : { text: inputText };
}

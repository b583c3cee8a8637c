import { defineTool, interpret, type ToolContract } from 'toolmend';
import type { MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';
import { type TextFamily, textFamilies } from './text-families.ts';

const kilobyte = 1_024;
/** From 1 KB to the limit of an argument text. */
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096].map(
  (size) => size * kilobyte,
);

/** How many times as long twice the text may take. */
const mostPerDoubling = 2.6;

/**
 * All rounds of a family of texts take at most this time, but there are at least three and at most
 * seven.
 */
const allMilliseconds = 3_000;
const fewestRounds = 3;
const mostRounds = 7;

const tool = defineTool({
  name: 'note',
  description: 'A note.',
  inputSchema: {
    type: 'object',
    properties: {
      content: { type: 'string' },
      numbers: { type: 'array', items: { type: 'number' } },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: 'integer' }, title: { type: 'string' } },
          required: ['id', 'title'],
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  execute: () => 'done',
});

interface Growth {
  readonly name: string;
  readonly outcome: string;
  /** Milliseconds by size. */
  readonly times: readonly number[];
  /** The time of each size divided by that of half the size. */
  readonly doublings: readonly number[];
  /** The steepest doubling, against what is allowed there: more than 1 is too much. */
  readonly share: number;
}

export function textGrowth(settings: MeasureSettings): Section {
  const growths = textFamilies.map((family) => growthOf(tool, family, settings));
  const [worst] = growths.toSorted((left, right) => right.share - left.share);
  return {
    title: 'Argument text from 1 KB to 4 MiB',
    about:
      'Milliseconds from text to outcome, and the steepest doubling: how many times as long twice the text takes, at ' +
      'worst. Where `JSON.parse` of the same text is steeper than the goal, it is the goal there.',
    columns: ['text', 'outcome', '1 KB', '64 KB', '512 KB', '4 MiB', 'steepest doubling'],
    rows: growths.map((growth) => [
      growth.name,
      growth.outcome,
      ...[0, 6, 9, 12].map((at) => shown(growth.times[at] ?? Number.NaN)),
      shown(Math.max(...growth.doublings)),
    ]),
    goals: [
      {
        goal: `each doubling at most ${mostPerDoubling} times the time, or what JSON.parse takes`,
        measured: `${shown(Math.max(...(worst?.doublings ?? [])))} times (${worst?.name ?? 'none'})`,
        isMet: growths.every(({ share }) => share <= 1),
      },
    ],
  };
}

function growthOf(
  contract: ToolContract,
  { name, textOf }: TextFamily,
  { rounds, milliseconds }: MeasureSettings,
): Growth {
  const texts = sizes.map(textOf);
  const outcomes = new Set(texts.map((text) => interpret(contract, { arguments: text }).status));
  const measureAll = (): readonly number[] =>
    texts.map((text) =>
      millisecondsFor(() => interpret(contract, { arguments: text }), milliseconds),
    );
  // In the first round the compiler optimizes.
  if (rounds > 1) measureAll();
  const runs: (readonly number[])[] = [];
  const end = performance.now() + allMilliseconds;
  const fewest = Math.min(rounds, fewestRounds);
  while (
    runs.length < fewest ||
    (runs.length < Math.min(rounds, mostRounds) && performance.now() < end)
  )
    runs.push(measureAll());
  const times = fastest(runs);
  const doublings = doublingsOf(times);
  const allowed = allowedDoublings(texts, { rounds: fewest, milliseconds });
  const share = Math.max(
    ...doublings.map((doubling, at) => doubling / (allowed[at] ?? mostPerDoubling)),
  );
  return { name, outcome: [...outcomes].join(', '), times, doublings, share };
}

/** The fastest round of each size, without pauses of the machine. */
const fastest = (runs: readonly (readonly number[])[]): readonly number[] =>
  sizes.map((_, at) => Math.min(...runs.map((run) => run[at] ?? Number.NaN)));

const doublingsOf = (times: readonly number[]): readonly number[] =>
  times.slice(1).map((time, at) => time / (times[at] ?? Number.NaN));

/**
 * V8 keeps long strings in another space: JSON.parse can take five times as long for one of twice
 * the length.
 */
function allowedDoublings(
  texts: readonly string[],
  { rounds, milliseconds }: Omit<MeasureSettings, 'warmUp'>,
): readonly number[] {
  const [largest = ''] = texts.slice(-1);
  if (!isJson(largest)) return [];
  const runs = Array.from({ length: rounds }, () =>
    texts.map((text) => millisecondsFor((): unknown => JSON.parse(text), milliseconds)),
  );
  return doublingsOf(fastest(runs)).map((doubling) => Math.max(doubling, mostPerDoubling));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Repeats short runs, so that a pause of the machine doesn't count. */
function millisecondsFor(run: () => unknown, least: number): number {
  const start = performance.now();
  let count = 0;
  do {
    run();
    count += 1;
  } while (performance.now() - start < least);
  return (performance.now() - start) / count;
}

// How does the time grow with the text, up to the limit? Linearly, also where nothing can be repaired.
import { defineTool, interpret, type ToolContract } from 'toolmend';
import { median } from './measure.ts';
import { type Section, shown } from './section.ts';
import { type TextFamily, textFamilies } from './text-families.ts';

const kilobyte = 1_024;
/** From 64 KB to the limit of an argument text. */
const sizes = [64, 128, 256, 512, 1_024, 2_048, 4_096].map((size) => size * kilobyte);

/** How many times as long twice the text may take. */
const mostPerDoubling = 2.6;

/** Short texts are read this many milliseconds a round, so that a pause of the machine is no result. */
const leastMilliseconds = 20;
/** Rounds for the medians: as many as fit into these milliseconds, within bounds. */
const roundMilliseconds = 3_000;
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
}

export function textGrowth(): Section {
  const growths = textFamilies.map((family) => growthOf(tool, family));
  const worst = growths.toSorted((left, right) => steepest(right) - steepest(left))[0];
  const most = worst === undefined ? Number.NaN : steepest(worst);
  return {
    title: 'Argument text from 64 KB to 4 MiB',
    about:
      'Milliseconds from text to outcome, and the steepest doubling: how many times as long twice the text takes, at worst.',
    columns: ['text', 'outcome', '64 KB', '512 KB', '4 MiB', 'steepest doubling'],
    rows: growths.map((growth) => [
      growth.name,
      growth.outcome,
      ...[0, 3, 6].map((at) => shown(growth.times[at] ?? Number.NaN)),
      shown(steepest(growth)),
    ]),
    goals: [
      {
        goal: `each doubling at most ${mostPerDoubling} times the time`,
        measured: `${shown(most)} times (${worst?.name ?? 'none'})`,
        isMet: most <= mostPerDoubling,
      },
    ],
  };
}

const steepest = ({ doublings }: Growth): number => Math.max(...doublings);

function growthOf(contract: ToolContract, { name, textOf }: TextFamily): Growth {
  const texts = sizes.map(textOf);
  const outcomes = new Set(texts.map((text) => interpret(contract, { arguments: text }).outcome));
  const runs: (readonly number[])[] = [];
  const end = performance.now() + roundMilliseconds;
  while (runs.length < fewestRounds || (runs.length < mostRounds && performance.now() < end)) {
    runs.push(texts.map((text) => millisecondsFor(contract, text)));
  }
  const times = sizes.map((_, at) => median(runs.map((run) => run[at] ?? Number.NaN)));
  // Neighbours of one round: a machine that slows down between rounds slows both.
  const doublings = sizes
    .slice(1)
    .map((_, at) => median(runs.map((run) => (run[at + 1] ?? Number.NaN) / (run[at] ?? Number.NaN))));
  return { name, outcome: [...outcomes].join(', '), times, doublings };
}

function millisecondsFor(contract: ToolContract, text: string): number {
  const start = performance.now();
  let count = 0;
  do {
    interpret(contract, { arguments: text });
    count += 1;
  } while (performance.now() - start < leastMilliseconds);
  return (performance.now() - start) / count;
}

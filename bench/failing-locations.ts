import { defineTool, interpret } from 'toolmend';
import { measure, type MeasureSettings } from './measure.ts';
import type { SchemaObject } from './schema-object.ts';
import { type Section, shown } from './section.ts';

const counts = [1, 10, 100, 1_000, 10_000];
/** How many times as long twice as many places may take, over a step from one count to the next. */
const mostPerDoubling = 2.6;

interface Family {
  readonly name: string;
  readonly items: SchemaObject;
  readonly sent: (at: number) => unknown;
}

const record: SchemaObject = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['id', 'title'],
  additionalProperties: false,
};

const families: readonly Family[] = [
  { name: 'numbers as text', items: { type: 'integer' }, sent: String },
  { name: 'misspelt keys', items: record, sent: (at) => ({ Id: at, title: 'entry' }) },
  {
    name: 'lists as text',
    items: record,
    sent: (at) => ({ id: at, title: 'entry', tags: '["a","b"]' }),
  },
  {
    name: 'objects as text',
    items: record,
    sent: (at) => JSON.stringify({ id: at, title: 'entry' }),
  },
  {
    name: 'nulls at optional keys',
    items: record,
    sent: (at) => ({ id: at, title: 'entry', tags: null }),
  },
];

export function failingLocations(settings: MeasureSettings): Section {
  const measured = families.map((family) => ({ family, times: timesOf(family, settings) }));
  const steps = measured.flatMap(({ family, times }) =>
    times.slice(1).map((time, at) => {
      const doublings = Math.log2((counts[at + 1] ?? 0) / (counts[at] ?? 1));
      return {
        name: family.name,
        perDoubling: (time / (times[at] ?? Number.NaN)) ** (1 / doublings),
      };
    }),
  );
  const [worst] = steps.toSorted((left, right) => right.perDoubling - left.perDoubling);
  return {
    title: 'Repair as more places fail',
    about: 'Microseconds from text to repaired value, by the number of failing places in one list.',
    columns: ['each place has', ...counts.map((count) => count.toLocaleString('en'))],
    rows: measured.map(({ family, times }) => [family.name, ...times.map(shown)]),
    goals: [
      {
        goal: `twice as many failing places at most ${mostPerDoubling} times the time`,
        measured: `${shown(worst?.perDoubling ?? Number.NaN)} times (${worst?.name ?? 'none'})`,
        isMet: steps.every(({ perDoubling }) => perDoubling <= mostPerDoubling),
      },
    ],
  };
}

function timesOf({ items, sent }: Family, settings: MeasureSettings): readonly number[] {
  const tool = defineTool({
    name: 'note',
    description: 'A note.',
    inputSchema: {
      type: 'object',
      properties: { entries: { type: 'array', items } },
      required: ['entries'],
      additionalProperties: false,
    },
    execute: () => 'done',
  });
  const subjects = counts.map((count) => {
    const call = {
      arguments: JSON.stringify({ entries: Array.from({ length: count }, (_, at) => sent(at)) }),
    };
    const { status } = interpret(tool, call);
    if (status !== 'repaired') throw new Error(`${count} failing places are ${status}`);
    return { name: String(count), run: () => interpret(tool, call) };
  });
  return measure(subjects, settings).map(({ microseconds }) => microseconds);
}

import {
  ArrayMaxSize,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ArrayOf, Describe, PathField, Tool, ToolRegistry } from 'toolmend';
import { decorate } from './argument-classes.ts';
import { median, type MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

const sizes = [100, 250, 500, 1_000];
const mostRounds = 5;

/** How many times as long twice as many tools may take. Quadratic growth would be 4. */
const mostPerDoubling = 2.6;
/** The share of the first export that a second one may cost. */
const mostOfFirst = 0.01;

interface Times {
  readonly register: number;
  readonly first: number;
  readonly second: number;
}

export function registration(settings: MeasureSettings): Section {
  const rounds = Math.min(mostRounds, settings.rounds);
  const runs = Array.from({ length: rounds + 1 }, () => sizes.map(timesFor)).slice(1);
  const medians = sizes.map((_, at) => medianTimes(runs.map((run) => run[at])));
  const perTool = medians.map(({ register, first }, at) => (register + first) / (sizes[at] ?? 1));
  const doubling = perDoubling(medians.map(({ register, first }) => register + first));
  const largest = medians.at(-1);
  const again =
    (largest?.second ?? Number.NaN) / ((largest?.register ?? 0) + (largest?.first ?? 0));
  return {
    title: 'Registering generated tool classes and exporting their schemas',
    about:
      'Milliseconds; each class is new, has six fields, and is decorated before the clock starts.',
    columns: [
      'tools',
      'register',
      'first export',
      'second export',
      'register and export, per tool',
    ],
    rows: medians.map(({ register, first, second }, at) => [
      String(sizes[at]),
      ...[register, first, second, perTool[at] ?? 0].map((time) => time.toFixed(3)),
    ]),
    goals: [
      {
        goal: `linear: from 100 to 1,000, twice as many tools at most ${mostPerDoubling} times the time`,
        measured: `${shown(doubling)} times`,
        isMet: doubling <= mostPerDoubling,
      },
      {
        goal: `the second export at most ${mostOfFirst * 100}% of the first time`,
        measured: `${(again * 100).toFixed(2)}%`,
        isMet: again <= mostOfFirst,
      },
    ],
  };
}

/** The mean factor of one doubling from the fewest tools to the most. */
function perDoubling(times: readonly number[]): number {
  const [few = 0, many = 0] = [sizes[0], sizes.at(-1)];
  const growth = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
  return growth ** (1 / Math.log2(many / few));
}

function timesFor(size: number): Times {
  const classes = Array.from({ length: size }, (_, at) => toolClass(at));
  const start = performance.now();
  const registry = new ToolRegistry().register(...classes);
  const registered = performance.now();
  registry.schemas('openai');
  const exported = performance.now();
  const again = registry.schemas('openai');
  const end = performance.now();
  if (again.length !== size) throw new Error(`${again.length} of ${size} tools are shown`);
  return { register: registered - start, first: exported - registered, second: end - exported };
}

/** A decorated class of six fields. */
export function toolClass(at: number): new () => object {
  const Class = class {
    execute(): string {
      return 'done';
    }
  };
  decorate(Class, {
    path: [IsString(), PathField(), Describe('A workspace-relative path.')],
    query: [IsString(), MaxLength(200)],
    limit: [IsOptional(), IsInt(), Min(1), Max(1000)],
    order: [IsIn(['newest', 'oldest', 'best'])],
    tags: [ArrayOf(String), ArrayMaxSize(10)],
    [`only_${at}`]: [IsOptional(), IsString()],
  });
  Tool({ name: `tool_${at}`, description: `Tool number ${at}.` })(Class);
  return Class;
}

const medianTimes = (times: readonly (Times | undefined)[]): Times => ({
  register: median(times.map((time) => time?.register ?? Number.NaN)),
  first: median(times.map((time) => time?.first ?? Number.NaN)),
  second: median(times.map((time) => time?.second ?? Number.NaN)),
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type MeasureSettings, median } from './measure.ts';
import { type Section, shown } from './section.ts';

/** Milliseconds of a machine like that of the tables. */
const mostForRepaired = 5;

interface FirstCalls {
  readonly valid: number;
  readonly repaired?: number;
  readonly others: number;
}

const libraries = ['toolmend', 'ajv', 'zod'] as const;
type Library = (typeof libraries)[number];

/** The first calls of new processes, which run code that the engine has not optimized. */
export function firstCalls({ rounds }: MeasureSettings): Section {
  const runs = Array.from({ length: rounds }, () => ({
    toolmend: firstCallsWith('toolmend'),
    ajv: firstCallsWith('ajv'),
    zod: firstCallsWith('zod'),
  }));
  const typical = (library: Library, call: keyof FirstCalls): number =>
    median(runs.map((run) => run[library][call] ?? Number.NaN)) / 1_000;
  const row = (name: string, call: keyof FirstCalls): readonly string[] => [
    name,
    ...libraries.map((library) => {
      const time = typical(library, call);
      return Number.isNaN(time) ? '–' : shown(time);
    }),
  ];
  const timesAjv = typical('toolmend', 'others') / typical('ajv', 'others');
  return {
    title: 'The first calls of a process',
    about:
      'Milliseconds of processor time after the import, the medians of new processes: define or compile a tool and ' +
      'check its first call. Ajv and zod repair nothing.',
    columns: ['', 'toolmend', 'Ajv, compiled', 'zod 4'],
    rows: [
      row('the first valid call', 'valid'),
      row('the first call that is repaired, after it', 'repaired'),
      row('200 further tools, the first call of each', 'others'),
    ],
    goals: [
      {
        goal: '200 tools and the first call of each: less time than Ajv takes to compile their schemas',
        measured: `${shown(timesAjv)} times`,
        isMet: timesAjv < 1,
      },
      {
        goal: `the first call that is repaired: at most ${mostForRepaired} ms`,
        measured: `${shown(typical('toolmend', 'repaired'))} ms`,
        isMet: typical('toolmend', 'repaired') <= mostForRepaired,
      },
    ],
  };
}

function firstCallsWith(library: Library): FirstCalls {
  const program = join(import.meta.dirname, 'first-call-program.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [program, library], { encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

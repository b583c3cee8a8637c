import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type MeasureSettings, median } from './measure.ts';
import { type Goal, type Section, shown } from './section.ts';

/**
 * Times the time that Ajv takes for as many tools. When Ajv was toolmend's validator, a first
 * repaired call took four times as long, register and export twice, and with the first calls four
 * times.
 */
const mostForRepaired = 0.83;
const mostForExport = 0.39;
const mostForClasses = 0.56;

/** As many as the program makes. */
const tools = 200;

interface FirstCalls {
  readonly valid: number;
  readonly repaired?: number;
  /** 200 further tools, and the first call of each. */
  readonly others: number;
  /** 200 decorated classes: register and export. */
  readonly exported?: number;
  /** The same with the first call of each. */
  readonly classes?: number;
}

const libraries = ['toolmend', 'ajv', 'zod'] as const;
type Library = (typeof libraries)[number];

/** The first calls of new processes, which run code that the engine has not optimized. */
export function firstCalls({ rounds }: MeasureSettings): Section {
  const runs = Array.from({ length: rounds }, () => ({
    toolmend: { ...firstCallsWith('toolmend'), ...firstCallsWith('classes') },
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
  const goalOf = (goal: string, call: keyof FirstCalls, most: number, calls = tools): Goal => {
    const times = (typical('toolmend', call) / typical('ajv', 'others')) * (tools / calls);
    return {
      goal: `${goal}: at most ${most} times what Ajv takes for ${calls === 1 ? 'one of 200 tools' : '200 tools'}`,
      measured: `${shown(times)} times`,
      isMet: times <= most,
    };
  };
  return {
    title: 'The first calls of a process',
    about:
      'Milliseconds of processor time after the import, the medians of new processes: define or compile a tool and ' +
      'check its first call. Ajv and zod repair nothing. The classes have a process of their own.',
    columns: ['', 'toolmend', 'Ajv, compiled', 'zod 4'],
    rows: [
      row('the first valid call', 'valid'),
      row('the first call that is repaired, after it', 'repaired'),
      row('200 further tools, the first call of each', 'others'),
      row('200 classes, registered and exported', 'exported'),
      row('200 classes, registered, exported and called once each', 'classes'),
    ],
    goals: [
      goalOf('the first call that is repaired', 'repaired', mostForRepaired, 1),
      goalOf('200 further tools', 'others', 1),
      goalOf('200 classes, registered and exported', 'exported', mostForExport),
      goalOf('200 classes, called as well', 'classes', mostForClasses),
    ],
  };
}

function firstCallsWith(library: Library | 'classes'): FirstCalls {
  const program = join(import.meta.dirname, 'first-call-program.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [program, library], { encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { MeasureSettings } from './measure.ts';
import { type Goal, type Section, shown } from './section.ts';

/** Times the time of zod, which applications import for less. */
const mostOfZod = 1;
const mostOfZodForRepair = 0.7;

const subjects: Readonly<Record<string, readonly string[]>> = {
  'zod 4': ['zod'],
  'ajv and ajv-formats': ['ajv/dist/2020.js', 'ajv-formats'],
  ai: ['ai'],
  'class-validator and class-transformer': ['class-validator', 'class-transformer'],
  toolmend: ['toolmend'],
  'toolmend/repair': ['toolmend/repair'],
  'toolmend/openai': ['toolmend', 'toolmend/openai'],
  'toolmend/anthropic': ['toolmend', 'toolmend/anthropic'],
};

export function coldImport({ rounds }: MeasureSettings): Section {
  const names = Object.keys(subjects);
  const measured = new Map(names.map((name) => [name, [] as number[]]));
  // The first round fills the file system's caches.
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const time = microsecondsToImport(subjects[name] ?? []);
      if (round >= 0) measured.get(name)?.push(time);
    }
  }
  const fastest = (name: string): number => Math.min(...(measured.get(name) ?? []));
  const times = (name: string): number => fastest(name) / fastest('zod 4');
  return {
    title: 'Importing toolmend for the first time',
    about: `Milliseconds of processor time in a new process, without its start; the fastest of ${rounds}.`,
    columns: ['', 'ms', 'times zod 4'],
    rows: names.map((name) => [name, shown(fastest(name) / 1_000), shown(times(name))]),
    goals: [
      goalOf('toolmend', times('toolmend'), mostOfZod),
      goalOf('toolmend/repair', times('toolmend/repair'), mostOfZodForRepair),
    ],
  };
}

const goalOf = (name: string, times: number, most: number): Goal => ({
  goal: `${name}: at most ${most} times zod 4`,
  measured: `${shown(times)} times`,
  isMet: times <= most,
});

function microsecondsToImport(modules: readonly string[]): number {
  const program = `
    const before = process.cpuUsage();
    for (const name of ${JSON.stringify(modules)}) await import(name);
    const { user, system } = process.cpuUsage(before);
    console.log(user + system);`;
  const options = { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' as const };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program],
    options,
  );
  const microseconds = Number(stdout);
  if (stdout.trim() === '' || Number.isNaN(microseconds)) throw new Error(stderr);
  return microseconds;
}

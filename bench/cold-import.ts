import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

/** Times the time of its own dependencies. */
const mostOfDependencies = 1.5;
const mostOfRepair = 1.3;

const dependencies = [
  'reflect-metadata',
  'class-transformer',
  'class-validator',
  'ajv/dist/2020.js',
];

const subjects: Readonly<Record<string, readonly string[]>> = {
  'its dependencies': dependencies,
  toolmend: ['toolmend'],
  'toolmend/repair': ['toolmend/repair'],
  'toolmend/openai': ['toolmend', 'toolmend/openai'],
  'toolmend/anthropic': ['toolmend', 'toolmend/anthropic'],
};

export function coldImport({ rounds }: MeasureSettings): Section {
  const names = Object.keys(subjects);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  // The first round fills the file system's caches.
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const time = microsecondsToImport(subjects[name] ?? []);
      if (round >= 0) times.get(name)?.push(time);
    }
  }
  const fastest = (name: string): number => Math.min(...(times.get(name) ?? []));
  const parts = (name: string): number => fastest(name) / fastest('its dependencies');
  return {
    title: 'Importing toolmend for the first time',
    about: `Milliseconds in a new process, without its start; the fastest of ${rounds}.`,
    columns: ['', 'ms', 'times its dependencies'],
    rows: names.map((name) => [name, shown(fastest(name) / 1_000), shown(parts(name))]),
    goals: [
      {
        goal: `at most ${mostOfDependencies} times its own dependencies together`,
        measured: `${shown(parts('toolmend'))} times`,
        isMet: parts('toolmend') <= mostOfDependencies,
      },
      {
        goal: `toolmend/repair, which has none: at most ${mostOfRepair} times the dependencies of toolmend`,
        measured: `${shown(parts('toolmend/repair'))} times`,
        isMet: parts('toolmend/repair') <= mostOfRepair,
      },
    ],
  };
}

function microsecondsToImport(modules: readonly string[]): number {
  const program = `
    const start = performance.now();
    for (const name of ${JSON.stringify(modules)}) await import(name);
    console.log(performance.now() - start);`;
  const options = { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' as const };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program],
    options,
  );
  const milliseconds = Number(stdout);
  if (stdout.trim() === '' || Number.isNaN(milliseconds)) throw new Error(stderr);
  return milliseconds * 1_000;
}

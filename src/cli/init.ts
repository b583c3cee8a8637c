import { createInterface } from 'node:readline/promises';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { type InitPlan, type ProjectFile, planFor } from './init-files.ts';
import { type ProjectKind, type TestRunner, readProject } from './init-project.ts';
import { type Streams, flagOption, parseCommand, refuseUsage } from './report.ts';

export const initUsage = `Usage: toolmend init [FOLDER] [--yes]

Writes a tool and its test into a project, and the compiler settings that they need: for NestJS, Next.js, the
AI SDK, TypeScript or JavaScript, with vitest, jest or Node's test runner, as package.json and tsconfig.json
say. Shows what it would write, and asks. A file that is there already stays as it is.

  --yes   writes without asking

Exit code: 2 if the folder is no project, 1 if nothing was written because nobody said yes, else 0.
`;

const kindNames: Readonly<Record<ProjectKind, string>> = {
  nest: 'NestJS',
  next: 'Next.js',
  'ai-sdk': 'AI SDK',
  typescript: 'TypeScript',
  javascript: 'JavaScript',
};

const runnerNames: Readonly<Record<TestRunner, string>> = {
  vitest: 'vitest',
  jest: 'jest',
  'node:test': "Node's test runner",
};

/** Shows the files for a project, asks, and writes them. */
export async function runInit(args: readonly string[], streams: Streams): Promise<number> {
  const commandLine = parseCommand('init', args, { yes: flagOption });
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  const { values, positionals } = commandLine;
  const [folder = '.', ...others] = positionals;
  if (others.length > 0) return refuseUsage(streams, 'init takes one folder');
  const project = await readProject(folder);
  if (typeof project === 'string') return refuseUsage(streams, project);

  const { stdout, stdin } = streams;
  const plan = await withoutExisting(folder, planFor(project));
  stdout.write(`${kindNames[project.kind]}, tests by ${runnerNames[project.testRunner]}\n\n`);
  for (const path of plan.existing)
    stdout.write(`${path} is there already and stays as it is.\n\n`);
  for (const file of plan.files) stdout.write(`${differenceOf(file)}\n`);
  if (plan.files.length > 0 && values.yes !== true && !(await isConfirmed(stdin, streams))) {
    stdout.write('Nothing was written. toolmend init --yes writes without asking.\n');
    return 1;
  }
  for (const file of plan.files) await write(folder, file);
  stdout.write(
    plan.files.length === 0
      ? 'Nothing is left to write.\n\nNext:\n'
      : `Written: ${plan.files.map(({ path }) => path).join(', ')}\n\nNext:\n`,
  );
  stdout.write(plan.nextSteps.map((step) => `  ${step}\n`).join(''));
  return 0;
}

interface OpenPlan extends InitPlan {
  /** Paths of files that stay as they are. */
  readonly existing: readonly string[];
}

async function withoutExisting(folder: string, plan: InitPlan): Promise<OpenPlan> {
  const existing: string[] = [];
  for (const { path, before } of plan.files) {
    const isThere = await stat(join(folder, path)).catch(() => undefined);
    if (before === undefined && isThere !== undefined) existing.push(path);
  }
  return {
    ...plan,
    existing,
    files: plan.files.filter(({ path }) => !existing.includes(path)),
  };
}

/** A new file is never written over another, a changed one is as it was when it was read. */
async function write(folder: string, { path, before, text }: ProjectFile): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text, { flag: before === undefined ? 'wx' : 'w' });
}

const contextLines = 2;

/** A new file as added lines; of a changed one, the lines that differ with those around them. */
function differenceOf({ path, before, text }: ProjectFile): string {
  const lines = text.trimEnd().split('\n');
  if (before === undefined)
    return `new file ${path}\n${lines.map((line) => `+ ${line}\n`).join('')}`;
  const oldLines = before.trimEnd().split('\n');
  const first = lines.findIndex((line, index) => line !== oldLines[index]);
  const shorter = Math.min(lines.length, oldLines.length) - first;
  const fromEnd = lines.toReversed().findIndex((line, index) => line !== oldLines.at(-1 - index));
  const tail = fromEnd === -1 ? shorter : Math.min(fromEnd, shorter);
  const from = Math.max(0, first - contextLines);
  const end = lines.length - tail;
  const shownLines = [
    ...lines.slice(from, first).map((line) => `  ${line}\n`),
    ...oldLines.slice(first, oldLines.length - tail).map((line) => `- ${line}\n`),
    ...lines.slice(first, end).map((line) => `+ ${line}\n`),
    ...lines.slice(end, end + contextLines).map((line) => `  ${line}\n`),
  ];
  return `${path}, line ${from + 1}\n${shownLines.join('')}`;
}

/** Only a person at a terminal is asked. */
async function isConfirmed(input: Readable | undefined, { stdout }: Streams): Promise<boolean> {
  if (input === undefined || !('isTTY' in input) || input.isTTY !== true) return false;
  const output = new Writable({
    write(text, _encoding, done) {
      stdout.write(String(text));
      done();
    },
  });
  const terminal = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await terminal.question('Write these files? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

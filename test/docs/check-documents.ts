import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from '../checks/run-command.ts';
import type { Files } from '../checks/temporary-folder.ts';
import { buildCopy, copyOfProject } from '../examples/built-copy.ts';
import { isCommandOrSetting } from './commands-and-settings.ts';
import { type DocBlock, readDocBlocks, regionOf } from './doc-blocks.ts';

interface PlacedBlock extends DocBlock {
  readonly where: string;
  /** The program in the block, or the one that printed it; relative to the project. */
  readonly program: string | undefined;
}

/**
 * Compiles and runs every program in a built copy of the project, and compares every output.
 * `documents`: Markdown by path. `files`: further files of the copy. A problem is
 * `README.md:12: what is wrong`; `blocks` is their number.
 */
export function checkDocuments(documents: Files, files: Files = {}) {
  const blocks = Object.entries(documents).flatMap(([name, text]) =>
    readDocBlocks(text).map((block) => place(name, block)),
  );
  const loose = blocks.filter(
    ({ language, origin }) => language === 'ts' && origin.kind === 'none',
  );
  const programs = Object.fromEntries(loose.map(({ program, text }) => [program ?? '', text]));
  const copy = copyOfProject({ ...files, ...programs });
  const { compilerOutput } = buildCopy(copy);
  const run = runOnce(copy);
  const problems = blocks.flatMap((block) =>
    problemsOf(block, { copy, compilerOutput, run }).map((what) => `${block.where}: ${what}`),
  );
  return { problems, blocks: blocks.length };
}

function place(name: string, block: DocBlock): PlacedBlock {
  const { line, origin } = block;
  const own = `examples/${name.replace(/\W+/g, '-')}-${line}.ts`;
  const written = 'path' in origin ? origin.path : undefined;
  const program = written ?? (block.language === 'ts' ? own : undefined);
  return { ...block, where: `${name}:${line}`, program };
}

interface Project {
  readonly copy: string;
  readonly compilerOutput: string;
  readonly run: (program: string) => CommandResult;
}

function runOnce(copy: string): Project['run'] {
  const results = new Map<string, CommandResult>();
  return (program) => {
    const compiled = `dist-${program.replace(/\.ts$/, '.js')}`;
    const result = results.get(program) ?? runCommand(copy, process.execPath, [compiled]);
    results.set(program, result);
    return result;
  };
}

function problemsOf(block: PlacedBlock, project: Project): readonly string[] {
  const { language, origin } = block;
  if (language === 'ts')
    return [...quotationProblems(block, project), ...programProblems(block, project)];
  if (language === 'text' && origin.kind === 'output') return outputProblems(block, project);
  if (language === 'text' && origin.kind === 'error') return []; // troubleshooting.test.ts compares toolmend's own
  if (isCommandOrSetting(block)) return []; // commands-and-settings.test.ts reads them
  return [
    `a block of “${language}” ${language === 'text' ? 'has no origin' : 'cannot be checked'}`,
  ];
}

/** Compares a quoted block with its file, or with that region of it. */
function quotationProblems({ origin, text }: PlacedBlock, { copy }: Project): readonly string[] {
  if (!('path' in origin)) return [];
  const path = join(copy, origin.path);
  if (!existsSync(path)) return [`${origin.path} does not exist`];
  const whole = readFileSync(path, 'utf8');
  const region = origin.kind === 'file' ? origin.region : undefined;
  const quoted = region === undefined ? whole : regionOf(whole, region);
  return quoted === text ? [] : [`differs from ${origin.path}`];
}

function programProblems(
  { program }: PlacedBlock,
  { compilerOutput, run }: Project,
): readonly string[] {
  if (program === undefined) return ['is not a program'];
  const problems = compilerOutput.split('\n').filter((line) => line.startsWith(`${program}(`));
  if (problems.length > 0) return problems.map((line) => `does not compile: ${line}`);
  const { status, output } = run(program);
  return status === 0 ? [] : [`ends with code ${status}: ${output}`];
}

function outputProblems({ program = '', text }: PlacedBlock, { run }: Project): readonly string[] {
  const { output } = run(program);
  return output.trimEnd() === text.trimEnd() ? [] : [`is not what ${program} prints: ${output}`];
}

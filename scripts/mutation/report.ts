/** The parts of Stryker's report that are printed, https://github.com/stryker-mutator/mutation-testing-elements. */
export interface MutationReport {
  readonly files: { readonly [path: string]: MutatedFile };
}

interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Score {
  readonly killed: number;
  readonly survived: number;
}

const isKilled = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';
const isSurvivor = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';

function scoreOf(files: readonly MutatedFile[]): Score {
  const mutants = files.flatMap((file) => file.mutants);
  return { killed: mutants.filter(isKilled).length, survived: mutants.filter(isSurvivor).length };
}

function row(name: string, { killed, survived }: Score): string {
  const mutants = killed + survived;
  return `| ${name} | ${mutants} | ${killed} | ${((100 * killed) / Math.max(mutants, 1)).toFixed(1)} |`;
}

/** A Markdown table with a row for each file, the one with the most survivors first, and one for the folder. */
export function tableOf({ files }: MutationReport, folder: string): readonly string[] {
  const rows = Object.entries(files)
    .map(([path, file]) => ({ path, score: scoreOf([file]) }))
    .toSorted((one, other) => other.score.survived - one.score.survived)
    .map(({ path, score }) => row(path, score));
  const head = ['| file | mutants | killed | score |', '| --- | --- | --- | --- |'];
  return [...head, ...rows, row(folder, scoreOf(Object.values(files)))];
}

/** A line for each change that no test noticed: its position, the original and the replacement. */
export function survivorsOf({ files }: MutationReport): readonly string[] {
  return Object.entries(files).flatMap(([path, { source, mutants }]) =>
    mutants.filter(isSurvivor).map(({ location: { start, end }, replacement, mutatorName, status }) => {
      const lines = source.split('\n').slice(start.line - 1, end.line);
      const last = lines.length - 1;
      const original = lines
        .map((line, at) =>
          line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined),
        )
        .map((line) => line.trim())
        .join(' ');
      const what = `${original} -> ${(replacement ?? mutatorName).replaceAll(/\s+/g, ' ')}`;
      return `${path}:${start.line}:${start.column} ${status === 'NoCoverage' ? '(never run) ' : ''}${what}`;
    }),
  );
}

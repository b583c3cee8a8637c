import { ToolmendError } from './errors.ts';

/** One mistake in a definition. */
export interface DefinitionProblem {
  /** The place: `ReadFiles.paths`, a tool's name, or the function that was called. */
  readonly where: string;
  /** What is wrong, as a clause: `has no type`. */
  readonly what: string;
  /** What to write instead, as an imperative clause: `write @ArrayOf(String)`. */
  readonly instead: string;
}

/**
 * Thrown for developers' mistakes, as early as possible, with all problems at once: contradictory
 * or incomplete definitions, unknown or invalid options, a call that is still in its provider's
 * envelope.
 */
export class DefinitionError extends ToolmendError {
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    super('definition', problems.map(sentenceOf).join('\n'));
    this.problems = problems;
  }
}

export const definitionError = (where: string, what: string, instead: string): DefinitionError =>
  new DefinitionError([{ where, what, instead }]);

const sentenceOf = ({ where, what, instead }: DefinitionProblem): string =>
  `${where} ${what}: ${instead}.`;

/** Reports one problem. See `DefinitionProblem` for `what` and `instead`. */
export type ReportProblem = (what: string, instead: string) => void;

/** Collects the problems of a definition, each once. */
export interface DefinitionProblems {
  readonly problems: readonly DefinitionProblem[];
  /** `name`: of the class or the tool. */
  at(name: string, member?: string): ReportProblem;
}

export function definitionProblems(): DefinitionProblems {
  const problems: DefinitionProblem[] = [];
  return {
    problems,
    at: (name, member) => (what, instead) => {
      const where = member === undefined ? name : `${name}.${member}`;
      const isKnown = problems.some((problem) => problem.where === where && problem.what === what);
      if (!isKnown) problems.push({ where, what, instead });
    },
  };
}

/**
 * The result of `make`; undefined if it threw a DefinitionError, whose problems are added to
 * `problems`.
 */
export function collectProblems<Made>(
  make: () => Made,
  problems: DefinitionProblem[],
): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

import { ToolmendError } from './errors.ts';

/** One mistake in a definition. */
export interface DefinitionProblem {
  /** What is wrong: `ReadFiles.paths`, the tool's name, or the function that was called. */
  readonly where: string;
  /** What is wrong with it, as a clause: `has no type`. */
  readonly what: string;
  /** What to write instead, as an imperative clause: `write @ArrayOf(String)`. */
  readonly instead: string;
}

/**
 * Thrown for a developer's mistake, as early as it can be known, with everything that is wrong: definitions that contradict
 * themselves or leave something open, unknown and ill-valued options, a call that is passed as its provider nests it.
 */
export class DefinitionError extends ToolmendError {
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    super('definition', problems.map(sentenceOf).join('\n'));
    this.problems = problems;
  }
}

const sentenceOf = ({ where, what, instead }: DefinitionProblem): string => `${where} ${what}: ${instead}.`;

/** Reports one problem of a class, a member or a tool. */
export type ReportProblem = (what: string, instead: string) => void;

/** Collects the problems of a definition, each of them once. */
export interface DefinitionProblems {
  readonly problems: readonly DefinitionProblem[];
  /** `name`: of a class or a tool. */
  at(name: string, member?: string): ReportProblem;
}

export function definitionProblems(): DefinitionProblems {
  const problems: DefinitionProblem[] = [];
  return {
    problems,
    at: (name, member) => (what, instead) => {
      const where = member === undefined ? name : `${name}.${member}`;
      const isKnown = problems.some((known) => known.where === where && known.what === what);
      if (!isKnown) problems.push({ where, what, instead });
    },
  };
}

/** The made value; undefined if making it threw a DefinitionError, whose problems are added to `problems`. */
export function collectProblems<Made>(make: () => Made, problems: DefinitionProblem[]): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

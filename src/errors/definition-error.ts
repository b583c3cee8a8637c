import { nearestName } from '../json/nearest-name.ts';
import { ToolmendError } from './errors.ts';

// All problems of it in one error, each with its cure.
/** One mistake in a definition. */
export interface DefinitionProblem {
  /** `ReadFiles.paths`, or the tool's name. */
  readonly where: string;
  /** What is wrong, as a clause: "has no type". */
  readonly what: string;
  /** What to write instead, as an imperative: "write @ArrayOf(String)". */
  readonly instead: string;
}

/**
 * Thrown for a developer's mistake, as early as it can be seen: a definition that contradicts itself or leaves something
 * open, an option that is none, a call that is passed as its provider nests it.
 */
export class DefinitionError extends ToolmendError {
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    super('definition', problems.map(sentenceOf).join('\n'));
    this.problems = problems;
  }
}

const sentenceOf = ({ where, what, instead }: DefinitionProblem): string => `${where} ${what}: ${instead}.`;

/** Says what is wrong with one place, and what to write instead. */
export type ReportProblem = (what: string, instead: string) => void;

/** Gathers problems while a class is read; the same one twice is told once. */
export interface DefinitionProblems {
  readonly problems: readonly DefinitionProblem[];
  /** The book, opened at a class or one of its members. */
  at(className: string, member?: string): ReportProblem;
}

export function definitionProblems(): DefinitionProblems {
  const problems: DefinitionProblem[] = [];
  return {
    problems,
    at: (className, member) => (what, instead) => {
      const where = member === undefined ? className : `${className}.${member}`;
      const isKnown = problems.some((told) => told.where === where && told.what === what);
      if (!isKnown) problems.push({ where, what, instead });
    },
  };
}

// It would do nothing, and nobody would say so.
/** One problem for each option that is unknown, with the nearest known one. */
export function unknownOptions(
  where: string,
  options: object,
  known: Readonly<Record<string, true>>,
): readonly DefinitionProblem[] {
  const unknown = Object.keys(options).filter((option) => known[option] !== true);
  return unknown.map((option) => {
    const nearest = nearestName(option, Object.keys(known));
    return {
      where,
      what: `has no option ${JSON.stringify(option.slice(0, 64))}`,
      instead:
        nearest === undefined ? `the options are ${Object.keys(known).join(', ')}` : `write ${nearest}`,
    };
  });
}

/** Over 24 days; above it a timer fires at once (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args). */
export const longestTime = 2 ** 31 - 1;

type Zero = 'allowed' | 'refused';

/** One for each option that is given and no such number. `zero`: whether 0 is one. */
export const timeProblems = (
  where: string,
  times: Readonly<Record<string, unknown>>,
  zero: Zero = 'refused',
): readonly DefinitionProblem[] =>
  Object.entries(times).flatMap(([option, time]) =>
    time === undefined || isTime(time, zero)
      ? []
      : [{ where, what: `has the ${option} ${shownTime(time)}`, instead: adviceFor[zero] }],
  );

/** Throws a DefinitionError with these problems, if there are any. */
export function checkTimes(...times: Parameters<typeof timeProblems>): void {
  const problems = timeProblems(...times);
  if (problems.length > 0) throw new DefinitionError(problems);
}

const isTime = (time: unknown, zero: Zero): boolean =>
  typeof time === 'number' && (time > 0 || (time === 0 && zero === 'allowed')) && time <= longestTime;

const shownTime = (time: unknown): string => (typeof time === 'string' ? JSON.stringify(time) : String(time));

const adviceFor: Readonly<Record<Zero, string>> = {
  allowed: `write milliseconds, at least 0 and at most ${longestTime}`,
  refused: `write milliseconds, more than 0 and at most ${longestTime}`,
};

// For JavaScript, for settings that are read from somewhere, and for casts.
/** What an option must be, and what to write. */
export interface OptionKind {
  readonly fits: (value: unknown) => boolean;
  readonly instead: string;
  /** Default: it may be left out. */
  readonly isRequired?: true;
}

export type OptionKinds = Readonly<Record<string, OptionKind>>;

/** One problem for each option that is of another kind, or absent and required. */
export function optionProblems(
  where: string,
  options: unknown,
  kinds: OptionKinds,
): readonly DefinitionProblem[] {
  if (!isObject(options)) {
    return [{ where, what: `was given ${shown(options)} for its options`, instead: 'write an object' }];
  }
  return Object.entries(kinds).flatMap(([option, { fits, instead, isRequired }]) => {
    const value: unknown = Reflect.get(options, option);
    if ((value === undefined && isRequired !== true) || fits(value)) return [];
    return [{ where, what: `has ${shown(value)} for ${option}`, instead }];
  });
}

export const functionKind = (instead: string): OptionKind => ({
  fits: (value) => typeof value === 'function',
  instead,
});

export const objectKind = (instead: string): OptionKind => ({ fits: isObject, instead });

/** A list whose elements all fit. */
export const listKind = (fits: (element: unknown) => boolean, instead: string): OptionKind => ({
  fits: (value) => Array.isArray(value) && value.every(fits),
  instead,
});

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'a list' : `a list of ${shown(value[0])}`;
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

// What each step throws is gathered, and thrown together.
/** The made value; undefined if making it threw a DefinitionError, whose problems are then gathered. */
export function collectProblems<Made>(make: () => Made, problems: DefinitionProblem[]): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** By option. */
type Written = Readonly<Record<string, number | undefined>>;

/** Whole numbers, from `least` on. */
export const countProblems = (where: string, least: number, counts: Written): readonly DefinitionProblem[] =>
  Object.entries(counts).flatMap(([option, count]) =>
    count === undefined || (Number.isSafeInteger(count) && count >= least)
      ? []
      : [{ where, what: `has the ${option} ${count}`, instead: `write a whole number, at least ${least}` }],
  );

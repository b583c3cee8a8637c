import { nearestName } from '../json/nearest-name.ts';
import { memoize } from '../collections/memoize.ts';
import { isContainer } from '../collections/objects.ts';
import { type DefinitionProblem, DefinitionError } from '../errors/definition-error.ts';

export interface OptionKind {
  readonly accepts: (value: unknown) => boolean;
  /** What to write, as an imperative clause: `write true or false`. */
  readonly instead: string;
  /** Default: the option may be absent or undefined. */
  readonly isRequired?: true;
  /** Names that other libraries give the option. The problem of such a name suggests this one. */
  readonly synonyms?: readonly string[];
  /** Problems inside a refused value; empty if the value as a whole is the problem. */
  readonly problemsIn?: (
    where: string,
    value: unknown,
    path: string,
  ) => readonly DefinitionProblem[];
}

/** The kind of each option. An option without one does not compile. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

type Kinds = Readonly<Record<string, OptionKind>>;

/**
 * Throws a DefinitionError with every unknown, missing or invalid option. `where`: the function
 * that takes the options.
 */
export function checkOptions(where: string, options: unknown, kinds: Kinds): void {
  if (!areSound(options, kinds)) throw new DefinitionError(optionProblems(where, options, kinds));
}

/** Doesn't allocate, because each call has options. */
function areSound(options: unknown, kinds: Kinds): boolean {
  if (!isObject(options)) return false;
  for (const option in options) {
    if (!Object.hasOwn(options, option)) continue;
    const value: unknown = Reflect.get(options, option);
    if (
      value !== undefined &&
      !(Object.hasOwn(kinds, option) && kinds[option]?.accepts(value) === true)
    )
      return false;
  }
  for (const option of requiredIn(kinds))
    if (Reflect.get(options, option) === undefined) return false;
  return true;
}

const requiredIn = memoize((kinds: Kinds): readonly string[] =>
  Object.keys(kinds).filter((option) => kinds[option]?.isRequired === true),
);

/**
 * One problem for each unknown, missing or invalid option. `path`: prefix of nested options,
 * `overlay.search.`.
 */
export function optionProblems(
  where: string,
  options: unknown,
  kinds: Kinds,
  path = '',
): readonly DefinitionProblem[] {
  if (!isObject(options)) {
    return [
      {
        where,
        what: `was given ${optionPreview(options)} for its options`,
        instead: 'write an object',
      },
    ];
  }
  if (areSound(options, kinds)) return [];
  const valueFaults = Object.entries(kinds).flatMap(([option, kind]) =>
    valueProblems(where, Reflect.get(options, option), path + option, kind),
  );
  const names = Object.keys(kinds);
  const unknownOptions = Object.entries(options).flatMap(([option, value]) => {
    if (value === undefined || Object.hasOwn(kinds, option)) return [];
    const nearest =
      names.find((name) => kinds[name]?.synonyms?.includes(option) === true) ??
      nearestName(option, names);
    const instead =
      nearest === undefined ? `the options are ${names.join(', ')}` : `write ${nearest}`;
    return [
      { where, what: `has no option ${JSON.stringify((path + option).slice(0, 128))}`, instead },
    ];
  });
  return [...valueFaults, ...unknownOptions];
}

function valueProblems(
  where: string,
  value: unknown,
  path: string,
  kind: OptionKind,
): readonly DefinitionProblem[] {
  const { accepts, instead, isRequired, problemsIn } = kind;
  if (value === undefined)
    return isRequired === true ? [{ where, what: `has no ${path}`, instead }] : [];
  if (accepts(value)) return [];
  const innerProblems = problemsIn?.(where, value, path) ?? [];
  return innerProblems.length > 0
    ? innerProblems
    : [{ where, what: `has ${optionPreview(value)} for ${path}`, instead }];
}

export const any: OptionKind = { accepts: () => true, instead: 'write a value' };

const typeKind = (type: string, instead: string): OptionKind => ({
  accepts: (value) => typeof value === type,
  instead,
});

export const boolean = typeKind('boolean', 'write true or false');
export const string = typeKind('string', 'write a string');
export const callback = (instead: string): OptionKind => typeKind('function', instead);

/**
 * Milliseconds, over 24 days. A longer timer fires at once
 * (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args).
 */
export const longestTimeout = 2 ** 31 - 1;

const isTimeout = (time: unknown): time is number =>
  typeof time === 'number' && time <= longestTimeout;

export const milliseconds: OptionKind = {
  accepts: (time) => isTimeout(time) && time > 0,
  instead: `write milliseconds, more than 0 and at most ${longestTimeout}`,
};

export const millisecondsOrZero: OptionKind = {
  accepts: (time) => isTimeout(time) && time >= 0,
  instead: `write milliseconds, at least 0 and at most ${longestTimeout}`,
};

/** Integers from `least` on. */
export const count = (least: number): OptionKind => ({
  accepts: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= least,
  instead: `write an integer, at least ${least}`,
});

export const oneOfWords = (...values: readonly string[]): OptionKind => {
  const valueSet = new Set<unknown>(values);
  return {
    accepts: (value) => valueSet.has(value),
    instead: `write ${alternativesText(values.map((value) => `'${value}'`))}`,
  };
};

const alternativesText = (words: readonly string[]): string =>
  words.length === 1
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words.slice(-1).join('')}`;

/**
 * An object with this method. Not `instanceof`, because it may come from another installed copy of
 * toolmend.
 */
export const objectWith = (method: string, instead: string): OptionKind => ({
  accepts: (value) => typeof Reflect.get(Object(value), method) === 'function',
  instead,
});

export const anyObject = (instead: string): OptionKind => ({ accepts: isObject, instead });

export const object = (kinds: Kinds, instead = 'write an object'): OptionKind => ({
  accepts: (value) => areSound(value, kinds),
  instead,
  problemsIn: (where, value, path) =>
    isObject(value) ? optionProblems(where, value, kinds, `${path}.`) : [],
});

/** An object with any keys, and values of one kind. */
export const record = (kind: OptionKind, instead = 'write an object'): OptionKind => ({
  accepts: (value) =>
    isObject(value) && Object.values(value).every((member) => kind.accepts(member)),
  instead,
  problemsIn: (where, value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, member]) =>
          valueProblems(where, member, `${path}.${key}`, kind),
        )
      : [],
});

/** An array whose elements are of one kind. */
export const list = (kind: OptionKind, instead = 'write an array'): OptionKind => ({
  accepts: (value) => Array.isArray(value) && value.every((element) => kind.accepts(element)),
  instead,
  problemsIn: (where, value, path) =>
    Array.isArray(value)
      ? value.flatMap((element, index) => valueProblems(where, element, `${path}[${index}]`, kind))
      : [],
});

export const either = (instead: string, ...kinds: readonly OptionKind[]): OptionKind => ({
  accepts: (value) => kinds.some(({ accepts }) => accepts(value)),
  instead,
  problemsIn: (where, value, path) =>
    kinds.flatMap(({ problemsIn }) => problemsIn?.(where, value, path) ?? []),
});

export const required = (kind: OptionKind): OptionKind => ({ ...kind, isRequired: true });

/** The same kind for an option that other libraries call by other names. */
export const alsoCalled = (kind: OptionKind, ...synonyms: readonly string[]): OptionKind => ({
  ...kind,
  synonyms,
});

export const kindWithHint = (kind: OptionKind, instead: string): OptionKind => ({
  ...kind,
  instead,
});

export const lazy = (kind: () => OptionKind): OptionKind => ({
  accepts: (value) => kind().accepts(value),
  instead: 'write an object',
  problemsIn: (where, value, path) => kind().problemsIn?.(where, value, path) ?? [],
});

const isObject = (value: unknown): value is object => isContainer(value) && !Array.isArray(value);

/** A value that was given by mistake, as messages show it. */
export function optionPreview(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (isContainer(value)) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

// Is each option of the kind that it must be? For JavaScript, for settings that are read from somewhere, and for casts.
import type { Complaint } from './definition-error.ts';

/** What an option must be, and what to write. */
export interface OptionKind {
  readonly fits: (value: unknown) => boolean;
  readonly instead: string;
  /** Default: it may be left out. */
  readonly isRequired?: true;
}

export type OptionKinds = Readonly<Record<string, OptionKind>>;

/** One complaint for each option that is of another kind, or absent and required. */
export function optionComplaints(where: string, options: unknown, kinds: OptionKinds): readonly Complaint[] {
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

/** A goal in words, what was measured, and whether that is enough. */
export interface Goal {
  readonly goal: string;
  readonly measured: string;
  readonly isMet: boolean;
}

export interface Section {
  readonly title: string;
  /** One or two sentences on what was measured, and how. */
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly goals: readonly Goal[];
}

/** A number as the tables show it: three digits, no more than two of them behind the point. */
export const shown = (number: number): string =>
  number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2);

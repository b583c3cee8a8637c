// Where are the mistakes of a definition gathered, so that its author reads all of them at once?
import type { Complaint } from '../errors/definition-error.ts';

/** Says what is wrong with one place, and what to write instead. */
export type Complain = (what: string, instead: string) => void;

/** Gathers complaints while a class is read; the same one twice is told once. */
export interface ComplaintBook {
  readonly complaints: readonly Complaint[];
  /** The book, opened at a class or one of its members. */
  at(className: string, member?: string): Complain;
}

export function complaintBook(): ComplaintBook {
  const complaints: Complaint[] = [];
  return {
    complaints,
    at: (className, member) => (what, instead) => {
      const where = member === undefined ? className : `${className}.${member}`;
      const isKnown = complaints.some((told) => told.where === where && told.what === what);
      if (!isKnown) complaints.push({ where, what, instead });
    },
  };
}

// What is a law? Something that holds for every call of every contract, whatever interprets it.
import type { Interpretation, JsonObject, SentArguments, ToolContract } from 'toolmend';

/** The seam, or a broken one that a law has to catch. */
export type Interpret = (contract: ToolContract, call: SentArguments) => Interpretation;

/** One call, and what became of it. */
export interface JudgedCall {
  readonly contract: ToolContract;
  readonly interpret: Interpret;
  /** Frozen to the bottom, if it is a value. */
  readonly sent: SentArguments;
  /** Made to be valid as it is. */
  readonly isValid: boolean;
  /** What was meant, where a mistake leaves no doubt. */
  readonly meant: JsonObject | undefined;
  /** The valid arguments that a mistake was made in. */
  readonly base: JsonObject | undefined;
  readonly result: Interpretation;
  /** A judge that shares nothing with the one under test. */
  readonly judge: IndependentValidator;
}

export interface IndependentValidator {
  accepts(value: unknown): boolean;
  /** Every failure that is not inside a union: JSON Pointers, those of missing and unknown keys with the key. */
  failingPlaces(value: unknown): readonly string[];
}

/** `silent`: the law says nothing of such a call. Else the breach, in words for a developer. */
export type LawVerdict = 'silent' | 'holds' | { readonly breach: string };

export interface Law {
  readonly id: string;
  readonly title: string;
  judge(call: JudgedCall): LawVerdict;
}

/** Thrown where a law is broken, so that a counterexample can be made smaller. */
export class LawBroken extends Error {
  readonly law: string;

  constructor(law: string, breach: string) {
    super(`${law}: ${breach}`);
    this.name = 'LawBroken';
    this.law = law;
  }
}

export const holdsIf = (condition: boolean, breach: () => string): LawVerdict =>
  condition ? 'holds' : { breach: breach() };

/** Both as JSON, the order of keys included. */
export const isSameJson = (left: unknown, right: unknown): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right);

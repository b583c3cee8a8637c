import type { Interpretation, JsonObject, SentArguments, ToolContract } from 'toolmend';

/** The library's `interpret`, or a broken one that a law has to catch. */
export type Interpret = (contract: ToolContract, call: SentArguments) => Interpretation;

/** One call and its interpretation. */
export interface JudgedCall {
  readonly contract: ToolContract;
  readonly interpret: Interpret;
  /** Deeply frozen, if it is a value. */
  readonly sent: SentArguments;
  /** It is valid as sent. */
  readonly isValid: boolean;
  /** The only meaning; undefined if there may be several, or none. */
  readonly meant: JsonObject | undefined;
  /** The valid arguments that faults were made in. */
  readonly base: JsonObject | undefined;
  readonly result: Interpretation;
  readonly validator: IndependentValidator;
}

/** Shares nothing with the validator under test. */
export interface IndependentValidator {
  accepts(value: unknown): boolean;
  /**
   * JSON Pointers of all failures outside unions, those of missing and unknown keys with the key.
   */
  failingLocations(value: unknown): readonly string[];
}

/** `silent`: the law doesn't apply. A breach is described for a developer. */
export type LawVerdict = 'silent' | 'holds' | { readonly breach: string };

/** A statement that holds for every call of every contract. */
export interface Law {
  readonly id: string;
  readonly title: string;
  judge(call: JudgedCall): LawVerdict;
}

/** Thrown for a breach, so that fast-check shrinks the counterexample. */
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

/** Compares JSON, including the order of keys. */
export const isSameJson = (left: unknown, right: unknown): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right);

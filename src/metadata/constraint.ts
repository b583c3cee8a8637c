// What does one of class-validator's decorators say, freed from its storage?

/** One constraint on one field. */
export interface Constraint {
  readonly member: string;
  /** For people: `@IsInt`. */
  readonly decorator: string;
  readonly role: ConstraintRole;
  /** class-validator's name of the check, `isInt`; a custom check's own. */
  readonly name: string;
  /** What the decorator was given, without its options. */
  readonly parameters: readonly unknown[];
  /** `items`: each element of a list. */
  readonly reach: 'value' | 'items';
  /** Validation groups it is limited to; empty: none. */
  readonly groups: readonly string[];
  /** Absent: it always applies. */
  readonly condition?: Condition;
  /** Absent for roles that check nothing themselves. */
  readonly check?: ConstraintCheck;
}

/** `check`: judges the value. `defined`, `optional`, `condition`: when others apply. The rest only marks. */
export type ConstraintRole = 'check' | 'defined' | 'optional' | 'condition' | 'nested' | 'promise' | 'allow';

export type Condition = (object: object, value: unknown) => boolean;

export interface ConstraintCheck {
  /** Whose sentence it is. */
  readonly wording: 'author' | 'default';
  /** Whether it says that it must be waited for. */
  timing(): 'sync' | 'async';
  /** Anything but true is a failure; a promise can't be waited for. */
  passes(value: unknown, object: object): unknown;
  /** The sentence for whoever sent the value. */
  message(value: unknown, object: object): string;
}

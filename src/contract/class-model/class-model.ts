// What is known of a class of arguments once all decorators have been read? Values only; nested classes by identity.
import type { JsonValue } from '../../json/json-value.ts';
import type { Condition, Constraint } from '../../metadata/constraint.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import type { FieldFacts } from './field-facts.ts';

export interface ClassModel {
  readonly Class: ArgumentClass;
  readonly name: string;
  /** Every field, whether it could be read or not. */
  readonly members: ReadonlySet<string>;
  /** The arguments, in the order in which they are written, parents' first. */
  readonly fields: readonly FieldModel[];
  readonly contextFields: readonly ContextField[];
  /** Names of the `@Check` methods. */
  readonly checks: readonly string[];
  /** Whole objects that the author gave as examples. */
  readonly examples: readonly JsonValue[];
  readonly hints: readonly string[];
}

export interface FieldModel {
  readonly name: string;
  readonly type: ArgumentType;
  /** `conditional`: its constraints apply only when `conditions` hold, so only its own checks can ask for it. */
  readonly presence: 'required' | 'optional' | 'conditional';
  readonly facts: FieldFacts;
  /** The constraints that JSON Schema can say. */
  readonly keyworded: readonly Constraint[];
  /** The constraints whose own check runs. */
  readonly checked: readonly Constraint[];
  readonly conditions: readonly Condition[];
}

export interface ContextField {
  readonly name: string;
  /** The application's name for the value. */
  readonly key: string;
}

/** Every class that a tool's arguments reach, by identity. */
export type ClassModels = ReadonlyMap<ArgumentClass, ClassModel>;

// What does one of class-validator's decorators become? What it says of the type, which keywords say the same,
// and whether its own check has to run beside them.
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';

export interface ConstraintForm {
  /** What the value must be for the decorator to pass; absent: it says nothing of the type. */
  readonly states?: (constraint: Constraint) => ArgumentType;
  /** JSON Schema keywords; undefined: these parameters can't be said, so the own check runs alone. */
  readonly keywords?: (constraint: Constraint, type: ArgumentType) => SchemaObject | undefined;
  /** True if the keywords accept values that the decorator refuses, so that its own check runs too. */
  readonly differs?: (constraint: Constraint) => boolean;
  /** What a reader of the table should know, as where the keywords are stricter than the decorator. */
  readonly remark?: string;
}

/** By class-validator's name of the check. */
export type ConstraintForms = Readonly<Record<string, ConstraintForm>>;

export const always = (): boolean => true;

export const numberAt = ({ parameters }: Constraint, index: number): number | undefined => {
  const parameter = parameters[index];
  return typeof parameter === 'number' && Number.isFinite(parameter) ? parameter : undefined;
};

export const stringAt = ({ parameters }: Constraint, index: number): string | undefined => {
  const parameter = parameters[index];
  return typeof parameter === 'string' ? parameter : undefined;
};

/** A member of the options object that the decorator was given. */
export const optionOf = ({ parameters }: Constraint, option: string): unknown => {
  const [options] = parameters;
  return typeof options === 'object' && options !== null ? Reflect.get(options, option) : undefined;
};

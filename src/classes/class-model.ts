import { readPlainValue } from '../json/serialize.ts';
import type { JsonValue } from '../json/value.ts';
import type { Constructor, ToolOptions } from '../tool/tool-contract.ts';
import type { ArgumentType } from './argument-type.ts';
import type { Condition, Constraint, Transform } from './class-validator.ts';
import type { EnumMember, Mark } from './declarations.ts';

/** The value if it is plain JSON of at most 64 levels. */
export function plainJson(value: unknown): JsonValue | undefined {
  const reading = readPlainValue(value, 64);
  return reading.kind === 'plain' ? reading.value : undefined;
}

/** A class with its parents' decorators merged in, checked, with all types resolved. */
export interface ClassModel {
  readonly Class: Constructor;
  readonly name: string;
  /** The names of all fields, unreadable ones and context fields included. */
  readonly members: ReadonlySet<string>;
  /** The arguments in source order, parents' first. */
  readonly fields: readonly FieldModel[];
  readonly contextFields: readonly ContextField[];
  readonly checks: readonly string[];
  readonly examples: readonly JsonValue[];
  readonly hints: readonly string[];
}

/** A class and every class that its fields reach. */
export interface ClassModels {
  readonly root: ClassModel;
  /** The root first. */
  readonly byClass: ReadonlyMap<Constructor, ClassModel>;
}

/** Options of a tool that change how its class is read. */
export type ClassOptions = Pick<ToolOptions, 'groups' | 'transform'>;

export interface FieldMetadata {
  readonly description?: string;
  readonly title?: string;
  readonly default?: JsonValue;
  /** The default is the field's initializer. */
  readonly isInitialized: boolean;
  readonly examples: readonly JsonValue[];
  /** The decorator that gives the examples. */
  readonly examplesBy: string;
  readonly hints: readonly string[];
  readonly aliases: readonly string[];
  /** The values that other fields get if they are absent from a call that has the field. */
  readonly dependentDefaults: readonly { readonly other: string; readonly value: JsonValue }[];
  readonly marks: ReadonlySet<Mark>;
}

export interface FieldModel extends FieldMetadata {
  readonly name: string;
  readonly type: ArgumentType;
  /**
   * `conditional`: only the checks can require it, because its constraints apply only if
   * `conditions` hold.
   */
  readonly presence: 'required' | 'optional' | 'conditional';
  /** Constraints that the schema expresses. */
  readonly keywordConstraints: readonly Constraint[];
  /** Constraints whose own check runs. */
  readonly checkedConstraints: readonly Constraint[];
  readonly conditions: readonly Condition[];
  /** They make the instance's value of what was sent. */
  readonly transforms: readonly Transform[];
}

export interface ContextField {
  readonly name: string;
  /** The application's name for the value. */
  readonly key: string;
}

/**
 * A class's constants in the discriminator field; empty if the field is not a required constant.
 */
export function discriminatorValues(
  model: ClassModel | undefined,
  discriminator: string,
): readonly EnumMember[] {
  const field = model?.fields.find(({ name }) => name === discriminator);
  if (field?.presence !== 'required') return [];
  if (field.type.kind === 'const') return [field.type.value];
  return field.type.kind === 'enum' ? field.type.values : [];
}

import {
  type OptionKind,
  type OptionKinds,
  any,
  count,
  optionProblems,
  string,
} from '../options/check-options.ts';
import type { Statement } from '../classes/declarations.ts';
import { attempt } from '../collections/attempt.ts';
import { defined } from '../collections/objects.ts';
import { type JsonValue } from '../json/value.ts';
import type { Constructor } from '../tool/tool-contract.ts';
import { declare, fieldDecorator } from './declare.ts';
import {
  type AnyFieldDecorator,
  type EnumLike,
  type FieldDecorator,
  type FieldType,
  type MemberOf,
  type ValueOf,
  type ValuesOf,
  type WholeFieldDecorator,
  arrayOf,
  readEnum,
  oneOf,
  readFieldType,
  recordOf,
  schemaOf,
  tupleOf,
} from './types.ts';

/**
 * Other names under which the field is accepted. Models don't see them. Registration refuses an
 * alias that is a field or an alias of another field.
 *
 * @example `@Alias('file_path', 'file') @IsString() path!: string;`
 */
export const Alias = (...names: readonly string[]): AnyFieldDecorator =>
  fieldDecorator('@Alias', { aliases: Object.freeze([...names]) });

/**
 * The field is an array of one type: `String`, `() => Class`, `arrayOf(Number)`, ….
 *
 * @example
 * `@ArrayOf(() => Edit) edits!: Edit[];`
 */
export const ArrayOf = <Type extends FieldType>(items: Type): FieldDecorator<ValueOf<Type>[]> =>
  fieldDecorator('@ArrayOf', { type: arrayOf(items) });

/**
 * The field may be absent, and is then a copy of `value`: JSON as a model sends it, so an ISO
 * string for a Date. Models see it in the schema. Registration refuses a value that the field
 * refuses, and a field that has an initializer too.
 *
 * @example `@Default(20) @IsInt() limit!: number;`
 */
export const Default = (value: JsonValue): AnyFieldDecorator =>
  fieldDecorator('@Default', { default: { value } });

/**
 * The description of the argument for the model.
 *
 * @example
 * `@Describe('Workspace-relative paths.') @ArrayOf(String) paths!: string[];`
 */
export const Describe = (text: string): AnyFieldDecorator =>
  fieldDecorator('@Describe', { description: text });

/**
 * The field is one of the values of a TypeScript enum, an object of constants, or an array.
 *
 * @example
 * `@EnumOf(['asc', 'desc']) order!: 'asc' | 'desc';`
 */
export function EnumOf<const Values extends EnumLike>(
  values: Values,
): WholeFieldDecorator<MemberOf<Values>>;
// JavaScript may pass more.
export function EnumOf(...args: readonly unknown[]): AnyFieldDecorator {
  return fieldDecorator('@EnumOf', { type: readEnum('@EnumOf', ...args) });
}

/** The options of `@Field`. */
export interface FieldOptions<Type extends FieldType = FieldType> {
  /**
   * `String`, `() => Class`, `arrayOf(Number)`, …. Not needed if one of class-validator's
   * decorators states the type.
   */
  readonly type?: Type;
  /** The description for the model, as with `@Describe`. */
  readonly description?: string;
  /** A name for people. */
  readonly title?: string;
  /** `off`: hints in the tool's description don't mention this argument. Default: they may. */
  readonly hints?: 'off';
  /** The least number. */
  readonly minimum?: BoundOf<Type, number, number>;
  /** The greatest number. */
  readonly maximum?: BoundOf<Type, number, number>;
  /** The least number of characters. */
  readonly minLength?: BoundOf<Type, string, number>;
  /** The greatest number of characters. */
  readonly maxLength?: BoundOf<Type, string, number>;
  /** A regular expression, read with the flag `u`, that some part of the string matches. */
  readonly pattern?: BoundOf<Type, string, string>;
  /** The least number of elements. */
  readonly minItems?: BoundOf<Type, readonly unknown[], number>;
  /** The greatest number of elements. */
  readonly maxItems?: BoundOf<Type, readonly unknown[], number>;
}

/** `never` unless values of the type may be of this kind. Without a type, another decorator says it. */
type BoundOf<Type, Kind, Bound> =
  unknown extends ValueOf<Type>
    ? Bound
    : [Extract<ValueOf<Type>, Kind>] extends [never]
      ? never
      : Bound;

const number: OptionKind = { accepts: Number.isFinite, instead: 'write a number' };

const pattern: OptionKind = {
  accepts: (source) =>
    typeof source === 'string' && attempt(() => new RegExp(source, 'u')) !== undefined,
  instead: "write the source of a regular expression as a string: '^[a-z]+$'",
};

const fieldOptionKinds: OptionKinds<FieldOptions> = {
  type: any,
  description: string,
  title: string,
  hints: { accepts: (hints) => hints === 'off', instead: "write 'off'" },
  minimum: number,
  maximum: number,
  minLength: count(0),
  maxLength: count(0),
  pattern,
  minItems: count(0),
  maxItems: count(0),
};

/**
 * Makes a field an argument, with a type that class-validator has no decorator for, or with bounds.
 *
 * @example
 * `@Field({ type: unionOf(String, Number), description: 'A name or an id.' }) user!: string | number;`
 *
 * @example
 * `@Field({ type: integer, minimum: 1, maximum: 100 }) limit!: number;`
 */
export const Field = <Type extends FieldType>(
  options: FieldOptions<Type> = {},
): FieldDecorator<ValueOf<Type>> => {
  const problems = optionProblems('@Field', options, fieldOptionKinds);
  const { type, description, title, hints, ...bounds } = options;
  const field: Statement = {
    ...defined({ type: type && readFieldType(type), description, title }),
    ...(hints === 'off' ? { hintsOff: true } : {}),
    ...(problems.length > 0 || Object.keys(bounds).length === 0 ? {} : { bounds }),
  };
  return fieldDecorator('@Field', field, problems);
};

/**
 * The application sets the field for each call. It is not in the schema, and a value that a model
 * sends for it is removed. `key`: the name of the application's value; default: the field's. A call
 * fails if the application has no such value.
 *
 * @example `@FromContext('tenant_id') tenant!: string;`
 */
export const FromContext =
  (key?: string): AnyFieldDecorator =>
  (...call: readonly unknown[]): void => {
    const context = key === undefined ? {} : { key };
    declare('@FromContext', call, { field: { context }, instead: 'put it on a field' });
  };

/**
 * The field is an object of a class; the tool gets an instance of it.
 *
 * @example
 * `@Nested(() => Range) range!: Range;`
 */
export const Nested = <Instance extends object>(
  classOf: () => Constructor<Instance>,
): FieldDecorator<Instance> => fieldDecorator('@Nested', { type: readFieldType(classOf) });

/**
 * The field may be absent. An initializer is its default. The same as class-validator's
 * `@IsOptional()`.
 *
 * @example `@Optional() @Field({ type: Number }) days?: number;`
 */
export const Optional = (): AnyFieldDecorator => fieldDecorator('@Optional', { optional: true });

/**
 * The field may be null. `@Optional()` alone allows it to be absent, not null.
 *
 * @example
 * `@Nullable() @IsString() parent!: string | null;`
 */
export const Nullable = (): AnyFieldDecorator => fieldDecorator('@Nullable', { nullable: true });

/**
 * The field is an object of one of several classes, which differ in their constant in the field
 * `discriminator`: `@Equals('insert') op!: 'insert'`. Registration refuses a class without a
 * constant and two classes with the same one.
 *
 * @example `@OneOf('op', () => [Insert, Replace]) edit!: Insert | Replace;`
 */
export const OneOf = <Class extends Constructor>(
  discriminator: string,
  classes: () => readonly Class[],
): FieldDecorator<ValueOf<Class>> =>
  fieldDecorator('@OneOf', { type: oneOf(discriminator, classes) });

/**
 * If a call has this field but not `other`, an optional field of the same class, `other` becomes
 * `value`, and a note tells the model. May be repeated.
 *
 * @example `@Optional() @IsInt() @PairedDefault('offset', 0) limit?: number;`
 */
export const PairedDefault = (other: string, value: JsonValue): AnyFieldDecorator =>
  fieldDecorator('@PairedDefault', { dependentDefault: { other, value } });

/**
 * Each string in the field is a file system path. A Markdown link in it is repaired to the path.
 *
 * @example
 * `@PathField() @IsString() path!: string;`
 */
export const PathField = (): AnyFieldDecorator => fieldDecorator('@PathField', { path: true });

/**
 * Each string in the field is an address with its protocol. A Markdown link and other marks around
 * it are repaired.
 *
 * @example
 * `@Url() @IsString() url!: string;`
 */
export const Url = (): AnyFieldDecorator => fieldDecorator('@Url', { url: true });

/**
 * Each string in the field is a glob pattern. Quotes and blanks around it are repaired.
 *
 * @example
 * `@Glob() @IsString() pattern!: string;`
 */
export const Glob = (): AnyFieldDecorator => fieldDecorator('@Glob', { glob: true });

/**
 * The field is a range of lines, which count from 1: `[10, 20]`, or `[10, -1]` to the end of the
 * file, as in Anthropic's `view_range`. `10-20`, `L10-L20`, `{ start: 10, end: 20 }` and the like
 * are repaired.
 *
 * @example
 * `@LineRange() lines!: [number, number];`
 */
export const LineRange = (): FieldDecorator<[number, number]> =>
  fieldDecorator('@LineRange', { type: lineRange });

const lineRange = schemaOf<[number, number]>({
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  'x-toolmend': { semantic: 'line_range' },
});

/**
 * The field is a map from strings to one type: `Number`, `() => Header`, ….
 *
 * @example
 * `@RecordOf(Number) counts!: Record<string, number>;`
 */
export const RecordOf = <Type extends FieldType>(
  values: Type,
): FieldDecorator<Record<string, ValueOf<Type>>> =>
  fieldDecorator('@RecordOf', { type: recordOf(values) });

/**
 * The field's value never appears in a message, a record or a log. Registration refuses a default
 * or an example for it, because models see both.
 *
 * @example `@Secret() @IsString() password!: string;`
 */
export const Secret = (): AnyFieldDecorator => fieldDecorator('@Secret', { secret: true });

/**
 * The field names the work of a call: with a journal, a tenant's calls of the tool with the same
 * value run once. On several fields: with the same values. A call without one of them is not
 * compared.
 *
 * @example `@IdempotencyKey() @IsString() order!: string;`
 */
export const IdempotencyKey = (): AnyFieldDecorator =>
  fieldDecorator('@IdempotencyKey', { idempotencyKey: true });

/**
 * The field is an array of fixed length, with a type for each element.
 *
 * @example
 * `@TupleOf(Number, Number) point!: [number, number];`
 */
export const TupleOf = <Types extends readonly FieldType[]>(
  ...items: Types
): FieldDecorator<ValuesOf<Types>> => fieldDecorator('@TupleOf', { type: tupleOf(...items) });

/**
 * Repair never changes a string in the field.
 *
 * @example
 * `@Verbatim() @IsString() content!: string;`
 */
export const Verbatim = (): AnyFieldDecorator => fieldDecorator('@Verbatim', { verbatim: true });

import {
  type DeclaredType,
  type EnumMember,
  declaredType,
  enumMembers,
  isClass,
  isDeclaredType,
  isEnumMember,
  scalarTypes,
} from '../classes/declarations.ts';
import { isContainer } from '../collections/objects.ts';
import { quote } from '../json/preview.ts';
import type { Constructor } from '../tool/tool-contract.ts';

declare const valueOf: unique symbol;

/** A type that `arrayOf`, `enumOf` and others make. `Value`: the TypeScript type of its values. */
export type TypeOf<Value> = DeclaredType & { readonly [valueOf]?: Value };

/** A TypeScript enum, an object of constants, or an array of values. */
export type EnumLike = Readonly<Record<string, string | number>> | readonly EnumMember[];

/**
 * `String`, `Number`, `Boolean`, `Date` (sent as an ISO string), `Object` (a map of anything), a
 * class, a thunk of a class (needed if the class comes later in the file or if imports form a
 * cycle), `integer`, `anyJson`, `dateOnly`, or a type made by `arrayOf`, `recordOf`, `tupleOf`,
 * `enumOf`, `oneOf`, `unionOf`, `nullable`, `schemaOf`.
 */
export type FieldType =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | DateConstructor
  | ObjectConstructor
  | Constructor
  | (() => Constructor)
  | TypeOf<unknown>;

/**
 * The TypeScript type of a field type's values: `string` for `String`, the instances of a class.
 */
export type ValueOf<Type> = Type extends StringConstructor
  ? string
  : Type extends NumberConstructor
    ? number
    : Type extends BooleanConstructor
      ? boolean
      : Type extends DateConstructor
        ? Date
        : Type extends ObjectConstructor
          ? object
          : Type extends TypeOf<infer Value>
            ? Value
            : Type extends Constructor<infer Instance>
              ? Instance
              : Type extends () => Constructor<infer Instance>
                ? Instance
                : never;

/** The values of an enum, an object of constants, or an array. */
export type MemberOf<Values extends EnumLike> = Values extends readonly (infer Member)[]
  ? Member
  : Values[keyof Values];

/** A decorator of fields, experimental and standard. */
export interface AnyFieldDecorator {
  (target: object, key: string | symbol): void;
  (value: undefined, context: ClassFieldDecoratorContext): void;
}

/** A decorator of classes, experimental and standard. */
export interface AnyClassDecorator {
  (Class: Function): void;
  (Class: Function, context: ClassDecoratorContext): void;
}

/** A decorator of methods, experimental and standard. */
export interface AnyMethodDecorator {
  (target: object, key: string | symbol, descriptor: PropertyDescriptor): void;
  (method: (...parameters: never[]) => unknown, context: ClassMethodDecoratorContext): void;
}

/**
 * A decorator of fields that take these values, or some of them: `string[]` takes a field of
 * `('a' | 'b')[]`. The field may also be optional or nullable.
 */
export interface FieldDecorator<Value> {
  /**
   * Fields of these values. Also of type parameters, for which the other signature isn't resolved.
   */
  <Key extends string | symbol>(
    target: { readonly [Name in Key]?: Value | Readonly<Value> | null },
    key: Key,
  ): void;
  <Target extends object, Key extends string | symbol>(
    target: Target,
    key: Key & Fitting<Key extends keyof Target ? Target[Key] : unknown, Value>,
  ): void;
  <This, Field>(
    value: undefined,
    context: ClassFieldDecoratorContext<This, Field> & Fitting<Field, Value>,
  ): void;
}

/**
 * A decorator of fields that take all of these values. The field may also be optional or nullable.
 */
export interface WholeFieldDecorator<Value> {
  <Target extends object, Key extends string | symbol>(
    target: Target,
    key: Key & Taking<Key extends keyof Target ? Target[Key] : unknown, Value>,
  ): void;
  <This, Field>(
    value: undefined,
    context: ClassFieldDecoratorContext<This, Field> & Taking<Field, Value>,
  ): void;
}

/** unknown if the field takes all of these values; else a type that no key has. */
type Taking<Field, Value> = [Value] extends [Field]
  ? unknown
  : { readonly 'the decorator states more values': Value };

/**
 * unknown if a value fits the field, or all values of the field are values of the type; else a type
 * that no key has.
 */
type Fitting<Field, Value> = [Value] extends [Field]
  ? unknown
  : [NonNullable<Field>] extends [Value]
    ? unknown
    : { readonly 'the decorator states another type': Value };

/** The type as data. An unreadable one is reported at registration. */
export function readFieldType(type: unknown): DeclaredType {
  const scalar = scalarTypes.get(type);
  if (scalar !== undefined) return declaredType({ kind: scalar });
  if (isDeclaredType(type)) return type;
  if (isArgumentClass(type)) return declaredType({ kind: 'class', classOf: () => type });
  if (isThunk(type)) return declaredType({ kind: 'class', classOf: type });
  const what = `has a type that can't be read: ${nameOf(type)}`;
  return declaredType({ kind: 'unreadable', what, instead: readableTypes });
}

const readableTypes =
  "write String, Number, Boolean, Date, Object, () => Class, or one of toolmend's integer, dateOnly, anyJson, arrayOf, " +
  'recordOf, tupleOf, enumOf, oneOf, unionOf, nullable, schemaOf';

/** An arrow function has no prototype, unlike a class. */
const isThunk = (value: unknown): value is () => unknown =>
  typeof value === 'function' && !isClass(value);

const isArgumentClass = (value: unknown): value is Constructor =>
  isClass(value) && !containers.has(value);

/** Their element type is unknown. */
const containers: ReadonlySet<unknown> = new Set([Array, Map, Set, Promise]);

function nameOf(type: unknown): string {
  if (Array.isArray(type)) return `[${type.map(nameOf).join(', ')}]`;
  return typeof type === 'function' ? type.name : String(type);
}

/**
 * An integer: `@Field({ type: integer })`, `@ArrayOf(integer)`. class-validator's `@IsInt()` states
 * it too.
 */
export const integer: TypeOf<number> = declaredType({ kind: 'integer' });

/** Any JSON: `@Field({ type: anyJson }) payload!: unknown`. */
export const anyJson: TypeOf<unknown> = declaredType({ kind: 'any' });

/** A date without a time, as the string `2026-11-22`: `@Field({ type: dateOnly }) day!: string`. */
export const dateOnly: TypeOf<string> = declaredType({ kind: 'day' });

/**
 * What a JSON Schema without references accepts:
 * `@Field({ type: schemaOf<string>({ type: 'string', pattern: '^[a-z]+$' }) })`.
 */
export const schemaOf = <Value>(schema: object): TypeOf<Value> =>
  declaredType({ kind: 'schema', schema });

/** A value of an enum, inside another type: `@ArrayOf(enumOf(Color))`. */
export const enumOf = <const Values extends EnumLike>(values: Values): TypeOf<MemberOf<Values>> =>
  readEnum('enumOf', values);

/** The values as a type. What no enum is, is reported at registration. `writtenAs`: `@EnumOf`. */
export function readEnum(
  writtenAs: 'enumOf' | '@EnumOf',
  values?: unknown,
  ...others: readonly unknown[]
): DeclaredType {
  const unreadable = (what: string, instead: string): DeclaredType =>
    declaredType({ kind: 'unreadable', what: `has ${writtenAs} with ${what}`, instead });
  if (typeof values === 'string')
    return unreadable(
      `the string ${quote(values)}`,
      `write the values as an array, ${writtenAs}([${quote(values)}, …])`,
    );
  if (others.length > 0)
    return unreadable(
      `${others.length + 1} arguments`,
      `write all values as one array, ${writtenAs}([…])`,
    );
  if (!isContainer(values))
    return unreadable(
      String(values),
      'write an enum, an object of constants, or an array; an imported enum is undefined if its imports form a cycle',
    );
  if (Array.isArray(values) && !values.every(isEnumMember))
    return unreadable(
      'a value that is no string, number or boolean',
      'write only those; for null, add @Nullable() or write nullable(enumOf([…]))',
    );
  return declaredType({ kind: 'enum', values: enumMembers(values) });
}

/** An array inside another type: `@ArrayOf(arrayOf(Number))`. */
export const arrayOf = <Type extends FieldType>(items: Type): TypeOf<ValueOf<Type>[]> =>
  declaredType({ kind: 'array', items: readFieldType(items) });

/** A map from strings to one type: `@ArrayOf(recordOf(Number))`. */
export const recordOf = <Type extends FieldType>(
  values: Type,
): TypeOf<Record<string, ValueOf<Type>>> =>
  declaredType({ kind: 'record', values: readFieldType(values) });

/** The values of a tuple's types. */
export type ValuesOf<Types extends readonly FieldType[]> = {
  -readonly [At in keyof Types]: ValueOf<Types[At]>;
};

/** An array of fixed length, with a type for each element: `@ArrayOf(tupleOf(Number, Number))`. */
export const tupleOf = <Types extends readonly FieldType[]>(
  ...items: Types
): TypeOf<ValuesOf<Types>> => declaredType({ kind: 'tuple', items: items.map(readFieldType) });

/**
 * One of several types that differ in JSON: `@Field({ type: unionOf(String, Number) })`. Use
 * `oneOf` for classes.
 */
export const unionOf = <Types extends readonly FieldType[]>(
  ...members: Types
): TypeOf<ValueOf<Types[number]>> =>
  declaredType({ kind: 'union', members: members.map(readFieldType) });

/** The type, or null: `@ArrayOf(nullable(String))`. */
export const nullable = <Type extends FieldType>(type: Type): TypeOf<ValueOf<Type> | null> =>
  declaredType({ kind: 'nullable', type: readFieldType(type) });

/**
 * One of several classes that differ in a constant:
 * `@ArrayOf(oneOf('op', () => [Insert, Replace]))`.
 */
export const oneOf = <Class extends Constructor>(
  discriminator: string,
  classes: () => readonly Class[],
): TypeOf<ValueOf<Class>> => declaredType({ kind: 'oneOf', discriminator, classesOf: classes });

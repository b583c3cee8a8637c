import {
  type ArgumentClass,
  type DeclaredType,
  type EnumMember,
  declaredType,
  enumMembers,
  isDeclaredType,
  scalarTypes,
} from '../classes/declarations.ts';

/** A TypeScript enum, an object of constants, or a list of values. */
export type EnumLike = Readonly<Record<string, string | number>> | readonly EnumMember[];

/** One of an enum's values, for lists and maps of them: `@ArrayOf(enumOf(Color))`. */
export const enumOf = (values: EnumLike): DeclaredType =>
  declaredType({ kind: 'enum', values: enumMembers(values) });

// Constructors for what JSON has, a thunk or a class for nested arguments, and what the functions of field-types.ts
// return.
/**
 * `String`, `Number`, `Boolean`, `Date` (sent as text), `Object` (a map of anything), a class or a thunk of one
 * (needed where the class comes later in the file or the imports form a cycle), or a type made by a function:
 * `integer`, `arrayOf`, `recordOf`, `tupleOf`, `enumOf`, `oneOf`, `unionOf`, `nullable`.
 */
export type FieldType =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | DateConstructor
  | ObjectConstructor
  | ArgumentClass
  | (() => ArgumentClass)
  | DeclaredType;

/** What was written, as a record; what can't be read is told at registration. */
export function readFieldType(written: unknown): DeclaredType {
  const scalar = scalarTypes.get(written);
  if (scalar !== undefined) return declaredType({ kind: scalar });
  if (isDeclaredType(written)) return written;
  if (isArgumentClass(written)) return declaredType({ kind: 'class', classOf: () => written });
  if (isThunk(written)) return declaredType({ kind: 'class', classOf: written });
  return declaredType({ kind: 'unreadable', written: nameOf(written) });
}

// An arrow function has no prototype; a class has one.
const isThunk = (value: unknown): value is () => unknown =>
  typeof value === 'function' && !Object.hasOwn(value, 'prototype');

const isArgumentClass = (value: unknown): value is ArgumentClass =>
  typeof value === 'function' && Object.hasOwn(value, 'prototype') && !builtIns.has(value);

// Lists and maps of JavaScript's own say nothing of what is in them.
const builtIns: ReadonlySet<unknown> = new Set([Array, Map, Set, Promise]);

function nameOf(written: unknown): string {
  if (Array.isArray(written)) return `[${written.map(nameOf).join(', ')}]`;
  return typeof written === 'function' ? written.name : String(written);
}

/** A whole number, for lists and maps of them; a field of its own is `@IsInt()`. */
export const integer: DeclaredType = declaredType({ kind: 'integer' });

// The words that decorators and their arguments are written in.
/** A list, for lists within lists: `@ArrayOf(arrayOf(Number))`. */
export const arrayOf = (items: FieldType): DeclaredType =>
  declaredType({ kind: 'array', items: readFieldType(items) });

/** A map from text to one type. */
export const recordOf = (values: FieldType): DeclaredType =>
  declaredType({ kind: 'record', values: readFieldType(values) });

/** A list of fixed length with a type for each place: `tupleOf(Number, Number)`. */
export const tupleOf = (...items: readonly FieldType[]): DeclaredType =>
  declaredType({ kind: 'tuple', items: items.map(readFieldType) });

/** One of several types that JSON tells apart: `unionOf(String, Number)`. For classes there is `oneOf`. */
export const unionOf = (...members: readonly FieldType[]): DeclaredType =>
  declaredType({ kind: 'union', members: members.map(readFieldType) });

/** The type, or null. */
export const nullable = (type: FieldType): DeclaredType =>
  declaredType({ kind: 'nullable', type: readFieldType(type) });

/** One of several classes, told apart by a field that is a constant in each: `oneOf('op', () => [Insert, Replace])`. */
export const oneOf = (discriminator: string, classes: () => readonly ArgumentClass[]): DeclaredType =>
  declaredType({ kind: 'oneOf', discriminator, classesOf: classes });

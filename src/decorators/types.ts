import {
  type DeclaredType,
  type EnumMember,
  declaredType,
  enumMembers,
  isClass,
  isDeclaredType,
  scalarTypes,
} from '../classes/declarations.ts';
import type { Constructor } from '../tool/tool-contract.ts';

/** A TypeScript enum, an object of constants, or an array of values. */
export type EnumLike = Readonly<Record<string, string | number>> | readonly EnumMember[];

/**
 * `String`, `Number`, `Boolean`, `Date` (sent as an ISO string), `Object` (a map of anything), a class, a thunk of a class
 * (needed if the class comes later in the file or if imports form a cycle), or a type made by `integer`, `arrayOf`,
 * `recordOf`, `tupleOf`, `enumOf`, `oneOf`, `unionOf`, `nullable`.
 */
export type FieldType =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | DateConstructor
  | ObjectConstructor
  | Constructor
  | (() => Constructor)
  | DeclaredType;

/** The type as data. An unreadable one is reported at registration. */
export function readFieldType(written: unknown): DeclaredType {
  const scalar = scalarTypes.get(written);
  if (scalar !== undefined) return declaredType({ kind: scalar });
  if (isDeclaredType(written)) return written;
  if (isArgumentClass(written)) return declaredType({ kind: 'class', classOf: () => written });
  if (isThunk(written)) return declaredType({ kind: 'class', classOf: written });
  return declaredType({ kind: 'unreadable', written: nameOf(written) });
}

/** An arrow function has no prototype, unlike a class. */
const isThunk = (value: unknown): value is () => unknown => typeof value === 'function' && !isClass(value);

const isArgumentClass = (value: unknown): value is Constructor => isClass(value) && !containers.has(value);

/** Their element type is unknown. */
const containers: ReadonlySet<unknown> = new Set([Array, Map, Set, Promise]);

function nameOf(written: unknown): string {
  if (Array.isArray(written)) return `[${written.map(nameOf).join(', ')}]`;
  return typeof written === 'function' ? written.name : String(written);
}

/** An integer inside another type: `@ArrayOf(integer)`. An integer field has `@IsInt()`. */
export const integer: DeclaredType = declaredType({ kind: 'integer' });

/** A value of an enum, inside another type: `@ArrayOf(enumOf(Color))`. */
export const enumOf = (values: EnumLike): DeclaredType =>
  declaredType({ kind: 'enum', values: enumMembers(values) });

/** An array inside another type: `@ArrayOf(arrayOf(Number))`. */
export const arrayOf = (items: FieldType): DeclaredType =>
  declaredType({ kind: 'array', items: readFieldType(items) });

/** A map from strings to one type: `@ArrayOf(recordOf(Number))`. */
export const recordOf = (values: FieldType): DeclaredType =>
  declaredType({ kind: 'record', values: readFieldType(values) });

/** An array of fixed length, with a type for each element: `@ArrayOf(tupleOf(Number, Number))`. */
export const tupleOf = (...items: readonly FieldType[]): DeclaredType =>
  declaredType({ kind: 'tuple', items: items.map(readFieldType) });

/** One of several types that differ in JSON: `@Field({ type: unionOf(String, Number) })`. Use `oneOf` for classes. */
export const unionOf = (...members: readonly FieldType[]): DeclaredType =>
  declaredType({ kind: 'union', members: members.map(readFieldType) });

/** The type, or null: `@ArrayOf(nullable(String))`. */
export const nullable = (type: FieldType): DeclaredType =>
  declaredType({ kind: 'nullable', type: readFieldType(type) });

/** One of several classes that differ in a constant: `@ArrayOf(oneOf('op', () => [Insert, Replace]))`. */
export const oneOf = (discriminator: string, classes: () => readonly Constructor[]): DeclaredType =>
  declaredType({ kind: 'oneOf', discriminator, classesOf: classes });

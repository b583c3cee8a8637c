// How does an author write a type? Constructors for what JSON has, a thunk or a class for nested arguments,
// and what the functions of field-types.ts return.
import {
  declaredType,
  isDeclaredType,
  type ArgumentClass,
  type DeclaredType,
} from '../metadata/declared-type.ts';
import { scalarTypes } from '../metadata/scalar-types.ts';

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

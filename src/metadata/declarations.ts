// Where do our decorators' records live? On the class itself, so nothing is process-wide and a class that is
// dropped takes its records along. The only file that touches reflect-metadata.
import 'reflect-metadata';
import type { Declaration } from './declaration.ts';

const key = Symbol.for('toolmend.declarations');

/** What was declared on this very class, in the order in which decorators ran; parents are not asked. */
export function ownDeclarations(Class: object): readonly Declaration[] {
  const stored: unknown = Reflect.getOwnMetadata(key, Class);
  return isDeclarations(stored) ? stored : [];
}

/** Adds one record. The list is copied, so that no list once handed out changes. */
export function addDeclaration(Class: object, declaration: Declaration): void {
  Reflect.defineMetadata(key, Object.freeze([...ownDeclarations(Class), Object.freeze(declaration)]), Class);
}

/** What the compiler emitted as a member's type, if it did; it may confirm what was declared, never replace it. */
export const emittedType = (Class: { readonly prototype: object }, member: string): unknown =>
  Reflect.getMetadata('design:type', Class.prototype, member);

const isDeclarations = (value: unknown): value is readonly Declaration[] => Array.isArray(value);

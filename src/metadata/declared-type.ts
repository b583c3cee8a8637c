// What did an author say the type of a field is? Class references stay thunks until registration.

/** A class whose instances hold arguments. */
export type ArgumentClass = new (...parameters: never[]) => object;

export type EnumMember = string | number | boolean;

/** A type as it was written: every hole in it is a complaint at registration. */
export type DeclaredType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'enum'; readonly values: readonly EnumMember[] }
  | { readonly kind: 'array'; readonly items: DeclaredType }
  | { readonly kind: 'record'; readonly values: DeclaredType }
  | { readonly kind: 'tuple'; readonly items: readonly DeclaredType[] }
  | { readonly kind: 'class'; readonly classOf: () => unknown }
  | { readonly kind: 'oneOf'; readonly discriminator: string; readonly classesOf: () => readonly unknown[] }
  | { readonly kind: 'union'; readonly members: readonly DeclaredType[] }
  | { readonly kind: 'nullable'; readonly type: DeclaredType }
  | { readonly kind: 'unreadable'; readonly written: string };

/** `object` is a map of anything; `date` is sent as text. */
export type ScalarKind = 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'object';

const mark = Symbol.for('toolmend.type');

/** Makes a type that `isDeclaredType` knows again, also across two installed copies. */
export const declaredType = (type: DeclaredType): DeclaredType =>
  Object.freeze(Object.defineProperty({ ...type }, mark, { value: true }));

export const isDeclaredType = (value: unknown): value is DeclaredType =>
  typeof value === 'object' && value !== null && Reflect.get(value, mark) === true;

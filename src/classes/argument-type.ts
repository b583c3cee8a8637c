import type { Complain } from '../errors/definition-error.ts';
import {
  type ArgumentClass,
  type DeclaredType,
  type EnumMember,
  type ScalarKind,
  scalarTypes,
} from './declarations.ts';

/** `open`: nobody said. `broken`: said wrongly, and already complained of. */
export type ArgumentType =
  | { readonly kind: ScalarKind | 'open' | 'broken' }
  | { readonly kind: 'const'; readonly value: EnumMember }
  | { readonly kind: 'enum'; readonly values: readonly EnumMember[] }
  | { readonly kind: 'array'; readonly items: ArgumentType }
  | { readonly kind: 'record'; readonly values: ArgumentType }
  | { readonly kind: 'tuple'; readonly items: readonly ArgumentType[] }
  | { readonly kind: 'class'; readonly Class: ArgumentClass }
  | { readonly kind: 'oneOf'; readonly discriminator: string; readonly Classes: readonly ArgumentClass[] }
  | { readonly kind: 'union'; readonly members: readonly ArgumentType[] }
  | { readonly kind: 'nullable'; readonly type: ArgumentType };

/** The types directly inside a type. */
function innerTypes(type: ArgumentType): readonly ArgumentType[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'record':
      return [type.values];
    case 'tuple':
      return type.items;
    case 'union':
      return type.members;
    case 'nullable':
      return [type.type];
    default:
      return [];
  }
}

/** The classes a type names, in the order in which they are written. */
export function classesIn(type: ArgumentType): readonly ArgumentClass[] {
  if (type.kind === 'class') return [type.Class];
  if (type.kind === 'oneOf') return type.Classes;
  return innerTypes(type).flatMap(classesIn);
}

/** True if some part of the type meets the condition. */
export const hasPart = (type: ArgumentType, meets: (part: ArgumentType) => boolean): boolean =>
  meets(type) || innerTypes(type).some((inner) => hasPart(inner, meets));

/** The type without its null. */
export const withoutNull = (type: ArgumentType): ArgumentType =>
  type.kind === 'nullable' ? withoutNull(type.type) : type;

// Compilers emit little and not the same, so silence and `Object` never count.
export function contradictsEmitted(type: ArgumentType, emitted: unknown): boolean {
  if (emitted === undefined || emitted === Object || typeof emitted !== 'function') return false;
  const expected = expectedOf(type);
  return expected !== undefined && !expected.some((known) => known === emitted || isParent(emitted, known));
}

/** What compilers emit for a property of this type; undefined: anything. */
function expectedOf(type: ArgumentType): readonly unknown[] | undefined {
  switch (type.kind) {
    case 'string':
      return [String];
    case 'number':
    case 'integer':
      return [Number];
    case 'boolean':
      return [Boolean];
    case 'date':
      return [Date];
    case 'array':
    case 'tuple':
      return [Array];
    case 'record':
    case 'object':
      return [Object];
    case 'class':
      return [type.Class];
    case 'oneOf':
      return type.Classes;
    case 'const':
    case 'enum':
      return valueTypes(type.kind === 'const' ? [type.value] : type.values);
    default:
      return undefined;
  }
}

const valueTypes = (values: readonly unknown[]): readonly unknown[] =>
  values.map((value) => (typeof value === 'string' ? String : typeof value === 'number' ? Number : Boolean));

/** A field may be declared as a parent of the class that fills it. */
const isParent = (parent: object, known: unknown): boolean =>
  typeof known === 'function' && Object.prototype.isPrototypeOf.call(parent, known);

/** What both say, the narrower of the two; undefined: they contradict. Null that `said` allows stays allowed. */
export function meetTypes(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (also.kind === 'open' || said.kind === 'broken') return said;
  if (said.kind === 'open' || also.kind === 'broken') return also;
  if (said.kind === 'nullable') return rebuilt(meetTypes(said.type, withoutNullOf(also)), nullableOf);
  if (also.kind === 'nullable') return meetTypes(said, also.type);
  return (
    meetValues(said, also) ?? meetLists(said, also) ?? meetObjects(said, also) ?? meetScalars(said, also)
  );
}

const withoutNullOf = (type: ArgumentType): ArgumentType => (type.kind === 'nullable' ? type.type : type);

const nullableOf = (type: ArgumentType): ArgumentType => ({ kind: 'nullable', type });

const rebuilt = (
  inner: ArgumentType | undefined,
  build: (inner: ArgumentType) => ArgumentType,
): ArgumentType | undefined => (inner === undefined ? undefined : build(inner));

function meetValues(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  const left = valuesOf(said);
  const right = valuesOf(also);
  if (left === undefined && right === undefined) return undefined;
  const both = (left ?? right ?? []).filter((value) => fits(value, said) && fits(value, also));
  const [only] = both;
  if (only === undefined) return undefined;
  const isConstant = said.kind === 'const' || also.kind === 'const';
  return isConstant ? { kind: 'const', value: only } : { kind: 'enum', values: both };
}

function valuesOf(type: ArgumentType): readonly EnumMember[] | undefined {
  if (type.kind === 'const') return [type.value];
  return type.kind === 'enum' ? type.values : undefined;
}

function fits(value: EnumMember, type: ArgumentType): boolean {
  switch (type.kind) {
    case 'const':
      return type.value === value;
    case 'enum':
      return type.values.includes(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type.kind;
  }
}

function meetLists(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (said.kind === 'array' && also.kind === 'array') {
    return rebuilt(meetTypes(said.items, also.items), (items) => ({ kind: 'array', items }));
  }
  if (said.kind === 'array' && also.kind === 'tuple') return meetLists(also, said);
  if (said.kind !== 'tuple' || also.kind !== 'array') return undefined;
  const items = said.items.map((item) => meetTypes(item, also.items));
  return items.every(isType) ? { kind: 'tuple', items } : undefined;
}

const isType = (type: ArgumentType | undefined): type is ArgumentType => type !== undefined;

function meetObjects(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (said.kind === 'class' && also.kind === 'class') return said.Class === also.Class ? said : undefined;
  if (also.kind === 'object' && isObjectKind(said.kind)) return said;
  if (said.kind === 'object' && isObjectKind(also.kind)) return also;
  return undefined;
}

const isObjectKind = (kind: ArgumentType['kind']): boolean =>
  kind === 'class' || kind === 'oneOf' || kind === 'record' || kind === 'object';

function meetScalars(said: ArgumentType, also: ArgumentType): ArgumentType | undefined {
  if (said.kind === also.kind && scalarKinds.has(said.kind)) return said;
  if (said.kind === 'number' && also.kind === 'integer') return also;
  return said.kind === 'integer' && also.kind === 'number' ? said : undefined;
}

const scalarKinds: ReadonlySet<string> = new Set<ScalarKind>([
  'string',
  'number',
  'integer',
  'boolean',
  'date',
]);

// Thunks are called here, at registration and not before.
const broken: ArgumentType = { kind: 'broken' };

/** The type with its classes found; a part that can't be read is `broken`, and complained of. */
export function resolveType(declared: DeclaredType, complain: Complain): ArgumentType {
  const inside = (type: DeclaredType): ArgumentType => resolveType(type, complain);
  switch (declared.kind) {
    case 'class':
      return classType(declared.classOf, complain);
    case 'oneOf':
      return oneOfType(declared.discriminator, declared.classesOf, complain);
    case 'array':
      return { kind: 'array', items: inside(declared.items) };
    case 'record':
      return { kind: 'record', values: inside(declared.values) };
    case 'tuple':
      return nonEmpty(declared.items.map(inside), 'tupleOf', complain, (items) => ({ kind: 'tuple', items }));
    case 'enum':
      return nonEmpty(declared.values, 'an enum', complain, (values) => ({ kind: 'enum', values }));
    case 'union':
      return unionType(declared.members.map(inside), complain);
    case 'nullable':
      return { kind: 'nullable', type: withoutNull(inside(declared.type)) };
    case 'unreadable':
      complain(`has a type that can't be read: ${declared.written}`, readableTypes);
      return broken;
    default:
      return { kind: declared.kind };
  }
}

const readableTypes =
  'write String, Number, Boolean, Date, Object, () => Class, or one of arrayOf, recordOf, tupleOf, enumOf, ' +
  'oneOf, unionOf, nullable';

/** What a thunk such as class-transformer's names: a class, or one of JavaScript's own. */
export function classType(classOf: () => unknown, complain: Complain): ArgumentType {
  const found = called(classOf);
  const scalar = scalarTypes.get(found);
  if (scalar !== undefined) return { kind: scalar };
  if (isClass(found)) return { kind: 'class', Class: found };
  complain(
    `names a class that isn't there (${String(found)})`,
    'write a thunk, () => Class, and see that the class is exported and loaded before tools are registered',
  );
  return broken;
}

function called(thunk: () => unknown): unknown {
  try {
    return thunk();
  } catch (error) {
    return error;
  }
}

const isClass = (value: unknown): value is ArgumentClass =>
  typeof value === 'function' && Object.hasOwn(value, 'prototype') && value !== Array;

function oneOfType(discriminator: string, classesOf: () => unknown, complain: Complain): ArgumentType {
  const found = called(classesOf);
  const types = Array.isArray(found) ? found.map((Class: unknown) => classType(() => Class, complain)) : [];
  const Classes = types.flatMap((type) => (type.kind === 'class' ? [type.Class] : []));
  if (Classes.length === types.length && Classes.length > 0) return { kind: 'oneOf', discriminator, Classes };
  complain('has @OneOf without a list of classes', `write @OneOf('${discriminator}', () => [First, Second])`);
  return broken;
}

function nonEmpty<Part>(
  parts: readonly Part[],
  what: string,
  complain: Complain,
  build: (parts: readonly Part[]) => ArgumentType,
): ArgumentType {
  if (parts.length > 0) return build(parts);
  complain(`has ${what} with nothing in it`, 'name at least one');
  return broken;
}

function unionType(members: readonly ArgumentType[], complain: Complain): ArgumentType {
  if (members.some((member) => hasPart(member, ({ kind }) => kind === 'broken'))) return broken;
  const kinds = members.map(jsonKindOf);
  const isClear = members.length > 1 && new Set(kinds).size === kinds.length && !kinds.includes('unclear');
  if (isClear) return { kind: 'union', members };
  complain(
    'has a unionOf whose members JSON can’t tell apart',
    'name one type each of text, number, boolean, list and object; for classes write oneOf(discriminator, () => [...])',
  );
  return broken;
}

/** What JSON shows of a value of this type. */
function jsonKindOf(type: ArgumentType): string {
  switch (type.kind) {
    case 'string':
    case 'date':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
    case 'tuple':
      return 'list';
    case 'enum':
    case 'nullable':
    case 'union':
      return kindOfParts(type);
    default:
      return 'object';
  }
}

function kindOfParts(type: ArgumentType): string {
  if (type.kind !== 'enum') return 'unclear';
  const kinds = new Set(type.values.map((value) => (typeof value === 'string' ? 'text' : typeof value)));
  return kinds.size === 1 ? String([...kinds][0]) : 'unclear';
}

/** "a list of text", "Edit", "one of 'a', 'b'". */
export function typeWords(type: ArgumentType): string {
  switch (type.kind) {
    case 'const':
      return `the constant ${JSON.stringify(type.value)}`;
    case 'enum':
      return `one of ${type.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'array':
      return type.items.kind === 'open' ? 'a list' : `a list of ${typeWords(type.items)}`;
    case 'record':
      return `a map of ${typeWords(type.values)}`;
    case 'tuple':
      return `a list of ${type.items.length} places`;
    case 'class':
      return type.Class.name;
    case 'oneOf':
      return type.Classes.map(({ name }) => name).join(' or ');
    case 'union':
      return type.members.map(typeWords).join(' or ');
    case 'nullable':
      return `${typeWords(type.type)} or null`;
    default:
      return scalarWords[type.kind];
  }
}

const scalarWords = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  date: 'a date',
  object: 'an object',
  open: 'anything',
  broken: 'unreadable',
} as const;

import type { ReportProblem } from '../errors/definition-error.ts';
import { type SchemaObject, isSchemaObject } from '../schema/json-schema.ts';
import { validatorMistake } from '../schema/not-a-schema.ts';
import { hasReference } from '../schema/references.ts';
import type { Constructor } from '../tool/tool-contract.ts';
import {
  type DeclaredType,
  type EnumMember,
  type ScalarKind,
  isClass,
  scalarTypes,
} from './declarations.ts';

/**
 * A type with its classes resolved. `unknown`: not stated. `invalid`: stated wrongly, and already
 * reported.
 */
export type ArgumentType =
  | { readonly kind: ScalarKind | 'unknown' | 'invalid' }
  | { readonly kind: 'schema'; readonly schema: SchemaObject }
  | { readonly kind: 'const'; readonly value: EnumMember }
  | { readonly kind: 'enum'; readonly values: readonly EnumMember[] }
  | { readonly kind: 'array'; readonly items: ArgumentType }
  | { readonly kind: 'record'; readonly values: ArgumentType }
  | { readonly kind: 'tuple'; readonly items: readonly ArgumentType[] }
  | { readonly kind: 'class'; readonly Class: Constructor }
  | {
      readonly kind: 'oneOf';
      readonly discriminator: string;
      readonly Classes: readonly Constructor[];
    }
  | { readonly kind: 'union'; readonly members: readonly ArgumentType[] }
  | { readonly kind: 'nullable'; readonly type: ArgumentType };

export type OneOfType = Extract<ArgumentType, { readonly kind: 'oneOf' }>;

type Kind = ArgumentType['kind'];

/** What is fixed for all types of a kind. */
interface KindFacts {
  /** The JSON type of its values. */
  readonly json?: 'string' | 'number' | 'boolean' | 'array' | 'object';
  /** The constructor that compilers emit for it. */
  readonly emittedType?: unknown;
  /** In TypeScript's notation. Default: the kind itself. */
  readonly text?: string;
  /** As an element type in the source. Absent for types that are unlikely to be one. */
  readonly element?: string;
}

export const kindFacts: ReadonlyMap<string, KindFacts> = new Map(
  Object.entries({
    string: { json: 'string', emittedType: String, element: 'String' },
    number: { json: 'number', emittedType: Number, element: 'Number' },
    integer: { json: 'number', emittedType: Number, element: 'integer' },
    boolean: { json: 'boolean', emittedType: Boolean, element: 'Boolean' },
    date: { json: 'string', emittedType: Date, text: 'Date', element: 'Date' },
    day: { json: 'string', emittedType: String, text: 'string' },
    object: { json: 'object', emittedType: Object, element: '() => Class' },
    array: { json: 'array', emittedType: Array },
    tuple: { json: 'array', emittedType: Array },
    record: { json: 'object', emittedType: Object },
    class: { json: 'object' },
    oneOf: { json: 'object' },
    enum: { element: 'enumOf(...)' },
    any: { text: 'any JSON' },
    schema: { text: 'a JSON Schema' },
  } satisfies { readonly [kind in Kind]?: KindFacts }),
);

/** The types directly inside a type; those of classes are not. */
function innerTypes(type: ArgumentType): readonly ArgumentType[] {
  if (type.kind === 'array') return [type.items];
  if (type.kind === 'record') return [type.values];
  if (type.kind === 'tuple') return type.items;
  if (type.kind === 'union') return type.members;
  return type.kind === 'nullable' ? [type.type] : none;
}

const none: readonly never[] = [];

/** The type itself and all types inside it. */
export const partsOf = (type: ArgumentType): readonly ArgumentType[] => [
  type,
  ...innerTypes(type).flatMap(partsOf),
];

export const hasKind = (type: ArgumentType, kind: Kind): boolean =>
  type.kind === kind || innerTypes(type).some((inner) => hasKind(inner, kind));

export function classesIn(type: ArgumentType): readonly Constructor[] {
  if (type.kind === 'class') return [type.Class];
  return type.kind === 'oneOf' ? type.Classes : innerTypes(type).flatMap(classesIn);
}

export const withoutNull = (type: ArgumentType): ArgumentType =>
  type.kind === 'nullable' ? withoutNull(type.type) : type;

/** The type in TypeScript's notation: `string[]`, `Record<string, Edit>`, `"a" | "b"`. */
export function typeText(type: ArgumentType): string {
  switch (type.kind) {
    case 'const':
      return JSON.stringify(type.value);
    case 'enum':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'array':
      return ['enum', 'oneOf', 'union', 'nullable'].includes(type.items.kind)
        ? `(${typeText(type.items)})[]`
        : `${typeText(type.items)}[]`;
    case 'record':
      return `Record<string, ${typeText(type.values)}>`;
    case 'tuple':
      return `[${type.items.map(typeText).join(', ')}]`;
    case 'class':
      return type.Class.name;
    case 'oneOf':
      return type.Classes.map(({ name }) => name).join(' | ');
    case 'union':
      return type.members.map(typeText).join(' | ');
    case 'nullable':
      return `${typeText(type.type)} | null`;
    default:
      return kindFacts.get(type.kind)?.text ?? type.kind;
  }
}

/**
 * The narrower of two types that both hold; undefined if they contradict each other. Nullable only
 * if `stated` is.
 */
export function meetTypes(statedType: ArgumentType, other: ArgumentType): ArgumentType | undefined {
  if (other.kind === 'unknown' || statedType.kind === 'invalid') return statedType;
  if (statedType.kind === 'unknown' || other.kind === 'invalid') return other;
  if (statedType.kind === 'nullable') {
    const type = meetTypes(statedType.type, withoutNull(other));
    return type && { kind: 'nullable', type };
  }
  if (other.kind === 'nullable') return meetTypes(statedType, other.type);
  if (isWithin(statedType, other)) return statedType;
  if (isWithin(other, statedType)) return other;
  return (
    meetValues(statedType, other) ?? meetArrays(statedType, other) ?? meetArrays(other, statedType)
  );
}

function isWithin(narrow: ArgumentType, wide: ArgumentType): boolean {
  if (wide.kind === 'any') return true;
  const { json } = kindFacts.get(wide.kind) ?? {};
  if (wide.kind === 'object') return kindFacts.get(narrow.kind)?.json === json;
  if (wide.kind === 'class') return narrow.kind === 'class' && narrow.Class === wide.Class;
  const isScalar = json !== undefined && json !== 'array' && json !== 'object';
  const narrower: Kind =
    wide.kind === 'string' ? 'day' : wide.kind === 'number' ? 'integer' : wide.kind;
  return isScalar && (narrow.kind === wide.kind || narrow.kind === narrower);
}

function meetValues(statedType: ArgumentType, other: ArgumentType): ArgumentType | undefined {
  const values = valuesOf(statedType) ?? valuesOf(other) ?? [];
  const both = values.filter((value) => accepts(statedType, value) && accepts(other, value));
  const [only] = both;
  if (only === undefined) return undefined;
  const isConstant = statedType.kind === 'const' || other.kind === 'const';
  return isConstant ? { kind: 'const', value: only } : { kind: 'enum', values: both };
}

function valuesOf(type: ArgumentType): readonly EnumMember[] | undefined {
  if (type.kind === 'const') return [type.value];
  return type.kind === 'enum' ? type.values : undefined;
}

const accepts = (type: ArgumentType, value: EnumMember): boolean =>
  valuesOf(type)?.includes(value) ??
  (type.kind === 'integer' ? Number.isInteger(value) : typeof value === type.kind);

function meetArrays(one: ArgumentType, other: ArgumentType): ArgumentType | undefined {
  if (other.kind !== 'array') return undefined;
  if (one.kind === 'array') {
    const items = meetTypes(one.items, other.items);
    return items && { kind: 'array', items };
  }
  if (one.kind !== 'tuple') return undefined;
  const items = one.items.flatMap((item) => meetTypes(item, other.items) ?? []);
  return items.length === one.items.length ? { kind: 'tuple', items } : undefined;
}

/**
 * Whether `design:type` contradicts the type. Undefined and `Object`, which compilers emit for most
 * types, don't.
 */
export function contradictsEmitted(type: ArgumentType, emittedType: unknown): boolean {
  if (emittedType === Object || typeof emittedType !== 'function') return false;
  const emittedTypes = emittedFor(type);
  return (
    emittedTypes.length > 0 &&
    !emittedTypes.some((possible) => possible === emittedType || isParent(emittedType, possible))
  );
}

/** The constructors that compilers emit for a property of this type; empty: any. */
function emittedFor(type: ArgumentType): readonly unknown[] {
  if (type.kind === 'class' || type.kind === 'oneOf') return classesIn(type);
  const kinds = valuesOf(type)?.map((value) => typeof value) ?? [type.kind];
  return kinds.flatMap((kind) => kindFacts.get(kind)?.emittedType ?? []);
}

/** A field may be declared as a parent of the class that fills it. */
const isParent = (parent: object, child: unknown): boolean =>
  typeof child === 'function' && Object.prototype.isPrototypeOf.call(parent, child);

export const invalid: ArgumentType = { kind: 'invalid' };

/** Calls the thunks in a type. A type that can't be resolved is reported and becomes `invalid`. */
export function resolveType(declaredType: DeclaredType, report: ReportProblem): ArgumentType {
  const resolvePart = (type: DeclaredType): ArgumentType => resolveType(type, report);
  switch (declaredType.kind) {
    case 'class':
      return classType(declaredType.classOf, report);
    case 'oneOf':
      return oneOfType(declaredType.discriminator, declaredType.classesOf, report);
    case 'array':
      return { kind: 'array', items: resolvePart(declaredType.items) };
    case 'record':
      return { kind: 'record', values: resolvePart(declaredType.values) };
    case 'tuple':
      if (declaredType.items.length > 0)
        return { kind: 'tuple', items: declaredType.items.map(resolvePart) };
      return reportedType(report, 'has an empty tuple', 'name the type of at least one element');
    case 'enum':
      if (declaredType.values.length > 0) return { kind: 'enum', values: declaredType.values };
      return reportedType(report, 'has an empty enum', 'name at least one value');
    case 'union':
      return unionType(declaredType.members.map(resolvePart), report);
    case 'nullable':
      return { kind: 'nullable', type: withoutNull(resolvePart(declaredType.type)) };
    case 'schema':
      return schemaType(declaredType.schema, report);
    case 'unreadable':
      return reportedType(report, declaredType.what, declaredType.instead);
    default:
      return { kind: declaredType.kind };
  }
}

function reportedType(report: ReportProblem, what: string, instead: string): ArgumentType {
  report(what, instead);
  return invalid;
}

function schemaType(schema: unknown, report: ReportProblem): ArgumentType {
  const mistake = validatorMistake(schema);
  if (mistake !== undefined || !isSchemaObject(schema))
    return reportedType(
      report,
      `has a schemaOf that ${mistake?.what ?? 'is not a schema'}`,
      notASchema,
    );
  if (!hasReference(schema)) return { kind: 'schema', schema: structuredClone(schema) };
  // Inside the tool's schema, the reference would lead elsewhere.
  return reportedType(report, 'has a schemaOf with a $ref', 'write what it refers to in its place');
}

const notASchema = "write a JSON Schema, schemaOf({ type: 'string', … })";

/**
 * The type for a thunk's result: a class, or one of `String`, `Number`, `Boolean`, `Date`,
 * `Object`.
 */
export function classType(classOf: () => unknown, report: ReportProblem): ArgumentType {
  const Class = resultOf(classOf);
  const scalar = scalarTypes.get(Class);
  if (scalar !== undefined) return { kind: scalar };
  if (isClass(Class) && Class !== Array) return { kind: 'class', Class };
  return reportedType(
    report,
    `names a class that can't be resolved (${String(Class)})`,
    'write a thunk, () => Class, and make sure that the class is exported and loaded before tools are registered',
  );
}

function resultOf(thunk: () => unknown): unknown {
  try {
    return thunk();
  } catch (error) {
    return error;
  }
}

function oneOfType(
  discriminator: string,
  classesOf: () => unknown,
  report: ReportProblem,
): ArgumentType {
  const classes = resultOf(classesOf);
  const types = Array.isArray(classes)
    ? classes.map((Class: unknown) => classType(() => Class, report))
    : [];
  const Classes = types.flatMap(classesIn);
  if (Classes.length > 0 && Classes.length === types.length)
    return { kind: 'oneOf', discriminator, Classes };
  const instead = `write @OneOf('${discriminator}', () => [First, Second])`;
  return reportedType(report, 'has @OneOf without an array of classes', instead);
}

function unionType(members: readonly ArgumentType[], report: ReportProblem): ArgumentType {
  if (members.some((member) => hasKind(member, 'invalid'))) return invalid;
  const kinds = members.map(jsonKindOf);
  const isClear =
    members.length > 1 && new Set(kinds).size === kinds.length && !kinds.includes('mixed');
  if (isClear) return { kind: 'union', members };
  return reportedType(
    report,
    "has a unionOf whose members don't differ in JSON",
    'name at most one type each of string, number, boolean, array and object; for classes write oneOf(discriminator, () => [...])',
  );
}

/** The JSON type of all values of a type; `mixed` if there are several. */
export function jsonKindOf(type: ArgumentType): string {
  const [kind, ...others] = new Set(valuesOf(type)?.map((value) => typeof value));
  if (kind !== undefined) return others.length === 0 ? kind : 'mixed';
  return kindFacts.get(type.kind)?.json ?? 'mixed';
}

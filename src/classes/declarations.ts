import 'reflect-metadata';
import type { Constructor, ToolOptions } from '../tool/tool-contract.ts';
import {
  type Constraint,
  type TransformerMetadata,
  constraintsOf,
  ownConstrainedMembers,
  transformerMetadataOf,
} from './class-validator.ts';

export type EnumMember = string | number | boolean;

/** A type as decorators state it. Class references stay thunks until registration. */
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

/** `object` is a map of anything; a `date` is sent as a string. */
export type ScalarKind = 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'object';

export const scalarTypes: ReadonlyMap<unknown, ScalarKind> = new Map<unknown, ScalarKind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Object, 'object'],
]);

const typeMarker = Symbol.for('toolmend.type');

/** Marks a type, so that `isDeclaredType` recognises it across two installed copies of toolmend. */
export const declaredType = (type: DeclaredType): DeclaredType =>
  Object.freeze(Object.defineProperty({ ...type }, typeMarker, { value: true }));

export const isDeclaredType = (value: unknown): value is DeclaredType =>
  typeof value === 'object' && value !== null && Reflect.get(value, typeMarker) === true;

/** The values of a TypeScript enum, of an object of constants, or of a list, each once. */
export function enumMembers(written: object): readonly EnumMember[] {
  const values: readonly unknown[] = Array.isArray(written)
    ? written
    : Object.entries(written).flatMap(([key, value]: readonly [string, unknown]) =>
        isReverseMapping(written, key, value) ? [] : [value],
      );
  return Object.freeze([...new Set(values.filter(isEnumMember))]);
}

/** TypeScript maps the numbers of a numeric enum back to their names; those names are not values. */
function isReverseMapping(written: object, key: string, value: unknown): boolean {
  if (typeof value !== 'string' || !Object.hasOwn(written, value)) return false;
  const forward: unknown = Reflect.get(written, value);
  return typeof forward === 'number' && String(forward) === key;
}

export const isEnumMember = (value: unknown): value is EnumMember =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

export const isClass = (value: unknown): value is Constructor =>
  typeof value === 'function' && Object.hasOwn(value, 'prototype');

/** What one decorator states about a field. */
export interface FieldDeclaration {
  readonly type?: DeclaredType;
  readonly description?: string;
  readonly title?: string;
  readonly hint?: string;
  readonly aliases?: readonly string[];
  readonly default?: { readonly value: unknown };
  readonly example?: { readonly value: unknown };
  readonly pair?: { readonly partner: string; readonly value: unknown };
  /** `key` absent: the field's own name. */
  readonly context?: { readonly key?: string };
  readonly path?: true;
  readonly verbatim?: true;
  readonly secret?: true;
  readonly nullable?: true;
  readonly unhinted?: true;
}

/** What one decorator states about a method. */
export interface MethodDeclaration {
  readonly check?: true;
  readonly tool?: { readonly Arguments: Constructor; readonly options: ToolOptions };
  readonly hint?: string;
}

/** What one decorator states about a class. */
export interface ClassDeclaration {
  readonly tool?: ToolOptions;
  readonly hint?: string;
  readonly example?: { readonly value: unknown };
}

/** One use of a decorator. */
export type Declaration = {
  /** As it is written: `@Describe`. */
  readonly decorator: string;
  /** Decorators of class-validator that the class had before it; they give the members their order. */
  readonly constraintsBefore: number;
} & (
  | { readonly on: 'field'; readonly member: string; readonly field: FieldDeclaration }
  | { readonly on: 'method'; readonly member: string; readonly method: MethodDeclaration }
  | { readonly on: 'class'; readonly member?: never; readonly class: ClassDeclaration }
  | ({ readonly on: 'elsewhere' } & MisplacedDecorator)
);

/** A decorator on something that it can't decorate; registration reports it with all other problems. */
export interface MisplacedDecorator {
  readonly member?: string;
  readonly what: string;
  readonly instead: string;
}

// On the class itself, so that nothing is global and the declarations are collected together with the class.
const metadataKey = Symbol.for('toolmend.declarations');

/** The declarations on a class, without its parents', in the order in which the decorators ran. */
export function ownDeclarations(Class: object): readonly Declaration[] {
  const stored: unknown = Reflect.getOwnMetadata(metadataKey, Class);
  return isDeclarations(stored) ? stored : [];
}

const isDeclarations = (value: unknown): value is readonly Declaration[] => Array.isArray(value);

export function addDeclaration(Class: object, declaration: Declaration): void {
  const declarations = Object.freeze([...ownDeclarations(Class), Object.freeze(declaration)]);
  Reflect.defineMetadata(metadataKey, declarations, Class);
}

/** A class with its parents: parents' members come first, and a class replaces what its parents state. */
export interface DeclaredClass {
  readonly Class: Constructor;
  /** In the order in which they are written. */
  readonly fields: readonly DeclaredField[];
  /** The options of `@Tool` on the class itself. */
  readonly tools: readonly ToolOptions[];
  readonly toolMethods: readonly DeclaredToolMethod[];
  /** Names of the `@Check` methods. */
  readonly checks: readonly string[];
  /** Texts of `@Contract` on the class and its parents. */
  readonly hints: readonly string[];
  /** Values of `@Example` on the class itself. */
  readonly examples: readonly unknown[];
  readonly misplaced: readonly MisplacedDecorator[];
}

export interface DeclaredField {
  readonly name: string;
  /** What decorators state under one key, in the order in which they are written. */
  stated<Key extends keyof FieldDeclaration>(key: Key): readonly Stated<Key>[];
  readonly constraints: readonly Constraint[];
  readonly transformer: TransformerMetadata;
  /** The compiler's `design:type`; undefined for compilers that emit none. It only confirms the declared type. */
  readonly emitted: unknown;
}

export interface Stated<Key extends keyof FieldDeclaration> {
  readonly decorator: string;
  readonly value: NonNullable<FieldDeclaration[Key]>;
}

export interface DeclaredToolMethod {
  readonly method: string;
  readonly Arguments: Constructor;
  readonly options: ToolOptions;
  readonly hints: readonly string[];
}

export function readDeclaredClass(Class: Constructor): DeclaredClass {
  const chain = chainOf(Class);
  const levels = chain.map((owner) => Map.groupBy(ownDeclarations(owner), ({ member }) => member));
  const constraints = Map.groupBy(constraintsOf(chain), ({ member }) => member);
  const fieldNames = new Set(chain.flatMap(fieldNamesOf));
  const methodNames = new Set(
    chain
      .flatMap((owner) => ownDeclarations(owner).flatMap(methodName))
      .filter((name) => !fieldNames.has(name)),
  );
  const own = onClass(Class);
  return {
    Class,
    fields: [...fieldNames].map((name) => ({
      name,
      stated: (key) => nearest(levels, name, (declaration) => statedIn(declaration, key)),
      constraints: constraints.get(name) ?? [],
      transformer: transformerMetadataOf(Class, name),
      emitted: Reflect.getMetadata('design:type', Class.prototype, name),
    })),
    tools: own.flatMap(({ tool }) => tool ?? []),
    toolMethods: [...methodNames].flatMap((method) => toolMethodsOf(levels, method)),
    checks: [...methodNames].filter((name) => nearestInMethod(levels, name, ({ check }) => check).length > 0),
    hints: chain.flatMap(onClass).flatMap(({ hint }) => hint ?? []),
    examples: own.flatMap(({ example }) => (example === undefined ? [] : [example.value])),
    misplaced: chain.flatMap((owner) =>
      ownDeclarations(owner).flatMap((declaration) => (declaration.on === 'elsewhere' ? [declaration] : [])),
    ),
  };
}

/** The class and its parents, the farthest parent first. */
function chainOf(Class: Constructor): readonly Constructor[] {
  const parent: unknown = Object.getPrototypeOf(Class);
  return isClass(parent) ? [...chainOf(parent), Class] : [Class];
}

/** The members that one class decorates, in the order in which their first decorators ran, which is that of writing. */
function fieldNamesOf(Class: Constructor): readonly string[] {
  const constrained = ownConstrainedMembers(Class);
  const names: string[] = [];
  let next = 0;
  for (const { on, member, constraintsBefore } of ownDeclarations(Class)) {
    if (on !== 'field') continue;
    names.push(...constrained.slice(next, constraintsBefore), member);
    next = Math.max(next, constraintsBefore);
  }
  return [...names, ...constrained.slice(next)];
}

const methodName = (declaration: Declaration): readonly string[] =>
  declaration.on === 'method' ? [declaration.member] : [];

/** Decorators of a class run from the last to the first. */
const onClass = (Class: Constructor): readonly ClassDeclaration[] =>
  ownDeclarations(Class)
    .flatMap((declaration) => (declaration.on === 'class' ? [declaration.class] : []))
    .toReversed();

/** Declarations by member, of a class and its parents, the class itself last. */
type Levels = readonly ReadonlyMap<string | undefined, readonly Declaration[]>[];

/** What the nearest class that states anything states about a member, in the order of writing. */
function nearest<Value>(
  levels: Levels,
  member: string,
  read: (declaration: Declaration) => readonly Value[],
): readonly Value[] {
  const found = levels.map((level) => (level.get(member) ?? []).flatMap(read));
  return (found.findLast((values) => values.length > 0) ?? []).toReversed();
}

function statedIn<Key extends keyof FieldDeclaration>(
  declaration: Declaration,
  key: Key,
): readonly Stated<Key>[] {
  const value = declaration.on === 'field' ? declaration.field[key] : undefined;
  return value === undefined || value === null ? [] : [{ decorator: declaration.decorator, value }];
}

const nearestInMethod = <Value>(
  levels: Levels,
  member: string,
  read: (method: MethodDeclaration) => Value | undefined,
): readonly Value[] =>
  nearest(levels, member, (declaration) => {
    const value = declaration.on === 'method' ? read(declaration.method) : undefined;
    return value === undefined ? [] : [value];
  });

const toolMethodsOf = (levels: Levels, method: string): readonly DeclaredToolMethod[] =>
  nearestInMethod(levels, method, ({ tool }) => tool).map((tool) => ({
    ...tool,
    method,
    hints: nearestInMethod(levels, method, ({ hint }) => hint),
  }));

import 'reflect-metadata';
import type { DeclaredExecution } from '../tool/tool-contract.ts';
import {
  type Constraint,
  type TransformerFacts,
  constraintsOf,
  ownConstrainedMembers,
  transformerFactsOf,
} from './class-validator.ts';

// Class references stay thunks until registration.
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

// One plain record each; nothing here is computed.
/** One decorator, as it was written. */
export interface Declaration {
  /** For people: `@Describe`. */
  readonly decorator: string;
  readonly on: 'class' | 'field' | 'method' | 'elsewhere';
  /** The field's or method's name. */
  readonly member?: string;
  /** How many of class-validator's decorators the class already had: it gives the members their order. */
  readonly after: number;
  readonly fact: DeclaredFact;
}

export type DeclaredFact = FieldFact | MethodFact | ClassFact | ComplaintFact;

export type FieldFact =
  | { readonly about: 'field' }
  | { readonly about: 'type'; readonly type: DeclaredType }
  | { readonly about: 'description' | 'title' | 'hint'; readonly text: string }
  | { readonly about: 'path' | 'verbatim' | 'secret' | 'nullable' | 'unhinted' }
  | { readonly about: 'aliases'; readonly names: readonly string[] }
  | { readonly about: 'default' | 'example'; readonly value: unknown }
  | { readonly about: 'pair'; readonly partner: string; readonly value: unknown }
  | { readonly about: 'context'; readonly key: string };

export type MethodFact =
  | { readonly about: 'check' }
  | { readonly about: 'method'; readonly Arguments: ArgumentClass; readonly options: DeclaredTool };

export type ClassFact = { readonly about: 'tool'; readonly options: DeclaredTool };

/** A decorator that was used where it can't stand; told at registration, with all the others. */
export interface ComplaintFact {
  readonly about: 'complaint';
  readonly what: string;
  readonly instead: string;
}

/** What `@Tool` and `@ToolMethod` take. */
export interface DeclaredTool extends DeclaredExecution {
  /** Absent: the class's or method's name in snake case. */
  readonly name?: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /** How dangerous the tool is; it decides which repairs may act. */
  readonly effects?: 'read' | 'write' | 'destructive';
  /** Milliseconds a call may take. */
  readonly timeoutMs?: number;
  /** Whether `ToolRegistry.select` takes the tool for this context. Default: it does. */
  readonly enabled?: (values: Readonly<Record<string, unknown>>) => boolean;
  /** Selections don't show the tool from the start; models find it by a search tool. Default: it is shown. */
  readonly deferred?: boolean;
  /** `drop`: undeclared keys are removed, recorded, and the model is told. Default: `refuse`. */
  readonly unknownArguments?: 'reject' | 'strip';
  /** Default: `lossless` for destructive tools, else `all`. */
  readonly repair?: 'all' | 'lossless';
}

// On the class itself, so nothing is process-wide and a class that is dropped takes its records along. The only file
// that touches reflect-metadata.
const metadataKey = Symbol.for('toolmend.declarations');

/** What was declared on this very class, in the order in which decorators ran; parents are not asked. */
export function ownDeclarations(Class: object): readonly Declaration[] {
  const stored: unknown = Reflect.getOwnMetadata(metadataKey, Class);
  return isDeclarations(stored) ? stored : [];
}

/** Adds one record. The list is copied, so that no list once handed out changes. */
export function addDeclaration(Class: object, declaration: Declaration): void {
  Reflect.defineMetadata(
    metadataKey,
    Object.freeze([...ownDeclarations(Class), Object.freeze(declaration)]),
    Class,
  );
}

/** What the compiler emitted as a member's type, if it did; it may confirm what was declared, never replace it. */
const emittedType = (Class: { readonly prototype: object }, member: string): unknown =>
  Reflect.getMetadata('design:type', Class.prototype, member);

const isDeclarations = (value: unknown): value is readonly Declaration[] => Array.isArray(value);

// What stands on no member is left out.
/** Per member, its records; members in the order of their first record. */
function groupByMember<Entry extends { readonly member?: string }>(
  entries: readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> {
  const grouped = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.member === undefined) continue;
    const known = grouped.get(entry.member);
    if (known === undefined) grouped.set(entry.member, [entry]);
    else known.push(entry);
  }
  return grouped;
}

// Parents' fields come first; what a class says of a member replaces what its parents said of the same thing.
export interface DeclaredClass {
  readonly Class: ArgumentClass;
  /** In the order in which they are written, parents' first. */
  readonly fields: readonly DeclaredField[];
  /** Decorators on methods, the nearest of each name. */
  readonly methods: readonly Declaration[];
  /** Decorators on the class itself, as they are written. */
  readonly own: readonly Declaration[];
  /** Decorators on the class and its parents, parents' first. */
  readonly all: readonly Declaration[];
  /** Decorators that stand where they can't. */
  readonly misplaced: readonly Declaration[];
}

export interface DeclaredField {
  readonly name: string;
  readonly declarations: readonly Declaration[];
  readonly constraints: readonly Constraint[];
  readonly transformer: TransformerFacts;
  /** What the compiler emitted; undefined under compilers that emit nothing. */
  readonly emitted: unknown;
}

export function readDeclaredClass(Class: ArgumentClass): DeclaredClass {
  const chain = chainOf(Class);
  const constraints = groupByMember(constraintsOf(Class));
  const byMember = nearestByMember(chain);
  const names = new Set(chain.flatMap(fieldNamesOf));
  return {
    Class,
    fields: [...names].map((name) => ({
      name,
      declarations: byMember.get(name) ?? [],
      constraints: constraints.get(name) ?? [],
      transformer: transformerFactsOf(Class, name),
      emitted: emittedType(Class, name),
    })),
    methods: [...byMember].flatMap(([name, found]) => (names.has(name) ? [] : found)),
    own: onClass(Class),
    all: chain.flatMap(onClass),
    misplaced: chain.flatMap((owner) => ownDeclarations(owner).filter(isMisplaced)),
  };
}

const isMisplaced = ({ fact }: Declaration): boolean => fact.about === 'complaint';

// Decorators of a class run from the last to the first.
const onClass = (owner: ArgumentClass): readonly Declaration[] =>
  ownDeclarations(owner)
    .filter((declaration) => declaration.on === 'class' && !isMisplaced(declaration))
    .toReversed();

/** The class and its parents, the farthest parent first. */
function chainOf(Class: ArgumentClass): readonly ArgumentClass[] {
  const parent: unknown = Object.getPrototypeOf(Class);
  return isClass(parent) ? [...chainOf(parent), Class] : [Class];
}

const isClass = (value: unknown): value is ArgumentClass =>
  typeof value === 'function' && Object.hasOwn(value, 'prototype');

/** The members that one class decorates, in the order in which their first decorator ran: as they are written. */
function fieldNamesOf(Class: ArgumentClass): readonly string[] {
  const constrained = ownConstrainedMembers(Class);
  const declared = ownDeclarations(Class).filter(isFieldDeclaration);
  const names: string[] = [];
  let next = 0;
  for (const { member, after } of declared) {
    names.push(...constrained.slice(next, after));
    next = Math.max(next, after);
    if (member !== undefined) names.push(member);
  }
  return [...names, ...constrained.slice(next)];
}

const isFieldDeclaration = (declaration: Declaration): boolean =>
  declaration.on === 'field' && !isMisplaced(declaration);

/** Per member, what the nearest class says about each thing; parents' members first. */
function nearestByMember(chain: readonly ArgumentClass[]): ReadonlyMap<string, readonly Declaration[]> {
  const found = new Map<string, readonly Declaration[]>();
  for (const owner of chain) {
    for (const [member, declarations] of groupByMember(ownDeclarations(owner))) {
      const said = new Set(declarations.map(({ fact }) => fact.about));
      const kept = (found.get(member) ?? []).filter(({ fact }) => !said.has(fact.about));
      found.set(member, [...kept, ...declarations]);
    }
  }
  return found;
}

// TypeScript gives each member of a numeric enum an entry back to its name, and that entry is no value.
/** The values of a TypeScript enum, of an object of constants, or of a list, each once. */
export function enumMembers(written: object): readonly EnumMember[] {
  const values: readonly unknown[] = Array.isArray(written) ? written : valuesOf(written);
  return Object.freeze([...new Set(values.filter(isEnumMember))]);
}

const valuesOf = (written: object): readonly unknown[] =>
  Object.entries(written).flatMap(([key, value]: readonly [string, unknown]) =>
    isWayBack(written, key, value) ? [] : [value],
  );

const isWayBack = (written: object, key: string, value: unknown): boolean => {
  if (typeof value !== 'string' || !Object.hasOwn(written, value)) return false;
  const forward: unknown = Reflect.get(written, value);
  return typeof forward === 'number' && String(forward) === key;
};

const isEnumMember = (value: unknown): value is EnumMember =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

// Metadata under keys of its own, on a member that may be none.
/** One parameter, as a framework with decorated methods finds it. */
export interface MethodMetadata {
  readonly member: string;
  /** The classes of the parameters, as a compiler would emit them. */
  readonly types: readonly unknown[];
  /** The framework's key, and what it stands for. */
  readonly key: string;
  readonly value: unknown;
}

/** Writes it where a framework looks: types on the prototype, the rest on the class that the prototype names. */
export function defineMethodMetadata(
  Class: { readonly prototype: object },
  { member, types, key, value }: MethodMetadata,
): void {
  Reflect.defineMetadata('design:paramtypes', types, Class.prototype, member);
  Reflect.defineMetadata(key, value, Class.prototype.constructor, member);
}

export const scalarTypes: ReadonlyMap<unknown, ScalarKind> = new Map<unknown, ScalarKind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Object, 'object'],
]);

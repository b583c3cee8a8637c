import 'reflect-metadata';
import type { DefinitionProblem } from '../errors/definition-error.ts';
import { isContainer } from '../collections/objects.ts';
import type { Constructor, ToolOptions } from '../tool/tool-contract.ts';
import {
  type ApiProperty,
  type DocumentedBy,
  type Constraint,
  type TransformerMetadata,
  apiPropertyNames,
  apiPropertyOf,
  constraintsOf,
  ownConstrainedMembers,
  transformerMetadataOf,
} from './class-validator.ts';
import { type FieldBounds, boundConstraints } from './field-bounds.ts';

export type EnumMember = string | number | boolean;

/** A type as decorators state it. References to classes are thunks until registration. */
export type DeclaredType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'schema'; readonly schema: unknown }
  | { readonly kind: 'enum'; readonly values: readonly EnumMember[] }
  | { readonly kind: 'array'; readonly items: DeclaredType }
  | { readonly kind: 'record'; readonly values: DeclaredType }
  | { readonly kind: 'tuple'; readonly items: readonly DeclaredType[] }
  | { readonly kind: 'class'; readonly classOf: () => unknown }
  | {
      readonly kind: 'oneOf';
      readonly discriminator: string;
      readonly classesOf: () => readonly unknown[];
    }
  | { readonly kind: 'union'; readonly members: readonly DeclaredType[] }
  | { readonly kind: 'nullable'; readonly type: DeclaredType }
  /** Reported at registration, with all other problems. */
  | ({ readonly kind: 'unreadable' } & Pick<DefinitionProblem, 'what' | 'instead'>);

/**
 * `object`: a map of anything. `date`: sent as a string. `day`: a string, a date without a time.
 * `any`: any JSON.
 */
export type ScalarKind =
  'string' | 'number' | 'integer' | 'boolean' | 'date' | 'day' | 'object' | 'any';

export const scalarTypes: ReadonlyMap<unknown, ScalarKind> = new Map<unknown, ScalarKind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Object, 'object'],
]);

const typeMarker = Symbol.for('toolmend.type');

/** Marks a type, so that `isDeclaredType` of another installed copy of toolmend recognizes it. */
export const declaredType = (type: DeclaredType): DeclaredType =>
  Object.freeze(Object.defineProperty({ ...type }, typeMarker, { value: true }));

export const isDeclaredType = (value: unknown): value is DeclaredType =>
  typeof value === 'object' && value !== null && Reflect.get(value, typeMarker) === true;

/** The distinct values of a TypeScript enum, an object of constants, or an array. */
export function enumMembers(enumeration: object): readonly EnumMember[] {
  const values: readonly unknown[] = Array.isArray(enumeration)
    ? enumeration
    : Object.entries(enumeration).flatMap(([key, value]: readonly [string, unknown]) =>
        isReverseMapping(enumeration, key, value) ? [] : [value],
      );
  return Object.freeze([...new Set(values.filter(isEnumMember))]);
}

/** TypeScript maps the numbers of a numeric enum back to their names, which are not values. */
function isReverseMapping(enumeration: object, key: string, value: unknown): boolean {
  if (typeof value !== 'string' || !Object.hasOwn(enumeration, value)) return false;
  const forward: unknown = Reflect.get(enumeration, value);
  return typeof forward === 'number' && String(forward) === key;
}

export const isEnumMember = (value: unknown): value is EnumMember =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

export const isClass = (value: unknown): value is Constructor =>
  typeof value === 'function' && Object.hasOwn(value, 'prototype');

/** What decorators without parameters state. */
export type Mark =
  | 'path'
  | 'url'
  | 'glob'
  | 'verbatim'
  | 'secret'
  | 'idempotencyKey'
  | 'nullable'
  | 'optional'
  | 'hintsOff'
  | 'check';

export interface Statement extends Readonly<Partial<Record<Mark, true>>> {
  readonly type?: DeclaredType;
  readonly description?: string;
  readonly title?: string;
  readonly hint?: string;
  readonly aliases?: readonly string[];
  readonly bounds?: FieldBounds;
  readonly default?: { readonly value: unknown };
  readonly example?: { readonly value: unknown };
  readonly dependentDefault?: { readonly other: string; readonly value: unknown };
  /** `key` absent: the field's own name. */
  readonly context?: { readonly key?: string };
  /** `Arguments`: the class of a tool method's arguments. */
  readonly tool?: { readonly options: ToolOptions; readonly Arguments?: Constructor };
}

export interface Declaration {
  /** As it is written: `@Describe`. */
  readonly decorator: string;
  readonly on: 'class' | 'field' | 'method' | 'elsewhere';
  readonly member?: string;
  readonly states: Statement;
  /** A wrong target or wrong options. Reported at registration, with all other problems. */
  readonly problems: readonly Pick<DefinitionProblem, 'what' | 'instead'>[];
  /**
   * How many decorators of class-validator ran on the class before this one, which gives the
   * members their order.
   */
  readonly constraintsBefore: number;
}

// Compilers give standard decorators a metadata object only if this symbol exists. No engine has it
// yet; compilers that don't ask for it use the symbol of this name.
if (Reflect.get(Symbol, 'metadata') === undefined)
  Object.defineProperty(Symbol, 'metadata', { value: Symbol.for('Symbol.metadata') });

// Stored on the class, or in its metadata object, so that declarations are garbage-collected with
// it.
const metadataKey = Symbol.for('toolmend.declarations');

/**
 * What decorators of one class are called with, in which their declarations are stored:
 * `experimental` decorators know the class, `standard` ones its metadata object, which becomes
 * `Class[Symbol.metadata]` (https://github.com/tc39/proposal-decorator-metadata).
 */
export type DeclarationStore =
  | { readonly kind: 'experimental'; readonly Class: Constructor }
  | { readonly kind: 'standard'; readonly metadata: object };

function storedIn(store: DeclarationStore): readonly Declaration[] {
  const declarations: unknown =
    store.kind === 'experimental'
      ? Reflect.getOwnMetadata(metadataKey, store.Class)
      : Object.getOwnPropertyDescriptor(store.metadata, metadataKey)?.value;
  return isDeclarations(declarations) ? declarations : [];
}

/** The declarations on a class, without its parents', in the order in which decorators ran. */
function ownDeclarations(Class: Constructor): readonly Declaration[] {
  const experimental = storedIn({ kind: 'experimental', Class });
  const metadata: unknown = Object.getOwnPropertyDescriptor(Class, Symbol.metadata)?.value;
  return isContainer(metadata)
    ? [...storedIn({ kind: 'standard', metadata }), ...experimental]
    : experimental;
}

const isDeclarations = (value: unknown): value is readonly Declaration[] => Array.isArray(value);

export function addDeclaration(store: DeclarationStore, declaration: Declaration): void {
  const declarations = Object.freeze([...storedIn(store), Object.freeze(declaration)]);
  if (store.kind === 'experimental') Reflect.defineMetadata(metadataKey, declarations, store.Class);
  else
    Object.defineProperty(store.metadata, metadataKey, {
      value: declarations,
      configurable: true,
    });
}

/**
 * Whether other decorators are on the field or on its class: a dependency injection container may
 * set the field.
 */
export const isOfContainer = (Class: Constructor, field: string): boolean =>
  Reflect.getMetadataKeys(Class.prototype, field).length > 0 ||
  Reflect.getMetadataKeys(Class).some(
    (key) => key !== metadataKey && !String(key).startsWith('design:'),
  );

/**
 * A class with its parents' declarations: parents' members come first, and a class overrides its
 * parents.
 */
export interface DeclaredClass {
  readonly Class: Constructor;
  /** In source order. */
  readonly fields: readonly DeclaredField[];
  /** The options of `@Tool` on the class itself. */
  readonly tools: readonly ToolOptions[];
  readonly toolMethods: readonly DeclaredToolMethod[];
  /** Names of the `@Check` methods. */
  readonly checks: readonly string[];
  /** Texts of `@Contract` on the class and on its parents. */
  readonly hints: readonly string[];
  readonly examples: readonly unknown[];
  readonly wrong: readonly Declaration[];
  /** Fields that only @nestjs/swagger describes. */
  readonly onlyDocumented: ReadonlyMap<string, DocumentedBy>;
}

export interface DeclaredField extends MemberStatements {
  readonly name: string;
  readonly constraints: readonly Constraint[];
  readonly transformer: TransformerMetadata;
  /**
   * The compiler's `design:type`, which only confirms the declared type; undefined for compilers
   * that emit none.
   */
  readonly emittedType: unknown;
}

/** What decorators state about a member, or about the class. */
interface MemberStatements {
  /** The statements of one kind, in source order. */
  readonly stated: Stated;
  /** The kinds that have a statement: two or three of the twenty for most members. */
  readonly statedKinds: ReadonlySet<string>;
}

type Stated = <Key extends keyof Statement>(
  key: Key,
) => readonly { readonly decorator: string; readonly value: NonNullable<Statement[Key]> }[];

export interface DeclaredToolMethod {
  readonly method: string;
  readonly Arguments?: Constructor;
  readonly options: ToolOptions;
  readonly hints: readonly string[];
}

/**
 * `groups`: class-validator's groups of the tool. Fields that only other groups describe are left
 * out.
 */
export function readDeclaredClass(
  Class: Constructor,
  groups: readonly string[] = [],
): DeclaredClass {
  const chain = chainOf(Class);
  const levels = chain.map((owner) => Map.groupBy(ownDeclarations(owner), ({ member }) => member));
  const constraints = Map.groupBy(constraintsOf(chain, groups), ({ member }) => member);
  const allNames = new Set(chain.flatMap(fieldNamesOf));
  const isDeclared = (name: string): boolean => levels.some((level) => level.has(name));
  const fieldNames = new Set(
    [...allNames].filter((name) => constraints.has(name) || isDeclared(name)),
  );
  const methodNames = [...new Set(chain.flatMap(methodNamesOf))].filter(
    (name) => !fieldNames.has(name),
  );
  const ofClass = statedBy(levels.slice(-1));
  const documentedNames = apiPropertyNames(Class);
  return {
    Class,
    fields: [...fieldNames].map((name) => {
      const ownStatements = statedBy(levels, name);
      const statements = documentedNames.has(name)
        ? withDocumentation(ownStatements, apiPropertyOf(Class, name))
        : ownStatements;
      return {
        name,
        ...statements,
        constraints: [
          ...(constraints.get(name) ?? []),
          ...optionalMarks(name, statements),
          ...statements.stated('bounds').flatMap(({ value }) => boundConstraints(name, value)),
        ],
        transformer: transformerMetadataOf(Class, name, groups),
        emittedType: Reflect.getMetadata('design:type', Class.prototype, name),
      };
    }),
    tools: ofClass.stated('tool').map(({ value: { options } }) => options),
    toolMethods: methodNames.flatMap((name) => toolMethodsOf(name, statedBy(levels, name))),
    checks: methodNames.filter((name) => statedBy(levels, name).statedKinds.has('check')),
    hints: levels.flatMap((level) => statedBy([level]).stated('hint')).map(({ value }) => value),
    examples: ofClass.stated('example').map(({ value: { value } }) => value),
    wrong: chain.flatMap((owner) =>
      ownDeclarations(owner).filter(({ problems }) => problems.length > 0),
    ),
    onlyDocumented: new Map([...documentedNames].filter(([name]) => !allNames.has(name))),
  };
}

const optional = {
  role: 'optional',
  origin: 'class-validator',
  name: 'isOptional',
  parameters: [],
  reach: 'value',
} as const;

/** `@Optional()`, as if it were class-validator's `@IsOptional()`. */
const optionalMarks = (member: string, { stated }: MemberStatements): readonly Constraint[] =>
  stated('optional').map(({ decorator }) => ({ ...optional, member, decorator, groups: [] }));

function chainOf(Class: Constructor): readonly Constructor[] {
  const parent: unknown = Object.getPrototypeOf(Class);
  return isClass(parent) ? [...chainOf(parent), Class] : [Class];
}

/**
 * The members that one class decorates, in source order: that in which their first decorators ran.
 */
function fieldNamesOf(Class: Constructor): readonly string[] {
  const constrainedMembers = ownConstrainedMembers(Class);
  const names: string[] = [];
  let next = 0;
  for (const { on, member, constraintsBefore } of ownDeclarations(Class)) {
    if (on !== 'field' || member === undefined) continue;
    names.push(...constrainedMembers.slice(next, constraintsBefore), member);
    next = Math.max(next, constraintsBefore);
  }
  return [...names, ...constrainedMembers.slice(next)];
}

const methodNamesOf = (Class: Constructor): readonly string[] =>
  ownDeclarations(Class).flatMap(({ on, member }) =>
    on === 'method' && member !== undefined ? [member] : [],
  );

/** Declarations by member: one map for each class of a chain, the class itself last. */
type Levels = readonly ReadonlyMap<string | undefined, readonly Declaration[]>[];

/**
 * The statements about a member, or about the class, of the nearest class in the chain that has
 * any.
 */
function statedBy(levels: Levels, member?: string): MemberStatements {
  const declarations = levels.flatMap((level) => level.get(member) ?? none);
  if (declarations.length === 0) return noStatements;
  const statedKinds = new Set(
    declarations.flatMap(({ states }) =>
      Object.entries(states).flatMap(([kind, value]) =>
        value === undefined || value === null ? [] : kind,
      ),
    ),
  );
  return {
    statedKinds,
    stated(key) {
      if (!statedKinds.has(key)) return none;
      const statementsByLevel = levels.map((level) =>
        (level.get(member) ?? none).flatMap(({ decorator, states }) => {
          const value = states[key];
          return value === undefined || value === null ? [] : [{ decorator, value }];
        }),
      );
      // Decorators run in reverse source order.
      return (statementsByLevel.findLast((values) => values.length > 0) ?? none).toReversed();
    },
  };
}

const none: readonly never[] = [];

/** Many fields have only decorators of class-validator. */
const noStatements: MemberStatements = { statedKinds: new Set(), stated: () => none };

/**
 * What @nestjs/swagger knows counts if no other decorator says it. Models see examples, so a secret
 * has none.
 */
function withDocumentation(
  { stated, statedKinds }: MemberStatements,
  { description, enum: members, examples }: ApiProperty,
): MemberStatements {
  const type = members && documentedType(members);
  const documentation: readonly Statement[] = [
    ...(description === undefined ? [] : [{ description }]),
    ...(type === undefined ? [] : [{ type }]),
    ...(statedKinds.has('secret') ? [] : examples.map((value) => ({ example: { value } }))),
  ];
  return {
    statedKinds: new Set([...statedKinds, ...documentation.flatMap((one) => Object.keys(one))]),
    stated(key) {
      if (statedKinds.has(key)) return stated(key);
      return documentation.flatMap((statement) => {
        const value = statement[key];
        return value === undefined || value === null ? [] : [{ decorator: '@ApiProperty', value }];
      });
    },
  };
}

const documentedType = ({ members, reach }: NonNullable<ApiProperty['enum']>): DeclaredType => {
  const values = declaredType({ kind: 'enum', values: enumMembers(members) });
  return reach === 'items' ? declaredType({ kind: 'array', items: values }) : values;
};

const toolMethodsOf = (
  method: string,
  { stated }: MemberStatements,
): readonly DeclaredToolMethod[] =>
  stated('tool').map(({ value: tool }) => ({
    ...tool,
    method,
    hints: stated('hint').map(({ value }) => value),
  }));

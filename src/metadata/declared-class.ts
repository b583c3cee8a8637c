// What do all decorators on a class and its parents say, taken together? Parents' fields come first; what a class
// says of a member replaces what its parents said of the same thing.
import type { Constraint } from './constraint.ts';
import { constraintsOf, ownConstrainedMembers } from './class-validator-storage.ts';
import { transformerFactsOf, type TransformerFacts } from './class-transformer-storage.ts';
import type { Declaration } from './declaration.ts';
import type { ArgumentClass } from './declared-type.ts';
import { emittedType, ownDeclarations } from './declarations.ts';
import { groupByMember } from './group-by-member.ts';

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

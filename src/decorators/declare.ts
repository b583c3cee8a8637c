import { ownConstrainedMembers } from '../classes/class-validator.ts';
import {
  type ArgumentClass,
  type DeclaredFact,
  type FieldFact,
  addDeclaration,
} from '../classes/declarations.ts';
import { DefinitionError } from '../errors/definition-error.ts';

// Finds out how it was called, and refuses the calls of standard decorators, which bring no class along to write to.
/** Where a decorator stands: on the class, a field, or a method. */
export type DecoratorTarget =
  | { readonly kind: 'class'; readonly Class: ArgumentClass }
  | { readonly kind: 'field' | 'method'; readonly Class: ArgumentClass; readonly member: string }
  | { readonly kind: 'other'; readonly Class: ArgumentClass; readonly what: string };

/** Reads the arguments that a compiler hands to a decorator. Throws if they are those of the standard. */
export function targetOf(decorator: string, call: readonly unknown[]): DecoratorTarget {
  const [target, key, descriptor] = call;
  if (isStandardContext(key)) throw standardDecorators(decorator, key);
  if (isClass(target)) {
    if (key === undefined) return { kind: 'class', Class: target };
    return { kind: 'other', Class: target, what: 'stands on a static member' };
  }
  const Class: unknown = typeof target === 'object' && target !== null ? target.constructor : undefined;
  if (!isClass(Class)) throw standardDecorators(decorator, { name: undefined });
  if (typeof key !== 'string') return { kind: 'other', Class, what: 'stands on a member that is no name' };
  if (typeof descriptor === 'number')
    return { kind: 'other', Class, what: `stands on a parameter of ${key}` };
  if (descriptor === undefined) return { kind: 'field', Class, member: key };
  if (isMethod(descriptor)) return { kind: 'method', Class, member: key };
  return { kind: 'other', Class, what: `stands on the accessor ${key}` };
}

/** Writes down what a decorator says. */
export function declare(decorator: string, target: DecoratorTarget, fact: DeclaredFact): void {
  const after = ownConstrainedMembers(target.Class).length;
  const on = target.kind === 'other' ? 'elsewhere' : target.kind;
  const member = target.kind === 'field' || target.kind === 'method' ? { member: target.member } : {};
  addDeclaration(target.Class, { decorator, on, after, fact, ...member });
}

/** Writes down that a decorator stands where it can't; registration tells it with everything else. */
export function declareMisplaced(decorator: string, target: DecoratorTarget, instead: string): void {
  const what = target.kind === 'other' ? target.what : `stands on a ${target.kind}`;
  declare(decorator, target, { about: 'complaint', what: `has ${decorator}, which ${what}`, instead });
}

interface StandardContext {
  readonly name: unknown;
}

const isStandardContext = (key: unknown): key is StandardContext =>
  typeof key === 'object' && key !== null && 'kind' in key;

const isClass = (value: unknown): value is ArgumentClass => typeof value === 'function';

const isMethod = (descriptor: unknown): boolean =>
  typeof descriptor === 'object' &&
  descriptor !== null &&
  typeof Reflect.get(descriptor, 'value') === 'function';

const standardDecorators = (decorator: string, { name }: StandardContext): DefinitionError =>
  new DefinitionError([
    {
      where: typeof name === 'string' && name !== '' ? name : 'A class',
      what: `has ${decorator} compiled as a standard decorator, which can't be read`,
      instead:
        'set "experimentalDecorators": true in a tsconfig.json whose "include" covers this very file (tsx reads ' +
        'no other), and for vitest oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } }',
    },
  ]);

// They check where they stand, and hand over one record.
/** A decorator that says one thing of the field it stands on. */
export const fieldDecorator =
  (decorator: string, fact: FieldFact): PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf(decorator, call);
    if (target.kind === 'field') declare(decorator, target, fact);
    else declareMisplaced(decorator, target, 'put it on a field that is an argument');
  };

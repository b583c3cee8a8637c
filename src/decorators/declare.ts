import { ownConstrainedMembers } from '../classes/class-validator.ts';
import { type Declaration, type Statement, addDeclaration } from '../classes/declarations.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { isContainer, memberOf } from '../json/value.ts';
import type { Constructor } from '../tool/tool-contract.ts';

/** What a decorator states, by its target. `instead`: what to write for a decorator on any other target. */
export interface Statements {
  readonly class?: Statement;
  readonly field?: Statement;
  readonly method?: Statement;
  readonly instead: string;
  readonly problems?: Declaration['problems'];
}

/** Stores a decorator's statements on the class. A wrong target is reported at registration. Throws for a standard decorator. */
export function declare(decorator: string, call: readonly unknown[], statements: Statements): void {
  const { on, Class, member, what } = targetOf(decorator, call);
  const states = on === 'elsewhere' ? undefined : statements[on];
  const { instead, problems = [] } = statements;
  addDeclaration(Class, {
    decorator,
    on: states === undefined ? 'elsewhere' : on,
    ...(member === undefined ? {} : { member }),
    states: states ?? {},
    problems:
      states === undefined ? [{ what: `has ${decorator} on ${what ?? `a ${on}`}`, instead }] : problems,
    constraintsBefore: ownConstrainedMembers(Class).length,
  });
}

export const fieldDecorator =
  (decorator: string, field: Statement, problems: Statements['problems'] = []): PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    declare(decorator, call, { field, instead: 'put it on a field that is an argument', problems });
  };

interface Target {
  readonly on: Declaration['on'];
  readonly Class: Constructor;
  readonly member?: string;
  /** For `elsewhere`: the target in words. */
  readonly what?: string;
}

/** Reads the arguments with which compiled code calls a decorator. */
function targetOf(decorator: string, [target, key, descriptor]: readonly unknown[]): Target {
  if (isStandardContext(key)) throw standardDecorator(decorator, key.name);
  if (isFunction(target)) {
    if (key === undefined) return { on: 'class', Class: target };
    return { on: 'elsewhere', Class: target, what: 'a static member' };
  }
  const Class = memberOf(target, 'constructor');
  if (!isFunction(Class)) throw standardDecorator(decorator, undefined);
  if (typeof key !== 'string') return { on: 'elsewhere', Class, what: 'a member whose name is not a string' };
  if (typeof descriptor === 'number') return { on: 'elsewhere', Class, what: `a parameter of ${key}` };
  if (descriptor === undefined) return { on: 'field', Class, member: key };
  if (typeof memberOf(descriptor, 'value') === 'function') return { on: 'method', Class, member: key };
  return { on: 'elsewhere', Class, what: `the accessor ${key}` };
}

const isStandardContext = (key: unknown): key is { readonly name: unknown } =>
  isContainer(key) && 'kind' in key;

const isFunction = (value: unknown): value is Constructor => typeof value === 'function';

const standardDecorator = (decorator: string, member: unknown): DefinitionError =>
  new DefinitionError([
    {
      where: typeof member === 'string' && member !== '' ? member : 'A class',
      what: `has ${decorator} compiled as a standard decorator, which can't be read`,
      instead:
        'set "experimentalDecorators": true in a tsconfig.json whose "include" covers the file itself (tsx reads ' +
        'no other), and for vitest oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } }',
    },
  ]);

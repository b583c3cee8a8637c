import { ownConstrainedMembers } from '../classes/class-validator.ts';
import {
  type Declaration,
  type DeclarationStore,
  type Statement,
  addDeclaration,
} from '../classes/declarations.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import { isContainer, memberOf } from '../collections/objects.ts';
import type { Constructor } from '../tool/tool-contract.ts';
import type { AnyFieldDecorator } from './types.ts';

/**
 * What a decorator states, by its target. `instead`: what to write for a decorator on any other
 * target.
 */
export interface Statements {
  readonly class?: Statement;
  readonly field?: Statement;
  readonly method?: Statement;
  readonly instead: string;
  readonly problems?: Declaration['problems'];
}

/** Stores a decorator's statements. A wrong target is reported at registration. */
export function declare(decorator: string, call: readonly unknown[], statements: Statements): void {
  const target = isStandardContext(call[1])
    ? standardTarget(decorator, call[1])
    : experimentalTarget(decorator, call);
  const { on, store, member, what } = target;
  const states = on === 'elsewhere' ? undefined : statements[on];
  const { instead, problems = [] } = statements;
  addDeclaration(store, {
    decorator,
    on: states === undefined ? 'elsewhere' : on,
    ...(member === undefined ? {} : { member }),
    states: states ?? {},
    problems:
      states === undefined
        ? [{ what: `has ${decorator} on ${what ?? `a ${on}`}`, instead }]
        : problems,
    constraintsBefore:
      store.kind === 'experimental' ? ownConstrainedMembers(store.Class).length : 0,
  });
}

export const fieldDecorator =
  (decorator: string, field: Statement, problems: Statements['problems'] = []): AnyFieldDecorator =>
  (...call: readonly unknown[]): void => {
    declare(decorator, call, { field, instead: 'put it on a field that is an argument', problems });
  };

interface Target {
  readonly on: Declaration['on'];
  readonly store: DeclarationStore;
  readonly member?: string;
  /** For `elsewhere`: the target in words. */
  readonly what?: string;
}

/** Reads the arguments with which code that was compiled with experimentalDecorators calls it. */
function experimentalTarget(
  decorator: string,
  [target, key, descriptor]: readonly unknown[],
): Target {
  const Class = isFunction(target) ? target : memberOf(target, 'constructor');
  if (!isFunction(Class)) throw notADecorator(decorator);
  const store = { kind: 'experimental', Class } as const;
  const elsewhere = (what: string): Target => ({ on: 'elsewhere', store, what });
  if (isFunction(target))
    return key === undefined ? { on: 'class', store } : elsewhere('a static member');
  if (typeof key !== 'string') return elsewhere('a member whose name is not a string');
  if (typeof descriptor === 'number') return elsewhere(`a parameter of ${key}`);
  if (descriptor === undefined) return { on: 'field', store, member: key };
  if (typeof memberOf(descriptor, 'value') === 'function')
    return { on: 'method', store, member: key };
  return elsewhere(`the accessor ${key}`);
}

/** The context of a standard decorator (https://github.com/tc39/proposal-decorators). */
interface StandardContext {
  readonly kind: string;
  readonly name?: unknown;
  readonly static?: unknown;
  readonly private?: unknown;
  readonly metadata?: unknown;
}

const isStandardContext = (key: unknown): key is StandardContext =>
  isContainer(key) && typeof memberOf(key, 'kind') === 'string';

function standardTarget(decorator: string, context: StandardContext): Target {
  const { kind, name, metadata } = context;
  if (!isContainer(metadata)) throw withoutMetadata(decorator, name);
  const store = { kind: 'standard', metadata } as const;
  const elsewhere = (what: string): Target => ({ on: 'elsewhere', store, what });
  if (kind === 'class') return { on: 'class', store };
  if (context.static === true) return elsewhere('a static member');
  if (context.private === true) return elsewhere('a private member');
  if (typeof name !== 'string') return elsewhere('a member whose name is not a string');
  return kind === 'field' || kind === 'method'
    ? { on: kind, store, member: name }
    : elsewhere(`the accessor ${name}`);
}

const isFunction = (value: unknown): value is Constructor => typeof value === 'function';

const notADecorator = (decorator: string): DefinitionError =>
  definitionError(
    decorator,
    'was not called as a decorator',
    'write it before a class, a field or a method',
  );

const withoutMetadata = (decorator: string, name: unknown): DefinitionError =>
  definitionError(
    typeof name === 'string' && name !== '' ? name : 'A class',
    `has ${decorator}, and its compiler gives standard decorators no metadata`,
    'compile it with TypeScript 5.2 or newer, or set "experimentalDecorators": true in the tsconfig.json that covers the file',
  );

// What does a type that an author wrote refer to? Thunks are called here, at registration and not before.
import type { ArgumentClass, DeclaredType } from '../../metadata/declared-type.ts';
import { scalarTypes } from '../../metadata/scalar-types.ts';
import { hasPart, withoutNull, type ArgumentType } from './argument-type.ts';
import type { Complain } from '../complaint-book.ts';

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

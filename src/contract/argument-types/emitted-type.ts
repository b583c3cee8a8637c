// Does the type that a compiler emitted contradict the declared one? Compilers emit little and not the same, so
// silence and `Object` never count.
import type { ArgumentType } from './argument-type.ts';

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

// Of what type is an argument, after all that was said of it has been put together?
import type { ArgumentClass, EnumMember, ScalarKind } from '../../metadata/declared-type.ts';

/** `open`: nobody said. `broken`: said wrongly, and already complained of. */
export type ArgumentType =
  | { readonly kind: ScalarKind | 'open' | 'broken' }
  | { readonly kind: 'const'; readonly value: EnumMember }
  | { readonly kind: 'enum'; readonly values: readonly EnumMember[] }
  | { readonly kind: 'array'; readonly items: ArgumentType }
  | { readonly kind: 'record'; readonly values: ArgumentType }
  | { readonly kind: 'tuple'; readonly items: readonly ArgumentType[] }
  | { readonly kind: 'class'; readonly Class: ArgumentClass }
  | { readonly kind: 'oneOf'; readonly discriminator: string; readonly Classes: readonly ArgumentClass[] }
  | { readonly kind: 'union'; readonly members: readonly ArgumentType[] }
  | { readonly kind: 'nullable'; readonly type: ArgumentType };

/** The types directly inside a type. */
function innerTypes(type: ArgumentType): readonly ArgumentType[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'record':
      return [type.values];
    case 'tuple':
      return type.items;
    case 'union':
      return type.members;
    case 'nullable':
      return [type.type];
    default:
      return [];
  }
}

/** The classes a type names, in the order in which they are written. */
export function classesIn(type: ArgumentType): readonly ArgumentClass[] {
  if (type.kind === 'class') return [type.Class];
  if (type.kind === 'oneOf') return type.Classes;
  return innerTypes(type).flatMap(classesIn);
}

/** True if some part of the type meets the condition. */
export const hasPart = (type: ArgumentType, meets: (part: ArgumentType) => boolean): boolean =>
  meets(type) || innerTypes(type).some((inner) => hasPart(inner, meets));

/** The type without its null. */
export const withoutNull = (type: ArgumentType): ArgumentType =>
  type.kind === 'nullable' ? withoutNull(type.type) : type;

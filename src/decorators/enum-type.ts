// How is an enum written as a type?
import { declaredType, type DeclaredType, type EnumMember } from '../metadata/declared-type.ts';
import { enumMembers } from '../metadata/enum-members.ts';

/** A TypeScript enum, an object of constants, or a list of values. */
export type EnumLike = Readonly<Record<string, string | number>> | readonly EnumMember[];

/** One of an enum's values, for lists and maps of them: `@ArrayOf(enumOf(Color))`. */
export const enumOf = (values: EnumLike): DeclaredType =>
  declaredType({ kind: 'enum', values: enumMembers(values) });

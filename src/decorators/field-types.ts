// Which types can be made of other types? The words that decorators and their arguments are written in.
import { declaredType, type ArgumentClass, type DeclaredType } from '../metadata/declared-type.ts';
import { readFieldType, type FieldType } from './field-type.ts';

/** A list, for lists within lists: `@ArrayOf(arrayOf(Number))`. */
export const arrayOf = (items: FieldType): DeclaredType =>
  declaredType({ kind: 'array', items: readFieldType(items) });

/** A map from text to one type. */
export const recordOf = (values: FieldType): DeclaredType =>
  declaredType({ kind: 'record', values: readFieldType(values) });

/** A list of fixed length with a type for each place: `tupleOf(Number, Number)`. */
export const tupleOf = (...items: readonly FieldType[]): DeclaredType =>
  declaredType({ kind: 'tuple', items: items.map(readFieldType) });

/** One of several types that JSON tells apart: `unionOf(String, Number)`. For classes there is `oneOf`. */
export const unionOf = (...members: readonly FieldType[]): DeclaredType =>
  declaredType({ kind: 'union', members: members.map(readFieldType) });

/** The type, or null. */
export const nullable = (type: FieldType): DeclaredType =>
  declaredType({ kind: 'nullable', type: readFieldType(type) });

/** One of several classes, told apart by a field that is a constant in each: `oneOf('op', () => [Insert, Replace])`. */
export const oneOf = (discriminator: string, classes: () => readonly ArgumentClass[]): DeclaredType =>
  declaredType({ kind: 'oneOf', discriminator, classesOf: classes });

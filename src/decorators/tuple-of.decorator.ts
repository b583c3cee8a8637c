// Which type has each place of this list?
import { fieldDecorator } from './field-decorator.ts';
import { tupleOf } from './field-types.ts';
import type { FieldType } from './field-type.ts';

/** The field is a list of fixed length: `@TupleOf(Number, Number)`. */
export const TupleOf = (...items: readonly FieldType[]): PropertyDecorator =>
  fieldDecorator('@TupleOf', { about: 'type', type: tupleOf(...items) });

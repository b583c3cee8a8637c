// Of what is this field a list?
import { arrayOf } from './field-types.ts';
import { fieldDecorator } from './field-decorator.ts';
import type { FieldType } from './field-type.ts';

/** The field is a list: `@ArrayOf(String)`, `@ArrayOf(() => Edit)`, `@ArrayOf(arrayOf(Number))`. */
export const ArrayOf = (items: FieldType): PropertyDecorator =>
  fieldDecorator('@ArrayOf', { about: 'type', type: arrayOf(items) });

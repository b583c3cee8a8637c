// To what does this field map its keys?
import { fieldDecorator } from './field-decorator.ts';
import { recordOf } from './field-types.ts';
import type { FieldType } from './field-type.ts';

/** The field is a map from text to one type: `@RecordOf(Number)`, `@RecordOf(() => Header)`. */
export const RecordOf = (values: FieldType): PropertyDecorator =>
  fieldDecorator('@RecordOf', { about: 'type', type: recordOf(values) });

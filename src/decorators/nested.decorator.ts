// Which class do this field's own fields come from?
import type { ArgumentClass } from '../metadata/declared-type.ts';
import { fieldDecorator } from './field-decorator.ts';
import { readFieldType } from './field-type.ts';

/** The field is an object of a class; the tool gets an instance of it. */
export const Nested = (classOf: () => ArgumentClass): PropertyDecorator =>
  fieldDecorator('@Nested', { about: 'type', type: readFieldType(classOf) });

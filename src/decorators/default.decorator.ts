// What does the tool get where the model left this field out?
import type { JsonValue } from '../json/json-value.ts';
import { fieldDecorator } from './field-decorator.ts';

/** The field may be left out, and is then a copy of `value`, written as the model would send it. */
export const Default = (value: JsonValue): PropertyDecorator =>
  fieldDecorator('@Default', { about: 'default', value });

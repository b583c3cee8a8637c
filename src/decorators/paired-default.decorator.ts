// What does this field imply for another one that was left out?
import type { JsonValue } from '../json/json-value.ts';
import { fieldDecorator } from './field-decorator.ts';

/** When this field is sent and `partner` is not, `partner` becomes `value`, and the model is told. */
export const PairedDefault = (partner: string, value: JsonValue): PropertyDecorator =>
  fieldDecorator('@PairedDefault', { about: 'pair', partner, value });

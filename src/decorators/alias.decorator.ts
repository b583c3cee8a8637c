// By which other names do models send this field?
import { fieldDecorator } from './field-decorator.ts';

/** Further names under which the field is accepted; no model is shown them. */
export const Alias = (...names: readonly string[]): PropertyDecorator =>
  fieldDecorator('@Alias', { about: 'aliases', names: Object.freeze([...names]) });

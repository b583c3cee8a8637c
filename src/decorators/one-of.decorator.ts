// Which of several classes is this field, and what tells them apart?
import type { ArgumentClass } from '../metadata/declared-type.ts';
import { fieldDecorator } from './field-decorator.ts';
import { oneOf } from './field-types.ts';

/**
 * The field is one of several classes. `discriminator` is a field that is a constant in each of them:
 * `@Equals('insert') op!: 'insert'`.
 */
export const OneOf = (discriminator: string, classes: () => readonly ArgumentClass[]): PropertyDecorator =>
  fieldDecorator('@OneOf', { about: 'type', type: oneOf(discriminator, classes) });

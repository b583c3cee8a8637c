// Which values may this field have?
import { enumOf, type EnumLike } from './enum-type.ts';
import { fieldDecorator } from './field-decorator.ts';

/** The field is one of an enum's values, or of a list: `@EnumOf(Color)`, `@EnumOf(['asc', 'desc'])`. */
export const EnumOf = (values: EnumLike): PropertyDecorator =>
  fieldDecorator('@EnumOf', { about: 'type', type: enumOf(values) });

// May this value be shown to anyone but the tool?
import { fieldDecorator } from './field-decorator.ts';

/** The field's value never appears in a message, a record or a log. */
export const Secret = (): PropertyDecorator => fieldDecorator('@Secret', { about: 'secret' });

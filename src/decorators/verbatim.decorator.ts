// Is this text meant as it stands, whatever it looks like?
import { fieldDecorator } from './field-decorator.ts';

/** Every text in the field is taken as it is: repair never looks into it. */
export const Verbatim = (): PropertyDecorator => fieldDecorator('@Verbatim', { about: 'verbatim' });

// Is this text a path of a file system?
import { fieldDecorator } from './field-decorator.ts';

/** Every text in the field is a file system path, so a markdown link is a mistake that can be mended. */
export const PathField = (): PropertyDecorator => fieldDecorator('@PathField', { about: 'path' });

// What is this argument for, in the model's words?
import { fieldDecorator } from './field-decorator.ts';

/** The description that the model reads beside the argument. */
export const Describe = (text: string): PropertyDecorator =>
  fieldDecorator('@Describe', { about: 'description', text });

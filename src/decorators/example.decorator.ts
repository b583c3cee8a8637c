// What does a good value look like?
import type { JsonValue } from '../json/json-value.ts';
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';

/** A value of the field, or on a class a whole set of arguments, that the model is shown. May be repeated. */
export const Example =
  (value: JsonValue): ClassDecorator & PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@Example', call);
    if (target.kind === 'field' || target.kind === 'class')
      declare('@Example', target, { about: 'example', value });
    else declareMisplaced('@Example', target, 'put it on a class or on a field');
  };

// Which of the application's values fills this field?
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';

/**
 * The field is set by the application for each call, whatever the model sends, and no model is shown it.
 * `key` is the application's name for the value; default: the field's own.
 */
export const FromContext =
  (key?: string): PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@FromContext', call);
    if (target.kind === 'field')
      declare('@FromContext', target, { about: 'context', key: key ?? target.member });
    else declareMisplaced('@FromContext', target, 'put it on a field');
  };

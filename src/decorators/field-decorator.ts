// What do all decorators on fields have in common? They check where they stand, and hand over one record.
import type { FieldFact } from '../metadata/declaration.ts';
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';

/** A decorator that says one thing of the field it stands on. */
export const fieldDecorator =
  (decorator: string, fact: FieldFact): PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf(decorator, call);
    if (target.kind === 'field') declare(decorator, target, fact);
    else declareMisplaced(decorator, target, 'put it on a field that is an argument');
  };

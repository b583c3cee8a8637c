// Do the fields fit together? What only code can say.
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';

/** Takes nothing, waits for nothing. True if the arguments hold; else the sentence that the model reads, never false. */
export type CheckMethod = () => true | string;

/**
 * A rule across fields. The method sees the fields alone (defaults filled, nested instances made, nothing injected)
 * and runs after everything else passed. It returns true, or the sentence that the model reads: a method that returns a
 * boolean, takes a parameter or is async does not compile (TS1241), and without types is refused.
 */
export const Check =
  () =>
  (prototype: object, member: string | symbol, descriptor: TypedPropertyDescriptor<CheckMethod>): void => {
    const target = targetOf('@Check', [prototype, member, descriptor]);
    if (target.kind === 'method') declare('@Check', target, { about: 'check' });
    else declareMisplaced('@Check', target, 'put it on a method that returns true or a sentence');
  };

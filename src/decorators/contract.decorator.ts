// What else should the model know that no schema says?
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';

/** A sentence at the end of the tool's description: `@Contract('content is plain text, not fenced code')`. */
export const Contract =
  (hint: string): ClassDecorator & PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@Contract', call);
    if (target.kind === 'other')
      declareMisplaced('@Contract', target, 'put it on a class, a field or a tool method');
    else declare('@Contract', target, { about: 'hint', text: hint });
  };

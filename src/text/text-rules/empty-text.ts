import { type TextRule, readObject, skip } from '../text-rule.ts';

/**
 * Models send empty text, `""`, `null` or `None` for a tool without required arguments; `[]` for
 * one that declares none.
 * Becomes `{}`.
 * Not when: something is required; the stream was cut.
 */
export const emptyText: TextRule = {
  id: 'empty_text',
  keeps: 'lossless',
  propose({ text, declaredArguments }) {
    const trimmedText = text.trim();
    const isEmptyList = declaredArguments === 'none' && /^\[\s*\]$/.test(trimmedText);
    const saysNothing = isEmptyList || ['', '""', 'null', 'None'].includes(trimmedText);
    return saysNothing && declaredArguments !== 'required' ? readObject({}) : skip;
  },
};

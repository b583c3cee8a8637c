import type { TextRule } from './text-rule.ts';
import { callNotation } from './text-rules/call-notation.ts';
import { codeFence } from './text-rules/code-fence.ts';
import { doubleEncoded } from './text-rules/double-encoded.ts';
import { emptyText } from './text-rules/empty-text.ts';
import { looseJson } from './text-rules/loose-json.ts';
import { bareWord } from './text-rules/bare-word.ts';
import { brokenJson } from './text-rules/broken-json.ts';
import { repeatedObject } from './text-rules/repeated-object.ts';
import { singleRoot } from './text-rules/single-root.ts';
import { surroundingText } from './text-rules/surrounding-text.ts';
import { wrapTextInParameter } from './text-rules/wrap-text-in-parameter.ts';

/**
 * All text rules, in the order in which they are tried: those that leave something out come last.
 */
export const textRuleTable: readonly TextRule[] = Object.freeze([
  emptyText,
  doubleEncoded,
  singleRoot,
  callNotation,
  codeFence,
  looseJson,
  repeatedObject,
  brokenJson,
  bareWord,
  surroundingText,
  wrapTextInParameter,
]);

/** Whether a text rule keeps everything that was sent, so that it may act on a destructive tool. */
export const isLosslessTextRule = (rule: string): boolean =>
  textRuleTable.some(({ id, keeps }) => id === rule && keeps === 'lossless');

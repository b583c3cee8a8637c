// Which repairs may act on a tool that destroys? Those that keep every key and every value.
import { isLosslessTextRule } from '../decode/text-rule-table.ts';
import { isLossless } from '../repair/rule-table.ts';

/** What is no repair rule and loses nothing of what was meant for the tool. */
const alwaysAllowed: ReadonlySet<string> = new Set(['pairs', 'meta_key', 'context_field', 'duplicate_key']);

/** By the rule's id, without the model's confirmation. */
export const mayActUnasked = (rule: string): boolean =>
  isLossless(rule) || isLosslessTextRule(rule) || alwaysAllowed.has(rule);

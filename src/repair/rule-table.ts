import type { Mismatch, ObjectRule, RepairRule, ValueRule } from './repair-rule.ts';
import { dropEmptyKey } from './rules/drop-empty-key.ts';
import { dropNull } from './rules/drop-null.ts';
import { dropPlaceholder } from './rules/drop-placeholder.ts';
import { dropUnknownArgument } from './rules/drop-unknown-argument.ts';
import { echoedSchema } from './rules/echoed-schema.ts';
import { emptyObjectToArray } from './rules/empty-object-to-array.ts';
import { enumSpelling } from './rules/enum-spelling.ts';
import { fillNull } from './rules/fill-null.ts';
import { fillDefault } from './rules/fill-default.ts';
import { foldIntoElement } from './rules/fold-into-element.ts';
import { mergeEnvelope } from './rules/merge-envelope.ts';
import { wrapInParameter } from './rules/wrap-in-parameter.ts';
import { dropToolName } from './rules/drop-tool-name.ts';
import { unwrapRepeated } from './rules/unwrap-repeated.ts';
import { globInQuotes } from './rules/glob-in-quotes.ts';
import { hoistMember } from './rules/hoist-member.ts';
import { itemToScalar } from './rules/item-to-scalar.ts';
import { jsonTextToArray } from './rules/json-text-to-array.ts';
import { jsonTextToObject } from './rules/json-text-to-object.ts';
import { keyedObjectToArray } from './rules/keyed-object-to-array.ts';
import { lineRangeForm } from './rules/line-range-form.ts';
import { literalToText } from './rules/literal-to-text.ts';
import { mdLinkToPath } from './rules/md-link-to-path.ts';
import { nullWord } from './rules/null-word.ts';
import { renameKey } from './rules/rename-key.ts';
import { renameRelated } from './rules/rename-related.ts';
import { renameOnlyCandidate } from './rules/rename-only-candidate.ts';
import { splitMarkup } from './rules/split-markup.ts';
import { splitEnumList } from './rules/split-enum-list.ts';
import { textToBoolean } from './rules/text-to-boolean.ts';
import { textToInteger } from './rules/text-to-integer.ts';
import { textToNumber } from './rules/text-to-number.ts';
import { unflattenKeys } from './rules/unflatten-keys.ts';
import { unwrapEnvelope } from './rules/unwrap-envelope.ts';
import { unwrapOuterKey } from './rules/unwrap-outer-key.ts';
import { unwrapSingle } from './rules/unwrap-single.ts';
import { urlInMarkup } from './rules/url-in-markup.ts';
import { wrapInArray } from './rules/wrap-in-array.ts';

/**
 * All rules, in the order in which they are tried. Objects come before their members, and text that
 * spells a container before anything that would wrap it.
 */
export const ruleTable: readonly RepairRule[] = Object.freeze([
  unwrapEnvelope,
  mergeEnvelope,
  wrapInParameter,
  unwrapOuterKey,
  splitMarkup,
  dropToolName,
  unwrapRepeated,
  renameKey,
  unflattenKeys,
  renameRelated,
  foldIntoElement,
  hoistMember,
  dropEmptyKey,
  dropNull,
  dropPlaceholder,
  fillDefault,
  fillNull,
  renameOnlyCandidate,
  dropUnknownArgument,
  nullWord,
  jsonTextToArray,
  jsonTextToObject,
  textToNumber,
  textToInteger,
  textToBoolean,
  mdLinkToPath,
  lineRangeForm,
  emptyObjectToArray,
  keyedObjectToArray,
  splitEnumList,
  itemToScalar,
  echoedSchema,
  wrapInArray,
  unwrapSingle,
  literalToText,
  enumSpelling,
  urlInMarkup,
  globInQuotes,
]);

export const objectRules: readonly ObjectRule[] = ruleTable.filter(
  (rule) => rule.level === 'object',
);

const valueRules: readonly ValueRule[] = ruleTable.filter((rule) => rule.level === 'value');
const answering = (mismatch: Mismatch): readonly ValueRule[] =>
  valueRules.filter(({ answers }) => answers.includes(mismatch));

/** The value rules that answer a mismatch, in the table's order. */
export const valueRulesFor: Readonly<Record<Mismatch, readonly ValueRule[]>> = Object.freeze({
  type: answering('type'),
  path: answering('path'),
  digits: answering('digits'),
  value: answering('value'),
  root: answering('root'),
  member: answering('member'),
});

const idsOf = (isMeant: (rule: RepairRule) => boolean): ReadonlySet<string> =>
  new Set(ruleTable.filter(isMeant).map(({ id }) => id));

/** Ids of the rules that only read the value that a text spells. */
export const readingRules = idsOf((rule) => rule.level === 'value' && rule.isReading === true);

const losslessRules = idsOf((rule) => rule.keeps === 'lossless');

/**
 * Whether a rule keeps every key and every value of the arguments, so that it may act on a
 * destructive tool.
 */
export const isLossless = (rule: string): boolean => losslessRules.has(rule);

const almostAnythingRules = idsOf((rule) => rule.acceptsAlmostAnything === true);

/**
 * Whether a rule may not act on a reading of broken JSON that moves closers, braces or brackets.
 */
export const acceptsAlmostAnything = (rule: string): boolean => almostAnythingRules.has(rule);

const keyReaders = new Map(
  ruleTable.flatMap(({ id, notBeside }) => (notBeside === undefined ? [] : [[id, notBeside]])),
);

/**
 * Whether these rules may act in one call: of those that take a key for another than it says, only
 * one may, and not beside a rule that makes the rest fit.
 */
export function mayActTogether(rules: readonly string[]): boolean {
  if (!rules.some((rule) => keyReaders.has(rule))) return true;
  const [reader, ...others] = new Set(rules.filter((rule) => keyReaders.has(rule)));
  if (reader === undefined) return true;
  const isExcluded = (rule: string): boolean =>
    keyReaders.get(reader)?.some((excludedRule) => excludedRule === rule) === true;
  return others.length === 0 && !rules.some(isExcluded);
}

import { readPlainValue } from '../json/serialize.ts';
import { memoize } from '../collections/memoize.ts';
import { defined, freezeDeep, isContainer } from '../collections/objects.ts';
import { type JsonValue, mapMembers, maxTextDepth } from '../json/value.ts';
import type { OwnRule } from '../tool/own-rule.ts';
import { currentRuleId } from '../tool/rule-choice.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  type Mismatch,
  type Proposal,
  type RuleContext,
  type ValueRule,
  refuse,
} from './repair-rule.ts';
import { acceptsAlmostAnything, isLossless, valueRulesFor } from './rule-table.ts';
import { isLosslessTextRule } from '../text/text-rule-table.ts';

/**
 * The rules that act on the calls of a tool: toolmend's without those that are off, and the
 * author's.
 */
export interface ContractRules {
  /** The value rules that answer a mismatch, in the order in which they are asked. */
  answering(mismatch: Mismatch): readonly ValueRule[];
  /** Whether a rule is off: then what it would repair is refused. */
  isOff(rule: string): boolean;
  /** The same rules with none off; undefined if none is off. */
  readonly allOn: ContractRules | undefined;
  /**
   * Whether a rule keeps every key and every value of the arguments, so that it may act on a
   * destructive tool.
   */
  isLossless(rule: string): boolean;
  /**
   * Whether a rule may not act on a reading of broken JSON that moves closers, braces or brackets:
   * the author's may not.
   */
  acceptsAlmostAnything(rule: string): boolean;
}

export const rulesOf = memoize(({ rules = {}, ownRules = [] }: ToolContract): ContractRules => {
  const switchedOff = Object.entries<boolean | undefined>(rules).flatMap(([id, isOn]) =>
    isOn === false ? [currentRuleId(id)] : [],
  );
  const ownValueRules = ownRules.map(asValueRule);
  const allOn: ContractRules = {
    answering: (mismatch) => [
      ...ownValueRules.filter(({ answers }) => answers.includes(mismatch)),
      ...valueRulesFor[mismatch],
    ],
    isOff: () => false,
    allOn: undefined,
    isLossless: (rule) =>
      isLossless(rule) ||
      isLosslessTextRule(rule) ||
      ownValueRules.some(({ id, keeps }) => id === rule && keeps === 'lossless'),
    acceptsAlmostAnything: (rule) =>
      acceptsAlmostAnything(rule) || ownValueRules.some(({ id }) => id === rule),
  };
  return switchedOff.length === 0
    ? allOn
    : { ...allOn, isOff: (rule) => switchedOff.includes(rule), allOn };
});

const asValueRule = (rule: OwnRule): ValueRule => ({
  id: rule.id,
  level: 'value',
  answers: [rule.answers],
  ...defined({
    // oxlint-disable-next-line typescript/no-deprecated -- rules with the old names are accepted
    sentTypes: rule.sentTypes ?? rule.sent,
    // oxlint-disable-next-line typescript/no-deprecated -- as above
    declaredTypes: rule.declaredTypes ?? rule.declared,
    notes: rule.notes,
  }),
  keeps: rule.keeps ?? 'lossy',
  isOnce: true,
  propose: (context) => proposalOf(rule, context),
});

function proposalOf(rule: OwnRule, context: RuleContext): Proposal {
  const { value, view, name, types, isElement } = context;
  const copies = new FrozenCopies();
  try {
    const proposal = rule.propose({
      value: copies.of(value),
      schema: freezeDeep(view.schema),
      name,
      types: new Set(types),
      isElement,
      literal: context.literal(),
      accepts: (schema, other) => context.accepts(schema, other),
      read(text) {
        const read = context.read(text);
        return read === undefined ? undefined : copies.of(read);
      },
    });
    if (proposal.kind !== 'replace') return proposal;
    const reading = readPlainValue(proposal.value, maxTextDepth);
    return reading.kind === 'plain'
      ? { kind: 'replace', value: copies.originalOf(reading.value) }
      : refuse;
  } catch {
    return refuse;
  }
}

/** What an author's rule gets, so that it can't change the call or what was read from text. */
class FrozenCopies {
  /** Numbers keep their digits, and values read from text their records, by identity. */
  readonly #originals = new Map<JsonValue, JsonValue>();

  of(value: JsonValue): JsonValue {
    if (!isContainer(value)) return value;
    const copy = Object.freeze(mapMembers(value, (member) => this.of(member)));
    this.#originals.set(copy, value);
    return copy;
  }

  /** A copy, with the originals of the values that were handed out. */
  originalOf(value: JsonValue): JsonValue {
    if (!isContainer(value)) return value;
    return this.#originals.get(value) ?? mapMembers(value, (member) => this.originalOf(member));
  }
}

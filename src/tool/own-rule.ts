import {
  type OptionKinds,
  boolean,
  callback,
  checkOptions,
  either,
  list,
  oneOfWords,
  required,
} from '../options/check-options.ts';
import { definitionError } from '../errors/definition-error.ts';
import { isContainer } from '../collections/objects.ts';
import { type JsonType, type JsonValue, jsonTypes } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { ruleChoiceKinds } from './rule-choice.ts';

/**
 * What a rule of one's own sees of a value that fails. Values are frozen copies, and no method
 * changes anything.
 */
export interface FailingValue {
  readonly value: JsonValue;
  /** The schema of its place. */
  readonly schema: JsonSchema;
  /**
   * The declared key of the value, or of the array that it is an element of; undefined at the root.
   */
  readonly name: string | undefined;
  /** The types that the schema allows. */
  readonly types: ReadonlySet<JsonType>;
  /** The place is an element of an array. */
  readonly isElement: boolean;
  /** The digits of a number as the model wrote them; undefined if they are unknown. */
  readonly literal: string | undefined;
  /** Whether a value passes a schema, such as the schema of this place. */
  accepts(schema: JsonSchema, value: JsonValue): boolean;
  /** Reads text as JSON or nearly JSON; undefined if it can't be read. */
  read(text: string): JsonValue | undefined;
}

/**
 * `skip`: the next rule is tried. `refuse`: no rule is tried. `replace`: the value is replaced, and
 * validated again.
 */
export type OwnProposal =
  | { readonly kind: 'skip' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'replace'; readonly value: JsonValue };

/** A repair rule of one's own: proposes another value for one that fails. */
export interface OwnRule {
  /** For the records of its repairs; snake_case, not the id of another rule. */
  readonly id: string;
  /**
   * `type`: values of a type that is not declared. `value`: values of the right type that fail
   * otherwise.
   */
  readonly answers: 'type' | 'value';
  /** The types of the values that the rule is tried on. Default: all. */
  readonly sentTypes?: readonly JsonType[];
  /** The rule is tried only where one of these types is declared. Default: everywhere. */
  readonly declaredTypes?: readonly JsonType[];
  /** @deprecated Write `sentTypes`. */
  readonly sent?: readonly JsonType[];
  /** @deprecated Write `declaredTypes`. */
  readonly declared?: readonly JsonType[];
  /**
   * `lossless`: what was sent can be told from the new value, so that the rule acts on destructive
   * tools. Default: `lossy`.
   */
  readonly keeps?: 'lossless' | 'lossy';
  /** The model gets a note about each repair. Default: false. */
  readonly notes?: boolean;
  /** Proposes another value for one that fails, or none. */
  propose(value: FailingValue): OwnProposal;
}

const typesKind = list(oneOfWords(...jsonTypes), 'write an array of JSON types');

/** A function, so that bundles without `defineRule` don't contain it. */
const ownRuleKinds = (): OptionKinds<OwnRule> => ({
  id: required({
    accepts: (id) =>
      typeof id === 'string' &&
      /^[a-z]+(?:_[a-z0-9]+)*$/.test(id) &&
      !Object.hasOwn(ruleChoiceKinds, id),
    instead: 'write an id in snake_case that no rule of toolmend has',
  }),
  answers: required(oneOfWords('type', 'value')),
  sentTypes: typesKind,
  declaredTypes: typesKind,
  sent: typesKind,
  declared: typesKind,
  keeps: oneOfWords('lossless', 'lossy'),
  notes: boolean,
  propose: required(callback('write propose(failing) { … }')),
});

const definedRules = new WeakSet<object>();

/**
 * A repair rule of one's own, for the option `ownRules`. The rule is tried before toolmend's rules,
 * on values that fail validation. The value that the rule proposes is validated like any other, so
 * the rule can't change a valid call or let an invalid call through. A rule that throws, or
 * proposes what is not JSON, refuses the value. Throws a DefinitionError for an unknown or
 * ill-valued member.
 */
export function defineRule(rule: OwnRule): OwnRule {
  checkOptions('defineRule', rule, ownRuleKinds());
  const frozenRule = Object.freeze({ ...rule, propose: rule.propose.bind(rule) });
  definedRules.add(frozenRule);
  return frozenRule;
}

const isOwnRule = (value: unknown): boolean => isContainer(value) && definedRules.has(value);

export const ownRulesKind = either(
  'write an array of rules that defineRule made',
  list({ accepts: isOwnRule, instead: 'write what defineRule returned' }),
);

/** Throws a DefinitionError if two rules have one id. */
export function checkOwnRules(where: string, rules: readonly OwnRule[]): void {
  const ids = rules.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw definitionError(where, `has two rules with the id ${twice}`, 'rename one of them');
}

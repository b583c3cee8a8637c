import { objectOf } from '../collections/objects.ts';
import { type OptionKind, boolean } from '../options/check-options.ts';

/**
 * The ids of all rules in the order in which they are tried, first those for argument text that is
 * not the JSON of an object. Each rule's file says what it repairs.
 */
export const ruleIds = [
  'empty_text',
  'double_encoded',
  'single_root',
  'call_notation',
  'code_fence',
  'loose_json',
  'repeated_object',
  'broken_json',
  'bare_word',
  'surrounding_text',
  'wrap_text_in_parameter',
  'unwrap_envelope',
  'merge_envelope',
  'wrap_in_parameter',
  'unwrap_outer_key',
  'split_markup',
  'drop_tool_name',
  'unwrap_repeated',
  'rename_key',
  'unflatten_keys',
  'rename_related',
  'fold_into_element',
  'hoist_member',
  'drop_empty_key',
  'drop_null',
  'drop_placeholder',
  'fill_default',
  'fill_null',
  'rename_only_candidate',
  'drop_unknown_argument',
  'null_word',
  'json_text_to_array',
  'json_text_to_object',
  'text_to_number',
  'text_to_integer',
  'text_to_boolean',
  'md_link_to_path',
  'line_range_form',
  'empty_object_to_array',
  'keyed_object_to_array',
  'split_enum_list',
  'item_to_scalar',
  'echoed_schema',
  'wrap_in_array',
  'unwrap_single',
  'literal_to_text',
  'enum_spelling',
  'url_in_markup',
  'glob_in_quotes',
] as const;

/** The id of a rule, as in the records of repairs. */
export type RuleId = (typeof ruleIds)[number];

/**
 * Switches rules off by their ids: `{ wrap_in_array: false }`. What such a rule would repair is
 * rejected; no other rule repairs it instead. Default: every rule is on. docs/reference/rules.md
 * says what each of them repairs.
 */
export type RuleChoice = { readonly [Id in RuleId]?: boolean } & {
  /** @deprecated Write `broken_json`. */
  readonly readings?: boolean;
};

/** Former ids, which are in stored records, with those of today. */
const renamedIds: ReadonlyMap<string, string> = new Map([
  ['readings', 'broken_json'],
  ['pairs', 'dependent_default'],
]);

/** The id that a rule has today. */
export const currentRuleId = (id: string): string => renamedIds.get(id) ?? id;

export const ruleChoiceKinds: Readonly<Record<string, OptionKind>> = objectOf(
  [...ruleIds, 'readings'].map((id) => [id, boolean]),
);

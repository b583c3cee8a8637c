import type { JsonObject, JsonType, JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import type { RuleId } from '../tool/rule-choice.ts';
import type { RuleDescription } from '../tool/rule-description.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { ValueKind } from '../validate/value-kinds.ts';

interface RepairRuleOptions extends RuleDescription {
  /** The model gets a note about the repair. */
  readonly notes?: boolean;
  /**
   * The rule drops, wraps, merges or fills, so it makes nearly any reading of broken JSON fit: if
   * a closer is in the wrong place, it puts the members where they are declared. A reading that
   * moves closers, braces or brackets is not accepted with its help.
   */
  readonly acceptsAlmostAnything?: true;
  /**
   * The rule takes a key for another than it says. No other rule of this sort may act in the same
   * call, and none of these: together, they would make some call of anything.
   */
  readonly notBeside?: readonly RuleId[];
}

/** Rules that fill in, move or leave out a key, or give it another name because of its value. */
export const keyGuesses: readonly RuleId[] = [
  'drop_tool_name',
  'fold_into_element',
  'hoist_member',
  'drop_empty_key',
  'drop_null',
  'drop_placeholder',
  'fill_default',
  'rename_only_candidate',
  'drop_unknown_argument',
];

/** All rules that change the keys of an object. */
export const keyEdits: readonly RuleId[] = [
  ...keyGuesses,
  'unwrap_repeated',
  'rename_key',
  'unflatten_keys',
];

/**
 * What is wrong with a value. `type`: its type is not declared. `digits`: a number is declared, but
 * this one has lost digits. `path`: a path is a Markdown link. `value`: the type is right, the
 * value is not. Two are tried before the keys of an object are repaired: `root` for the whole
 * arguments object, and `member` for any other object.
 */
export type Mismatch = 'type' | 'digits' | 'path' | 'value' | 'root' | 'member';

/**
 * What is wrong with the keys of an object. `undeclared`: a key is not declared. `empty`: the value
 * of a declared key is null, blank or `{}`. `missing`: a required key is absent.
 */
export type KeyMismatch = 'undeclared' | 'empty' | 'missing';

/** `alone`: an object has one key. */
export type KeyTrait = KeyMismatch | 'alone';

/** Proposes another value for one that doesn't fit. */
export interface ValueRule extends RepairRuleOptions {
  readonly level: 'value';
  readonly answers: readonly Mismatch[];
  /** The rule is tried only on values of these types. Default: any type. */
  readonly sentTypes?: readonly JsonType[];
  /** The rule is tried only if one of these types is declared. Default: any type. */
  readonly declaredTypes?: readonly JsonType[];
  /** The rule is tried only at places of this kind. Default: at any place. */
  readonly kind?: ValueKind;
  /** The rule is tried only on objects with such keys. Default: any keys. */
  readonly keys?: readonly KeyTrait[];
  /**
   * The rule only reads the value that a text spells. If that fits, no further repair is wanted.
   */
  readonly isReading?: true;
  /** The rule acts once on a value and on the elements in it, never on its own result. */
  readonly isOnce?: true;
  /**
   * The value that a text spells, if the text and its schema alone decide. `propose` then proposes
   * this value, too.
   */
  readonly plainReading?: (text: string, view: SchemaView) => JsonValue | undefined;
  propose(context: RuleContext): Proposal;
}

/** Proposes edits of the keys of an object that doesn't fit, before its members are repaired. */
export interface ObjectRule extends RepairRuleOptions {
  readonly level: 'object';
  readonly answers: readonly KeyMismatch[];
  propose(context: RuleContext<JsonObject>): readonly KeyEdit[] | Refusal;
}

export type RepairRule = ValueRule | ObjectRule;

/** The value has a shape that this rule knows but must not repair; no other rule is tried. */
export interface Refusal {
  readonly kind: 'refuse';
  /** Two values that it could mean, for the message. */
  readonly meanings?: readonly [JsonValue, JsonValue];
}

/** Replaces the value. `decode`: the new value was read from text. */
export interface Replacement {
  readonly kind: 'replace' | 'decode';
  readonly value: JsonValue;
  /** JSON Pointer of the new value inside the old one, if it was there. */
  readonly from?: string;
  /** This replacement loses something, although the rule is lossless. */
  readonly isLossy?: true;
  /** The model gets a note about this replacement, although not about others of the rule. */
  readonly notes?: true;
  /** If the new value doesn't fit and can't be repaired to fit, the next rule is tried. */
  readonly onlyIfFits?: true;
}

/** `skip`: the next rule is tried. */
export type Proposal = { readonly kind: 'skip' } | Refusal | Replacement;

export const skip = { kind: 'skip' } as const;
export const refuse: Refusal = { kind: 'refuse' };
export const refuseBetween = (one: JsonValue, other: JsonValue): Refusal => ({
  kind: 'refuse',
  meanings: [one, other],
});
/** Skips if there is no value. */
export const replaceWith = (value: JsonValue | undefined): Proposal =>
  value === undefined ? skip : { kind: 'replace', value };
export const replaceIfFits = (value: JsonValue): Proposal => ({
  kind: 'replace',
  value,
  onlyIfFits: true,
});
export const decodeTo = (value: JsonValue): Proposal => ({ kind: 'decode', value });

/**
 * One change of an object's keys. `lift`: a key moves up out of the object under `key`, or out of
 * all objects in its list.
 */
export type KeyEdit =
  | { readonly op: 'remove'; readonly key: string }
  | { readonly op: 'set'; readonly key: string; readonly value: JsonValue }
  | { readonly op: 'rename'; readonly key: string; readonly to: string }
  | { readonly op: 'lift'; readonly key: string; readonly to: string };

/**
 * What a rule sees of a value, its place in the schema and the call. No method changes anything.
 */
export interface RuleContext<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly view: SchemaView;
  /**
   * The declared key of the value, or of the list that it is an element of; undefined at the root.
   */
  readonly name: string | undefined;
  /** The object that the value is a member of; empty at the root and in an array. */
  readonly siblings: JsonObject;
  /** The types that all branches of a union allow together; `view` is that of one branch. */
  readonly types: ReadonlySet<JsonType>;
  /** The schema with all branches of a union. */
  readonly place: JsonSchema;
  /** Text at this place is a file system path. */
  isPath(): boolean;
  /** The value is the whole arguments object. */
  readonly isRoot: boolean;
  /** The place is an element of a list. */
  readonly isElement: boolean;
  /** The digits of a number as the model wrote them; undefined if they are unknown. */
  literal(): string | undefined;
  readonly contract: ToolContract;
  accepts(schema: JsonSchema, value: JsonValue): boolean;
  viewOf(schema: JsonSchema): SchemaView;
  /** The types that a schema allows in any of its branches. */
  typesOf(schema: JsonSchema): ReadonlySet<JsonType>;
  /** Undeclared keys with the declared one that each is a spelling of. */
  misspelt(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[];
  /**
   * The text of a value as it was sent, or its JSON text with all digits; undefined if digits are
   * lost.
   */
  sourceOf(value: JsonValue): string | undefined;
  /**
   * Reads text that was found at this place, as JSON or nearly JSON; undefined if it can't be read.
   */
  read(text: string): JsonValue | undefined;
}

/** One step on the value, as in JSON Patch (RFC 6902); `path` is a JSON Pointer. */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/**
 * One repair. Replaying the operations of all records on the value as sent gives the value as
 * accepted.
 */
export interface RepairRecord {
  /** The rule's id, as in docs/reference/rules.md. */
  readonly rule: string;
  /** JSON Pointer of the value that was repaired. */
  readonly path: string;
  /** A preview of what was there; never a secret. */
  readonly was: string;
  /** Whether the model gets a note. */
  readonly shownToModel: boolean;
  /**
   * A destructive tool doesn't run on this repair unless the model confirms it, although its rule
   * is lossless otherwise.
   */
  readonly isLossy?: true;
  readonly operations: readonly Operation[];
}

import { pathInLink } from '../json/markdown-link.ts';
import { type JsonObject, type JsonType, type JsonValue, isJsonObject, jsonTypeOf } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import type { Effects } from '../tool/tool-contract.ts';
import { survivesAsNumber } from '../json/exact-numbers.ts';
import { isNullWord } from './read-text.ts';

// It sees one failing place and proposes one edit, refuses the shape it knows, or says nothing.
/** A rule's own facts: its row in docs/rules.md. */
export interface RuleFacts {
  /** snake_case; the file's name with underscores. */
  readonly id: string;
  /** What models send. */
  readonly sends: string;
  readonly becomes: string;
  readonly notWhen: string;
  /** `lossless`: every key and every value is kept, so it acts on destructive tools too. */
  readonly keeps: 'lossless' | 'lossy';
  /** The model is told of it in a note. */
  readonly tells?: true;
}

/**
 * What is wrong with a value. `type`: its type is not declared. `digits`: a number may stand there, but this one has
 * lost digits. `path`: a path is a link. `value`: the type is right, the value isn't. `root`: the arguments as a whole.
 */
export type ValueComplaint = 'type' | 'digits' | 'path' | 'value' | 'root';

export type RepairRule = ValueRule | ObjectRule;

/** Asked about one value that doesn't fit. */
export interface ValueRule extends RuleFacts {
  readonly level: 'value';
  readonly answers: readonly ValueComplaint[];
  propose(place: Place): Proposal;
}

/**
 * What is wrong with an object's keys. `undeclared`: one that is not declared. `empty`: a declared one whose value
 * says nothing. `missing`: a required one is not there.
 */
export type KeyComplaint = 'undeclared' | 'empty' | 'missing';

/** Asked about the keys of an object that doesn't fit, before its members are looked at. */
export interface ObjectRule extends RuleFacts {
  readonly level: 'object';
  readonly answers: readonly KeyComplaint[];
  propose(place: ObjectPlace): readonly KeyEdit[] | typeof refused;
}

/** `decode`: a text was read. `refused`: the rule knows this shape and it must not be read in any other way. */
export type Proposal =
  { readonly kind: 'replace' | 'decode'; readonly value: JsonValue } | typeof silent | typeof refused;

/** The rule has nothing to say; the next one is asked. */
export const silent = { kind: 'silent' } as const;
export const refused = { kind: 'refused' } as const;
export const replaceBy = (value: JsonValue): Proposal => ({ kind: 'replace', value });

export const decodedAs = (value: JsonValue): Proposal => ({ kind: 'decode', value });

/** One change of an object's keys. */
export type KeyEdit =
  | { readonly op: 'remove'; readonly key: string }
  | { readonly op: 'set'; readonly key: string; readonly value: JsonValue }
  | { readonly op: 'rename'; readonly key: string; readonly to: string };

/** A value, where it stands, and what may stand there. */
export interface Place {
  readonly value: JsonValue;
  readonly view: SchemaView;
  /** The declared key that governs the place, a list's elements included; undefined at the root. */
  readonly name: string | undefined;
  /** Every type that the place as a whole allows, whichever branch of a union is looked at. */
  readonly types: ReadonlySet<JsonType>;
  /** Text here is a file system path. */
  readonly isPath: boolean;
  /** The place is an element of a list. */
  readonly isElement: boolean;
  /** How the model spelled the number that is the value; undefined if that can't be told any more. */
  readonly literal: string | undefined;
  readonly ask: Questions;
}

export interface ObjectPlace extends Place {
  readonly value: JsonObject;
}

/** What a rule may ask. The answers come from the validator and the reader; nothing is changed by asking. */
export interface Questions {
  readonly toolName: string;
  readonly effects: Effects | undefined;
  readonly unknownArguments: 'reject' | 'strip';
  accepts(schema: JsonSchema, value: JsonValue): boolean;
  view(schema: JsonSchema): SchemaView;
  /** Undeclared keys with the declared one each is a spelling of. */
  misspelt(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[];
  /** A value as JSON text, with its numbers as the model spelled them; undefined where digits are lost already. */
  sourceOf(value: JsonValue): string | undefined;
  /** What a text that stands at the place says, as JSON or as models write it; undefined if it can't be read. */
  read(text: string): JsonValue | undefined;
}

export function complaintAbout(place: Place): ValueComplaint {
  const { value, view } = place;
  if (!view.types.has(jsonTypeOf(value))) return 'type';
  if (typeof value === 'number' && !survivesAsNumber(place.literal ?? '')) return 'digits';
  return typeof value === 'string' && place.isPath && pathInLink(value) !== undefined ? 'path' : 'value';
}

/** What the keys of an object give cause to complain of; most objects give none. */
export function complaintsAboutKeys(object: JsonObject, view: SchemaView): ReadonlySet<KeyComplaint> {
  let complaints: Set<KeyComplaint> | undefined;
  for (const key of Object.keys(object)) {
    if (!view.properties.has(key)) (complaints ??= new Set()).add('undeclared');
    else if (saysNothing(object[key] ?? null)) (complaints ??= new Set()).add('empty');
  }
  for (const key of view.required) {
    if (!Object.hasOwn(object, key)) (complaints ??= new Set()).add('missing');
  }
  return complaints ?? noComplaints;
}

const noComplaints: ReadonlySet<KeyComplaint> = new Set();

const saysNothing = (value: JsonValue): boolean =>
  value === null ||
  (typeof value === 'string' && (value.trim() === '' || isNullWord(value))) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/** One step on the value, in the words of JSON Patch (RFC 6902); `path` is a JSON Pointer. */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** One repair. Replaying the operations of all records on the value as sent gives the value as accepted. */
export interface RepairRecord {
  /** The rule's id, as in docs/rules.md. */
  readonly rule: string;
  /** JSON Pointer of the place that was repaired. */
  readonly path: string;
  /** What was there, in short form; never a secret. */
  readonly was: string;
  /** Whether the model should be told. */
  readonly tell: boolean;
  readonly operations: readonly Operation[];
}

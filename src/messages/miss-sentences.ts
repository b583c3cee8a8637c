// The sentences of hints that learn: what a model reads about a field that it often gets wrong. They
// are made from the rule or the keyword and the schema, and never from what a model wrote.
import { ownValue } from '../collections/objects.ts';
import { pointerKeys, pointerTo, splitPointer } from '../json/pointers.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import type { RuleId } from '../tool/rule-choice.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatedSchemaOf, validatorOf } from '../validate/validator.ts';
import { describeSchema } from './describe-schema.ts';
import { exampleValue } from './example-value.ts';

/**
 * What models get wrong. `one_object`, `no_markup`, `strict_json`: the text of the arguments.
 * `keys`: names of keys. `nesting`: keys inside another key. `form`: the type, shape or bounds of a
 * value. `member`: one of several values. `omit`, `send`: a key that should be left out, or sent.
 * `null`: a word instead of null. `path`: a link instead of a path.
 */
export const missKinds = [
  'one_object',
  'no_markup',
  'strict_json',
  'keys',
  'nesting',
  'form',
  'member',
  'omit',
  'send',
  'null',
  'path',
  'url',
  'glob',
] as const;

/** The id of a kind of miss. */
export type MissKind = (typeof missKinds)[number];

/** What a model got wrong, and where. */
export interface FieldMiss {
  readonly kind: MissKind;
  /** JSON Pointer, with `*` for the indexes of arrays; '' for the arguments as a whole. */
  readonly field: string;
}

/** A miss at a place that the schema declares, with what a model should read about it. */
export interface HintedMiss extends FieldMiss {
  readonly sentence: string;
}

/** Maps a JSON Pointer in the tool's own arguments to one with the provider's keys. */
type PathMapping = (pointer: string) => string;

/** A declared place of the schema. */
interface Place {
  /** For the model: `edits[].find`; '' for the arguments as a whole. */
  readonly name: string;
  /** The declared keys of an object: `path, mode`. */
  readonly keys: string;
  /** What the schema takes: `a JSON array of strings`. */
  readonly form: string;
  /** JSON text of a valid array or object, if there is a short one. */
  readonly example: string | undefined;
}

/** What a sentence is about: the arguments as a whole, the keys of an object, or one value. */
interface Sentence {
  readonly about: 'arguments' | 'keys' | 'value';
  readonly write: (place: Place) => string;
}

const aboutArguments = (text: string): Sentence => ({ about: 'arguments', write: () => text });
const aboutKeys = (write: (place: Place) => string): Sentence => ({ about: 'keys', write });
const aboutValue = (write: (place: Place) => string): Sentence => ({ about: 'value', write });

const objectName = (name: string): string => (name === '' ? 'the arguments' : name);

/** The sentence of each kind of miss. A test reads all of them. */
const sentences: Readonly<Record<MissKind, Sentence>> = {
  one_object: aboutArguments(
    'Send the arguments as one JSON object, neither in an array nor as a string.',
  ),
  no_markup: aboutArguments(
    'Send the arguments as a JSON object alone: no text, code fence or markup around it.',
  ),
  strict_json: aboutArguments(
    'Send the arguments as strict JSON: double quotes, no comments, no trailing commas.',
  ),
  keys: aboutKeys(
    ({ name, keys }) => `The only keys of ${objectName(name)} are ${keys}, spelled exactly so.`,
  ),
  nesting: aboutKeys(
    ({ name, keys }) => `The keys of ${objectName(name)} are ${keys}, not inside another key.`,
  ),
  form: aboutValue(
    ({ name, form, example }) =>
      `${name} is ${form}${example === undefined ? '' : `: ${example}`}.`,
  ),
  member: aboutValue(({ name, form }) => `${name} is exactly ${form}.`),
  omit: aboutValue(({ name }) => `Leave ${name} out if there is no value for it.`),
  send: aboutValue(({ name, form }) => `Always send ${name}, ${form}.`),
  null: aboutValue(({ name }) => `If there is no value for ${name}, send null, without quotes.`),
  path: aboutValue(({ name }) => `${name} is a plain path, never a Markdown link.`),
  url: aboutValue(({ name }) => `${name} is an address alone, never a Markdown link.`),
  glob: aboutValue(({ name }) => `${name} is a glob pattern without quotes.`),
};

/** Characters of an example. */
const longestExample = 60;
/** Keys that a sentence lists. An object with more has no sentence about its keys. */
const mostKeys = 12;

/** The kind of miss that each rule repairs. */
const kindsOfRules: { readonly [Id in RuleId]: MissKind } = {
  empty_text: 'one_object',
  double_encoded: 'one_object',
  single_root: 'one_object',
  call_notation: 'no_markup',
  code_fence: 'no_markup',
  loose_json: 'strict_json',
  repeated_object: 'one_object',
  broken_json: 'strict_json',
  bare_word: 'one_object',
  surrounding_text: 'no_markup',
  wrap_text_in_parameter: 'one_object',
  unwrap_envelope: 'nesting',
  merge_envelope: 'nesting',
  wrap_in_parameter: 'nesting',
  unwrap_outer_key: 'nesting',
  split_markup: 'no_markup',
  drop_tool_name: 'keys',
  unwrap_repeated: 'form',
  rename_key: 'keys',
  unflatten_keys: 'keys',
  rename_related: 'keys',
  fold_into_element: 'keys',
  hoist_member: 'nesting',
  drop_empty_key: 'keys',
  drop_null: 'omit',
  drop_placeholder: 'omit',
  fill_default: 'send',
  fill_null: 'send',
  rename_only_candidate: 'keys',
  drop_unknown_argument: 'keys',
  null_word: 'null',
  json_text_to_array: 'form',
  json_text_to_object: 'form',
  text_to_number: 'form',
  text_to_integer: 'form',
  text_to_boolean: 'form',
  md_link_to_path: 'path',
  line_range_form: 'form',
  empty_object_to_array: 'form',
  keyed_object_to_array: 'form',
  split_enum_list: 'form',
  item_to_scalar: 'form',
  echoed_schema: 'form',
  wrap_in_array: 'form',
  unwrap_single: 'form',
  literal_to_text: 'form',
  enum_spelling: 'member',
  url_in_markup: 'url',
  glob_in_quotes: 'glob',
};

/** The kind of miss behind the keyword of an issue. Others have no sentence. */
const kindsOfIssues: Readonly<Record<string, MissKind>> = {
  type: 'form',
  enum: 'member',
  const: 'member',
  required: 'send',
  additionalProperties: 'keys',
  unevaluatedProperties: 'keys',
  misspelt: 'keys',
  duplicate_key: 'keys',
  not_json: 'strict_json',
  not_sent: 'one_object',
  path: 'path',
  url: 'url',
  glob: 'glob',
  line_range: 'form',
  minimum: 'form',
  maximum: 'form',
  exclusiveMinimum: 'form',
  exclusiveMaximum: 'form',
  multipleOf: 'form',
  minLength: 'form',
  maxLength: 'form',
  minItems: 'form',
  maxItems: 'form',
  uniqueItems: 'form',
  pattern: 'form',
  format: 'form',
  anyOf: 'form',
  oneOf: 'form',
};

/** The kind of miss that a rule repairs, or that an issue of this keyword is. */
export const missKind = (source: 'rule' | 'issue', name: string): MissKind | undefined =>
  ownValue<MissKind>(source === 'rule' ? kindsOfRules : kindsOfIssues, name);

/**
 * What a model should read about a miss. Undefined if there is no sentence for it, or if the schema
 * doesn't declare the place. `providerPath`: maps a JSON Pointer to one with the provider's keys.
 */
export function hintedMiss(
  contract: ToolContract,
  { kind, field }: FieldMiss,
  providerPath: PathMapping = (pointer) => pointer,
): HintedMiss | undefined {
  if (validatedSchemaOf(contract).problem !== undefined) return undefined;
  const { views } = validatorOf(contract);
  const { about, write } = sentences[kind];
  const place = placeOf(views, about, field);
  if (place === undefined) return undefined;
  const sentence = write({
    name: shownName(place.field, providerPath),
    keys: shownKeys(views, place, providerPath),
    form: formOf(views, place.schema),
    example: exampleOf(contract, place.schema),
  });
  return { kind, field: place.field, sentence };
}

function placeOf(
  views: SchemaViews,
  about: Sentence['about'],
  field: string,
): DeclaredPlace | undefined {
  if (about === 'arguments') return { field: '', schema: views.root };
  if (about === 'keys') return objectAround(views, field);
  return field === '' ? undefined : declaredPlace(views, field);
}

/** `a JSON array of strings`; `an integer from 1 to 5, without quotes`. */
function formOf(views: SchemaViews, schema: JsonSchema): string {
  const form = describeSchema(views, schema).replace(/^an (?=array|object)/, 'a JSON ');
  const isUnquoted = [...views.typesOf(schema)].every((type) =>
    ['integer', 'number', 'boolean'].includes(type),
  );
  return isUnquoted ? `${form}, without quotes` : form;
}

interface DeclaredPlace {
  readonly field: string;
  readonly schema: JsonSchema;
}

/** Undefined if some key on the way is not declared, or has its hints switched off. */
function declaredPlace(views: SchemaViews, field: string): DeclaredPlace | undefined {
  let schema: JsonSchema = views.root;
  for (const key of pointerKeys(field)) {
    const next = declaredMember(views, schema, key);
    if (next === undefined || isOff(next)) return undefined;
    schema = next;
  }
  return { field, schema };
}

/**
 * The object with the keys that a miss is about: the field itself, or the object around it, because
 * the last key is often one that the model made up.
 */
function objectAround(views: SchemaViews, field: string): DeclaredPlace | undefined {
  const fields = field === '' ? [''] : [field, splitPointer(field).parent];
  return fields
    .flatMap((one) => declaredPlace(views, one) ?? [])
    .find(({ schema }) => {
      const { size } = views.of(schema).properties;
      return size > 0 && size <= mostKeys;
    });
}

/** A declared property, or the elements of an array; in a union, those of the first branch with one. */
function declaredMember(
  views: SchemaViews,
  schema: JsonSchema,
  key: string,
): JsonSchema | undefined {
  const view = views.of(schema);
  const property = view.properties.get(key);
  if (property !== undefined) return property;
  if (key === '*' && view.types.has('array') && typeof view.items === 'object') return view.items;
  return view.branches.map((branch) => declaredMember(views, branch, key)).find(isPresent);
}

const isOff = (schema: JsonSchema): boolean =>
  typeof schema === 'object' && schema['x-toolmend']?.hints === 'off';

const isPresent = (schema: JsonSchema | undefined): schema is JsonSchema => schema !== undefined;

/** `edits[].find`, in the provider's keys. */
function shownName(field: string, providerPath: PathMapping): string {
  let [pointer, name] = ['', ''];
  for (const key of pointerKeys(field)) {
    pointer = pointerTo(pointer, key === '*' ? 0 : key);
    const shownKey = splitPointer(providerPath(pointer)).key;
    name = key === '*' ? `${name}[]` : name === '' ? shownKey : `${name}.${shownKey}`;
  }
  return name;
}

const shownKeys = (
  views: SchemaViews,
  { field, schema }: DeclaredPlace,
  providerPath: PathMapping,
): string =>
  [...views.of(schema).properties.keys()]
    .map((key) => shownName(pointerTo(field, key), providerPath).replace(/^.*[.\]]/, ''))
    .join(', ');

function exampleOf(contract: ToolContract, schema: JsonSchema): string | undefined {
  const validator = validatorOf(contract);
  const example = exampleValue(validator.views, schema);
  if (example === undefined || !validator.acceptsPart(schema, example)) return undefined;
  const text = JSON.stringify(example);
  return /^[[{]/.test(text) && text.length <= longestExample ? text : undefined;
}

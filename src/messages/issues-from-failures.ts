import { pointerTo, valueAt } from '../json/json-pointer.ts';
import {
  type JsonObject,
  type JsonValue,
  foldKey,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  ownValue,
  sameValue,
} from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { type SchemaView, memberSchema } from '../schema/schema-view.ts';
import { holdsSecret, isSecretPlace } from '../tool/secrets.ts';
import type { SchemaFailure } from '../tool/tool-contract.ts';
import type { StrictFailure } from '../validate/strict-checks.ts';
import type { ContractValidator } from '../validate/validator.ts';
import {
  branchesWords,
  containsClause,
  declaredSchema,
  exactWords,
  expectedWords,
  limitWords,
} from './describe-schema.ts';
import { formatExample } from './example-value.ts';
import { nearestName } from '../json/nearest-name.ts';
import { preview, printable, quote } from '../json/preview.ts';
import type { Issue } from './issue.ts';

// In words, by the keyword; never the kind alone where the value is of that kind.
/** What was validated, and by what. */
export interface FailedKeyword {
  readonly keyword: string;
  /** The schema that the keyword stands in. */
  readonly schema: JsonSchema;
  /** What failed; a key's name, where that failed. */
  readonly value: JsonValue;
}

/** "at least 3 characters", "a list with \"a\" in it", "anything but text that matches ^x". */
function expectedBy(validator: ContractValidator, { keyword, schema, value }: FailedKeyword): string {
  const { views } = validator;
  if (typeof schema === 'boolean') return 'nothing';
  const words = bounds.get(keyword);
  if (words !== undefined) return limitWords(words, schema[keyword]);
  switch (keyword) {
    case 'type':
      return typeWordsFor(validator, schema, value);
    case 'enum':
    case 'const':
      return expectedWords(views, schema);
    case 'format':
      return formatWords(String(schema.format));
    case 'not':
      return notWords(validator, schema);
    case 'contains':
      return ['a list', ...containsClause(views, schema, 0)].join(' ');
    case 'items':
    case 'unevaluatedItems':
      return limitWords('at most % in the list', views.of(schema).prefixItems.length);
    case 'oneOf':
      return onlyOneWords(validator, schema, value) ?? exactWords(views, schema);
    default:
      return exactWords(views, schema);
  }
}

/**
 * A text that says a number is sent again as that number, and a number as its text: where only such values may stand, their
 * bounds are told at once.
 */
function typeWordsFor({ views }: ContractValidator, schema: SchemaObject, value: JsonValue): string {
  const { types } = views.of(schema);
  const isText = types.has('string');
  const isScalar = !types.has('array') && !types.has('object');
  const saysOther = isText ? typeof value === 'number' : typeof value === 'string';
  return isScalar && saysOther ? exactWords(views, schema) : expectedWords(views, schema);
}

const bounds: ReadonlyMap<string, string> = new Map([
  ['minimum', 'at least %'],
  ['maximum', 'at most %'],
  ['exclusiveMinimum', 'more than %'],
  ['exclusiveMaximum', 'less than %'],
  ['minLength', 'at least % characters'],
  ['maxLength', 'at most % characters'],
  ['minItems', 'at least % in the list'],
  ['maxItems', 'at most % in the list'],
  ['minProperties', 'at least % keys'],
  ['maxProperties', 'at most % keys'],
  ['multipleOf', 'a multiple of %'],
  ['pattern', 'text that matches %'],
  ['uniqueItems', 'a list without repetitions'],
]);

function formatWords(format: string): string {
  const example = formatExample(format);
  const words = limitWords('text in the format %', format);
  return example === undefined ? words : `${words}, like ${example}`;
}

function notWords({ views }: ContractValidator, { not }: SchemaObject): string {
  const refused = isSchema(not) ? not : true;
  return refused === true ? 'nothing' : `anything but ${exactWords(views, refused)}`;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null);

/** undefined where the value fits none: then it is what one of them asks for that is missing. */
function onlyOneWords(
  validator: ContractValidator,
  schema: SchemaObject,
  value: JsonValue,
): string | undefined {
  const fitting = (schema.oneOf ?? []).filter((branch) => validator.acceptsPart(branch, value));
  if (fitting.length < 2) return undefined;
  return `only one of: ${branchesWords(
    fitting.map((branch) => exactWords(validator.views, branch)),
    '; ',
  )}`;
}

// Not where the keyword stands in the schema.
/** One failure of the schema, at one place of the arguments. */
export type FailedPlace = SchemaFailure;

/** A failure that is about one key. */
export type FailedKey = FailedPlace & { readonly key: string };

// Which one is near, or where its own keys belong.
/** The way out; none where nothing is certain. `value`: the arguments as a whole. */
function unknownKeyFacts({ views }: ContractValidator, failure: FailedKey, value: JsonValue): Partial<Issue> {
  const { path, schema, key } = failure;
  const { properties, patternProperties } = views.of(schema);
  const around = valueAt(value, path);
  const object: JsonObject = isJsonObject(around) ? around : {};
  const twice = [...properties.keys()].find((name) => Object.hasOwn(object, name) && isSpelling(key, name));
  if (twice !== undefined) return { advice: onceAdvice(twice) };
  const absent = [...properties.keys()].filter((name) => !Object.hasOwn(object, name));
  const nearest = nearestName(key, absent);
  if (nearest !== undefined) return { advice: nearestAdvice(nearest) };
  // As the arguments in an envelope.
  const inside = ownValue(object, key);
  if (isJsonObject(inside) && Object.keys(inside).some((name) => properties.has(name)))
    return { advice: 'send its keys without it' };
  const patterns = typeof schema === 'boolean' ? [] : Object.keys(schema.patternProperties ?? {});
  return properties.size > 0 || patternProperties.length === 0
    ? {}
    : { advice: `keys match ${printable(patterns.join(' or '), 120)}` };
}

export const nearestAdvice = (name: string): string => `did you mean ${quote(name)}?`;
export const onceAdvice = (name: string): string => `send ${quote(name)} once`;

const isSpelling = (key: string, name: string): boolean => {
  const folded = foldKey(key);
  return folded !== undefined && folded === foldKey(name);
};

/** What was expected, and the way out. `value`: the arguments as a whole. */
function keyFacts(validator: ContractValidator, failure: FailedKey, value: JsonValue): Partial<Issue> {
  const { keyword, schema, key } = failure;
  if (keyword === 'required' || keyword === 'dependentRequired')
    return { ...missingFacts(validator, failure), ...askedBy(failure, value) };
  if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties')
    return {
      expected: expectedBy(validator, { keyword, schema, value: key }),
      received: `the key ${quote(key)}`,
    };
  return unknownKeyFacts(validator, failure, value);
}

/** What a condition asks for may be declared beside it. */
function missingFacts({ views }: ContractValidator, { path, schema, key }: FailedKey): Partial<Issue> {
  const missing =
    views.of(schema).properties.get(key) ?? views.of(declaredSchema(views, path)).properties.get(key);
  return missing === undefined ? {} : { expected: exactWords(views, missing) };
}

/** The keys that came and need another beside them. */
function askedBy({ keyword, path, key, schema }: FailedKey, value: JsonValue): Partial<Issue> {
  const object = valueAt(value, path);
  if (keyword !== 'dependentRequired' || typeof schema === 'boolean' || !isJsonObject(object)) return {};
  const asking = Object.entries(schema.dependentRequired ?? {}).find(
    ([name, needed]) => Object.hasOwn(object, name) && needed.includes(key),
  );
  return asking === undefined ? {} : { advice: `${quote(asking[0])} needs it` };
}

/** The issue: where, what was expected, what came, and the way out if one key is near. `value`: the arguments as a whole. */
function issueOfFailure(validator: ContractValidator, failure: FailedPlace, value: JsonValue): Issue {
  const { keyword, path, key, schema } = failure;
  if (key !== undefined) return { keyword, path, key, ...keyFacts(validator, { ...failure, key }, value) };
  const isHidden = holdsSecret(validator.views, schema) || isSecretPlace(validator.views, path);
  const failed = valueAt(value, path) ?? null;
  const received = preview(failed, isHidden ? 'hidden' : 'shown');
  if (schema === false && path === '')
    return { keyword, path, expected: 'another combination of arguments', received };
  const expected = expectedBy(validator, { keyword, schema, value: failed });
  return { keyword, path, expected, received, ...(schema === false ? { advice: 'leave it out' } : {}) };
}

// Told as for a schema without a union: which key is missing, which element is wrong.
/** Failures of one place that are told, at most. */
const mostFailures = 64;

/** A value, where it stands, and what it was validated by. */
interface Validated {
  readonly value: JsonValue;
  readonly path: string;
  readonly schema: JsonSchema;
}

/** A union's failure is what is wrong in its branch, where only one can be meant. `value`: the arguments as a whole. */
function failuresTold(
  validator: ContractValidator,
  failure: FailedPlace,
  value: JsonValue,
): readonly FailedPlace[] {
  const { keyword, path, schema } = failure;
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return [failure];
  return failuresInBranch(validator, { value: valueAt(value, path) ?? null, path, schema }) ?? [failure];
}

/** The failures in the one branch that is meant; undefined where it isn't certain which one is. */
function failuresInBranch(
  validator: ContractValidator,
  validated: Validated,
): readonly FailedPlace[] | undefined {
  if (!isJsonArray(validated.value) && !isJsonObject(validated.value)) return undefined;
  const branch = meantBranch(validator, validated);
  if (branch === undefined) return undefined;
  return failuresIn(validator, { ...validated, schema: branch }).slice(0, mostFailures);
}

/** The only branch for values of that type, or the only one whose constants are those that came. */
function meantBranch({ views }: ContractValidator, { value, schema }: Validated): JsonSchema | undefined {
  const type = jsonTypeOf(value);
  const branches = views.of(schema).branches.filter((branch) => views.of(branch).types.has(type));
  const meant =
    branches.length < 2 || !isJsonObject(value)
      ? branches
      : branches.filter((branch) => hasConstants(views.of(branch), value, (at) => views.of(at).members));
  const [only, ...others] = meant;
  return others.length === 0 ? only : undefined;
}

/** One of its constants came at least, and no other value came for any. */
function hasConstants(
  { properties }: SchemaView,
  value: JsonObject,
  membersOf: (schema: JsonSchema) => readonly JsonValue[] | undefined,
): boolean {
  const sent = [...properties].flatMap(([key, schema]) => {
    const members = membersOf(schema);
    const member = ownValue(value, key);
    return members === undefined || member === undefined ? [] : [{ members, member }];
  });
  return sent.length > 0 && sent.every(({ members, member }) => members.some((at) => sameValue(at, member)));
}

function failuresIn(validator: ContractValidator, validated: Validated): readonly FailedPlace[] {
  const { value, path, schema } = validated;
  if (validator.acceptsPart(schema, value)) return [];
  const view = validator.views.of(schema);
  if (view.branches.length > 0)
    return failuresInBranch(validator, validated) ?? [{ keyword: 'anyOf', path, schema }];
  if (!view.types.has(jsonTypeOf(value))) return [{ keyword: 'type', path, schema }];
  if (view.members !== undefined) return [{ keyword: 'enum', path, schema }];
  const inside = isJsonObject(value)
    ? failuresOfObject(validator, validated, value)
    : isJsonArray(value)
      ? value.flatMap((element, at) =>
          failuresIn(validator, {
            value: element,
            path: pointerTo(path, at),
            schema: view.prefixItems[at] ?? view.items,
          }),
        )
      : [];
  // What else fails is said of the place as a whole.
  return inside.length > 0 ? inside : [{ keyword: 'anyOf', path, schema }];
}

function failuresOfObject(
  validator: ContractValidator,
  { path, schema }: Validated,
  value: JsonObject,
): readonly FailedPlace[] {
  const view = validator.views.of(schema);
  const missing = [...view.required].filter((key) => !Object.hasOwn(value, key));
  const members = Object.entries(value).flatMap(([key, member]): readonly FailedPlace[] => {
    const below = memberSchema(view, key);
    if (below === false) return [{ keyword: 'additionalProperties', path, key, schema }];
    return failuresIn(validator, { value: member, path: pointerTo(path, key), schema: below });
  });
  return [...missing.map((key) => ({ keyword: 'required', path, key, schema })), ...members];
}

/** A path that is a link, or a key in another spelling. */
const strictIssue = ({ keyword, path, key, declared }: StrictFailure): Issue => ({
  keyword,
  path,
  ...(key === undefined ? {} : { key }),
  ...(declared === undefined
    ? { advice: 'send the path alone' }
    : { advice: `send ${quote(declared)} once` }),
});

// It stands behind what the schema says.
/** The issues, the first one of each place with the sentences for that place. `value`: the arguments as a whole. */
function withAuthorSentences(
  { contract }: ContractValidator,
  issues: readonly Issue[],
  { value, placeOf }: { readonly value: JsonValue; readonly placeOf: (issue: Issue) => string },
): readonly Issue[] {
  if (contract.sentences === undefined || !isJsonObject(value)) return issues;
  const sentences = new Map<string, Set<string>>();
  for (const { path, message } of contract.sentences(value))
    sentences.set(path, (sentences.get(path) ?? new Set()).add(message));
  return issues.map((issue) => {
    const said = sentences.get(placeOf(issue));
    if (said === undefined) return issue;
    sentences.delete(placeOf(issue));
    return { ...issue, advice: [...(issue.advice === undefined ? [] : [issue.advice]), ...said].join('; ') };
  });
}

// The validator's errors in our words, without the noise of unions.
/** Issues that are looked at, at most: a message names eight. */
const mostIssues = 64;

/** Every failure of schema and strict readings, outermost first; without those of `mended` places. */
export function issuesOfValue(
  validator: ContractValidator,
  value: JsonValue,
  mended: readonly string[],
): readonly Issue[] {
  const errors = validator.failures(value).slice(0, mostIssues);
  const failures = errors.flatMap((failure) => failuresTold(validator, failure, value)).slice(0, mostIssues);
  const issues = failures.map((failure) => issueOfFailure(validator, failure, value));
  const declared = withAuthorSentences(validator, issues, { value, placeOf });
  const keys = new Set(declared.flatMap((issue) => (issue.key === undefined ? [] : [placeOf(issue)])));
  const strict = validator.strictFailures(value).map(strictIssue);
  // A misspelt key in a closed object is an unknown key already.
  const all = [...declared, ...strict.filter((issue) => !keys.has(placeOf(issue)))];
  return all.filter((issue) => !mended.some((place) => isWithin(placeOf(issue), place)));
}

const placeOf = ({ path, key }: Issue): string => (key === undefined ? path : pointerTo(path, key));

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

// A number that has lost digits, and more mistakes than it looks at.
/** There is too much wrong to look at. */
export const budgetIssue: Issue = { keyword: 'budget_exceeded', path: '' };

/** As text it would keep its digits, where text may stand. `path`: in the value that was looked at; `at`: where that stood in what was sent. */
export function unsafeNumberIssue({ views }: ContractValidator, path: string, at: string): Issue {
  const { types } = views.of(declaredSchema(views, path));
  const advice = types.has('string') ? 'send it as text' : 'send at most 15 digits';
  return { keyword: 'unsafe_number', path: at + path, advice };
}

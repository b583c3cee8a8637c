import { memoize } from '../collections/memoize.ts';
import { defined, ownValue } from '../collections/objects.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { pointerKeys, pointerTo, valueAt } from '../json/pointers.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  sameValue,
} from '../json/value.ts';
import { nearestName } from '../json/nearest-name.ts';
import { invisibleCharacter, preview, previewLiteral, printable, quote } from '../json/preview.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import { redactPointer, visibilityAt } from '../tool/secrets.ts';
import type { SchemaFailure, ToolContract } from '../tool/tool-contract.ts';
import type { StrictFailure } from '../validate/strict-checks.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { alternatives, describeSchema, membersOf } from './describe-schema.ts';
import { type Issue, isUnknownKey } from './issue.ts';

/** Issues of one value. A message names eight of them. */
const maxIssues = 64;
/** Issues that name what was meant, of keys and of values each: as many as a message shows. */
const maxSuggestions = 8;

/**
 * The issues of a value that the validator refuses, outermost first, except those at
 * `repairedPaths`, which are JSON Pointers.
 */
export function issuesOfValue(
  validator: ContractValidator,
  value: JsonValue,
  repairedPaths: readonly string[],
): readonly Issue[] {
  const failures = narrowUnions(validator, value, validator.failures(value)).slice(0, maxIssues);
  const suggestedFailures = new Set([
    ...failures.filter(isUnknownKey).slice(0, maxSuggestions),
    ...failures.filter((one) => !isUnknownKey(one)).slice(0, maxSuggestions),
  ]);
  const issues = failures.map((failure) =>
    issueOf(validator, failure, value, suggestedFailures.has(failure)),
  );
  // In a closed object, a misspelt key is already reported as unknown.
  const keys = new Set(issues.filter(({ key }) => key !== undefined).map(pointerOf));
  const strict = validator
    .strictFailures(value)
    .map(strictIssue)
    .filter((issue) => !keys.has(pointerOf(issue)));
  const isRepaired = (pointer: string): boolean =>
    repairedPaths.some((path) => pointer === path || pointer.startsWith(`${path}/`));
  return [...withAuthorSentences(validator, issues, value), ...strict].filter(
    (issue) => !isRepaired(pointerOf(issue)),
  );
}

const pointerOf = ({ path, key }: Issue): string =>
  key === undefined ? path : pointerTo(path, key);

/** The issue of arguments with more errors than repair processes. */
export const budgetIssue: Issue = {
  keyword: 'budget_exceeded',
  path: '',
  advice: 'send fewer elements and keys in one call, written as in the shape below',
};

/**
 * The issue of a number that can't be held as it was written. `path`: in the repaired value. `at`:
 * path of that value in the arguments. `readValue`: the number nearest to it.
 */
export function unsafeNumberIssue(
  { views }: ContractValidator,
  path: string,
  at: string,
  readValue: JsonValue | undefined,
): Issue {
  const { types } = views.of(declaredSchema(views, path));
  const issue = { keyword: 'unsafe_number', path: at + path };
  if (types.has('string')) return { ...issue, advice: 'send it as a string' };
  const isLarge = typeof readValue === 'number' && Math.abs(readValue) === Number.MAX_VALUE;
  return { ...issue, advice: isLarge ? tooLarge : tooLong };
}

const tooLong = 'it has too many digits, send at most 15';
const tooLarge = 'it is too large, send one below 1.8e308';

/** The schema that is declared at a path; `true` if there is none. */
export const declaredSchema = (views: SchemaViews, path: string): JsonSchema =>
  pointerKeys(path).reduce(
    (schema: JsonSchema, key) => schemaBelow(views, schema, key),
    views.root,
  );

/** The schema that is declared for a member or an element; `true` if there is none. */
export function schemaBelow(views: SchemaViews, schema: JsonSchema, key: string): JsonSchema {
  const view = views.of(schema);
  const member = memberSchema(view, key);
  if (view.properties.has(key) || typeof member !== 'boolean') return member;
  const isElement = /^\d+$/.test(key) && view.types.has('array');
  const element = isElement ? (view.prefixItems[Number(key)] ?? view.items) : true;
  return typeof element === 'boolean' ? true : element;
}

/** `isSuggested`: the issue says which name or member was meant. */
function issueOf(
  validator: ContractValidator,
  failure: SchemaFailure,
  value: JsonValue,
  isSuggested: boolean,
): Issue {
  const { keyword, path, key, schema } = failure;
  const { views } = validator;
  if (key !== undefined && !isSuggested && isUnknownKey(failure)) return { keyword, path, key };
  if (key !== undefined)
    return { keyword, path, key, ...keyFacts(validator, { ...failure, key }, value) };
  const failingValue = valueAt(value, path) ?? null;
  const content = visibilityAt(views, path, schema);
  if (schema === false && path !== '') return { keyword, path, advice: 'leave it out' };
  const expectation =
    schema === false
      ? 'another combination of properties'
      : (expectedProperties(failure) ??
        severalMatches(validator, failure, failingValue) ??
        describeSchema(views, schema));
  const isOfRightType = views.typesOf(schema).has(jsonTypeOf(failingValue));
  const receivedValue =
    isOfRightType && content === 'shown'
      ? previewLiteral(failingValue)
      : preview(failingValue, content);
  const nearest =
    isSuggested && typeof failingValue === 'string' && content === 'shown'
      ? nearestMember(views, schema, failingValue)
      : undefined;
  const unseen = content === 'shown' ? invisibleIn(failingValue) : undefined;
  const advice = nearest === undefined ? unseen : didYouMean(nearest);
  return { keyword, path, expected: expectation, received: receivedValue, ...defined({ advice }) };
}

/** That a string has a character in it that can't be seen, as zero-width blanks. */
const invisibleIn = (value: JsonValue): string | undefined => {
  const character = typeof value === 'string' ? invisibleCharacter(value) : undefined;
  return character === undefined ? undefined : `leave out ${character} in it`;
};

/** The allowed string nearest to the sent one; undefined if none or several are near. */
function nearestMember(views: SchemaViews, schema: JsonSchema, text: string): string | undefined {
  const { branches } = views.of(schema);
  const [members = [], ...others] = [schema, ...branches].flatMap((one) => {
    const schemaMembers = membersOf(views, one);
    return schemaMembers === undefined ? [] : [schemaMembers];
  });
  // One list is the same each time, so that what is known of its members is kept.
  const all = others.length === 0 ? members : [members, ...others].flat();
  return nearestName(text, stringsAmong(all));
}

const stringsAmong = memoize((members: readonly JsonValue[]): readonly string[] =>
  members.filter((member) => typeof member === 'string'),
);

/** For a union whose branches only require properties. */
function expectedProperties({ keyword, schema }: SchemaFailure): string | undefined {
  if (typeof schema === 'boolean' || (keyword !== 'oneOf' && keyword !== 'anyOf')) return undefined;
  const branches = schema[keyword] ?? [];
  const names = branches.map((branch) => {
    if (typeof branch === 'boolean') return '';
    const { required = [], ...others } = branch;
    return Object.keys(others).length === 0 ? required.map((key) => quote(key)).join(' and ') : '';
  });
  if (names.length === 0 || names.includes('')) return undefined;
  return `${keyword === 'oneOf' ? 'exactly' : 'at least'} one of the properties ${alternatives(names, ', ')}`;
}

/** For a value that passes more than one branch of `oneOf`. */
function severalMatches(
  validator: ContractValidator,
  { keyword, schema }: SchemaFailure,
  value: JsonValue,
): string | undefined {
  if (keyword !== 'oneOf' || typeof schema === 'boolean') return undefined;
  const matching = (schema.oneOf ?? []).filter((branch) => validator.acceptsPart(branch, value));
  if (matching.length < 2) return undefined;
  const words = matching.map((branch) => describeSchema(validator.views, branch));
  return `exactly one of: ${alternatives(words, '; ')}`;
}

/** Expected, received and advice for a failing key. */
function keyFacts(
  validator: ContractValidator,
  { keyword, path, schema, key }: SchemaFailure & { readonly key: string },
  value: JsonValue,
): Partial<Issue> {
  const { views } = validator;
  const parent = valueAt(value, path);
  const object: JsonObject = isJsonObject(parent) ? parent : {};
  switch (keyword) {
    case 'required':
    case 'dependentRequired': {
      // A property that a condition requires may be declared outside the condition.
      const missingSchema =
        views.of(schema).properties.get(key) ??
        views.of(declaredSchema(views, path)).properties.get(key);
      const required = typeof schema === 'boolean' ? undefined : schema.dependentRequired;
      const asking = Object.entries(required ?? {}).find(
        ([name, requiredKeys]) =>
          keyword !== 'required' && Object.hasOwn(object, name) && requiredKeys.includes(key),
      );
      return defined({
        expected: missingSchema === undefined ? undefined : describeSchema(views, missingSchema),
        advice: asking
          ? `${quote(asking[0])} requires it`
          : sentInstead(views, { schema, key, object }, path),
      });
    }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return defined({ advice: unknownKeyAdvice(validator, { schema, key, object }, path) });
    default:
      return { expected: describeSchema(views, schema), received: `the name ${quote(key)}` };
  }
}

interface UnknownKey {
  readonly schema: JsonSchema;
  readonly key: string;
  readonly object: JsonObject;
}

const maxSentKeys = 3;

/**
 * Undeclared keys of an open object, one of which may be the missing one in other words. In a
 * closed object they have issues of their own. Only the first missing key has this advice.
 */
function sentInstead(
  views: SchemaViews,
  { schema, key, object }: UnknownKey,
  path: string,
): string | undefined {
  const declaredSchemas = [schema, declaredSchema(views, path)];
  if (typeof schema === 'boolean' || declaredSchemas.some((one) => declaresElsewhere(views, one)))
    return undefined;
  const { required = [] } = schema;
  if (required.find((name) => !Object.hasOwn(object, name)) !== key) return undefined;
  const all = declaredSchemas.map((one) => views.of(one));
  if (all.every(({ properties }) => properties.size === 0)) return undefined;
  const undeclaredKeys = Object.keys(object)
    .filter(
      (name) => !required.includes(name) && all.every((view) => memberSchema(view, name) === true),
    )
    .filter((name) => redactPointer(views, pointerTo(path, name)) === pointerTo(path, name));
  if (undeclaredKeys.length === 0) return undefined;
  const shownKeys = undeclaredKeys.slice(0, maxSentKeys).map((name) => quote(name, 24));
  return shownKeys.length === 1
    ? `${shownKeys.join('')} was sent, which is not a known property`
    : `${shownKeys.join(', ')} were sent, which are not known properties`;
}

/** Whether keys may be declared in a part of the schema that applies on a condition. */
const declaresElsewhere = (views: SchemaViews, schema: JsonSchema): boolean =>
  views.of(schema).branches.length > 0 ||
  views.of(schema).isOpaque ||
  (typeof schema === 'object' &&
    ['if', 'dependentSchemas', 'dependentRequired'].some((keyword) =>
      Object.hasOwn(schema, keyword),
    ));

/**
 * The declared key or meta argument that was meant, or the pattern that keys must match; undefined
 * if neither is certain.
 */
function unknownKeyAdvice(
  { views, contract }: ContractValidator,
  { schema, key, object }: UnknownKey,
  path: string,
): string | undefined {
  const { properties } = views.of(schema);
  const { names, bySpelling } = namesIn(properties);
  const twice = bySpelling.get(spellingOf(key))?.find((name) => Object.hasOwn(object, name));
  if (twice !== undefined) return sendOnce(twice);
  const [head = ''] = key.split(/[.[]/, 1);
  const types = views.typesOf(head === key ? false : (properties.get(head) ?? false));
  if (types.has('object') || types.has('array')) return sendInside(head);
  const candidates = path === '' ? withMetaNames(contract)(names) : names;
  const nearest = nearestName(key, candidates, (name) => Object.hasOwn(object, name));
  if (nearest !== undefined) return didYouMean(nearest);
  const memberValue = ownValue(object, key);
  if (isJsonObject(memberValue) && Object.keys(memberValue).some((name) => properties.has(name)))
    return 'send the properties inside it directly';
  const patterns = typeof schema === 'boolean' ? [] : Object.keys(schema.patternProperties ?? {});
  const isByPattern = names.length === 0 && patterns.length > 0;
  return isByPattern ? `names must match ${printable(patterns.join(' or '), 120)}` : undefined;
}

/** Meta arguments are sent beside the arguments of the root. */
const withMetaNames = memoize(({ meta }: ToolContract) =>
  memoize((names: readonly string[]): readonly string[] =>
    meta.length === 0 ? names : [...names, ...meta.map(({ key }) => key)],
  ),
);

const namesIn = memoize((properties: ReadonlyMap<string, JsonSchema>) => {
  const names = [...properties.keys()];
  return { names, bySpelling: Map.groupBy(names, spellingOf) };
});

/** Advice that names a property. `correction.ts` replaces the name by the provider's. */
export const didYouMean = (name: string): string => `did you mean ${quote(name)}?`;
/** Advice for a value that could mean two, each as JSON. */
export const didYouMeanEither = (one: JsonValue, other: JsonValue): string =>
  `did you mean ${printable(JSON.stringify(one))} or ${printable(JSON.stringify(other))}?`;
export const sendOnce = (name: string): string => `send ${quote(name)} once`;
/** Advice for a path that was sent as a key. */
export const sendInside = (name: string): string => `send it inside ${quote(name)}`;

const strictIssue = ({ keyword, path, key, declaredKey }: StrictFailure): Issue => ({
  keyword,
  path,
  ...defined({ key }),
  advice: declaredKey === undefined ? strictAdvice[keyword] : sendOnce(declaredKey),
});

/** What to send in the place of a value that fails a strict check. */
const strictAdvice: Readonly<Record<StrictFailure['keyword'], string>> = {
  path: 'send the path alone',
  misspelt: 'send it once',
  url: 'send the address alone, with its protocol',
  glob: 'send the pattern alone',
  line_range: 'send the first line, from 1, and the last line, not before it',
};

/** Adds the author's messages to the first issue of each location. */
function withAuthorSentences(
  { contract }: ContractValidator,
  issues: readonly Issue[],
  value: JsonValue,
): readonly Issue[] {
  if (contract.sentences === undefined || !isJsonObject(value)) return issues;
  const byPointer = Map.groupBy(contract.sentences(value), ({ path }) => path);
  return issues.map((issue) => {
    const pointer = pointerOf(issue);
    const sentences = new Set(byPointer.get(pointer)?.map(({ message }) => message));
    byPointer.delete(pointer);
    if (sentences.size === 0) return issue;
    return {
      ...issue,
      advice: [...(issue.advice === undefined ? [] : [issue.advice]), ...sentences].join('; '),
    };
  });
}

// Unions: the failures in the branch that was meant replace the union's own failure.

function narrowUnions(
  validator: ContractValidator,
  value: JsonValue,
  failures: readonly SchemaFailure[],
): readonly SchemaFailure[] {
  return failures.slice(0, maxIssues).flatMap((failure) => {
    const { keyword, path, schema } = failure;
    if (keyword !== 'anyOf' && keyword !== 'oneOf') return [failure];
    const branchFailures = failuresInUnion(validator, valueAt(value, path) ?? null, schema);
    return branchFailures?.map((one) => ({ ...one, path: `${path}${one.path}` })) ?? [failure];
  });
}

/** undefined if the branch that was meant is not certain. */
function failuresInUnion(
  validator: ContractValidator,
  value: JsonValue,
  union: JsonSchema,
): readonly SchemaFailure[] | undefined {
  const { views } = validator;
  if (!isJsonArray(value) && !isJsonObject(value)) return undefined;
  const type = jsonTypeOf(value);
  const branches = views.of(union).branches.filter((branch) => views.of(branch).types.has(type));
  const mismatch = isJsonObject(value) ? discriminatorFailure(views, branches, value) : undefined;
  if (mismatch !== undefined) return [mismatch];
  const [branch, ...others] = isJsonObject(value)
    ? meantBranches(views, branches, value)
    : branches;
  if (branch === undefined || others.length > 0 || validator.acceptsPart(branch, value))
    return undefined;
  return narrowUnions(validator, value, validator.failures(value, branch));
}

/** The failure of a discriminator that is missing, or that has a value of no branch. */
function discriminatorFailure(
  views: SchemaViews,
  branches: readonly JsonSchema[],
  value: JsonObject,
): SchemaFailure | undefined {
  const key = discriminatorOf(views, branches);
  if (key === undefined) return undefined;
  const members = [...new Set(branches.flatMap((branch) => constantsOf(views, branch, key) ?? []))];
  const sentValue = ownValue(value, key);
  if (sentValue === undefined)
    return {
      keyword: 'required',
      path: '',
      key,
      schema: { properties: { [key]: { enum: members } } },
    };
  if (members.some((member) => sameValue(member, sentValue))) return undefined;
  return { keyword: 'enum', path: pointerTo('', key), schema: { enum: members } };
}

/** The property that every branch declares with its own constants. */
function discriminatorOf(views: SchemaViews, branches: readonly JsonSchema[]): string | undefined {
  const [first, ...others] = branches;
  if (first === undefined || others.length === 0) return undefined;
  return [...views.of(first).properties.keys()].find((key) => {
    const constants = branches.map((branch) => constantsOf(views, branch, key));
    return (
      !constants.includes(undefined) &&
      new Set(constants.map((list) => JSON.stringify(list))).size > 1
    );
  });
}

function constantsOf(
  views: SchemaViews,
  branch: JsonSchema,
  key: string,
): readonly JsonValue[] | undefined {
  const property = views.of(branch).properties.get(key);
  return property === undefined ? undefined : membersOf(views, property);
}

/**
 * The branches whose discriminator was sent, else those whose constants were, else those that
 * declare all sent keys.
 */
function meantBranches(
  views: SchemaViews,
  branches: readonly JsonSchema[],
  value: JsonObject,
): readonly JsonSchema[] {
  if (branches.length < 2) return branches;
  const key = discriminatorOf(views, branches);
  const keys = Object.keys(value);
  const matches =
    key === undefined
      ? branches.filter((branch) => hasItsConstants(views, branch, value))
      : branches.filter((branch) => isConstant(views, branch, value, key));
  if (matches.length === 1) return matches;
  const candidates = matches.length === 0 ? branches : matches;
  return keys.length === 0
    ? candidates
    : candidates.filter((branch) => keys.every((name) => views.of(branch).properties.has(name)));
}

/**
 * Whether a value has at least one of the branch's constants, and no other value for any of them.
 */
function hasItsConstants(views: SchemaViews, branch: JsonSchema, value: JsonObject): boolean {
  const keys = [...views.of(branch).properties.keys()].filter(
    (key) => Object.hasOwn(value, key) && constantsOf(views, branch, key) !== undefined,
  );
  return keys.length > 0 && keys.every((key) => isConstant(views, branch, value, key));
}

function isConstant(
  views: SchemaViews,
  branch: JsonSchema,
  value: JsonObject,
  key: string,
): boolean {
  const sentValue = ownValue(value, key);
  return (
    sentValue !== undefined &&
    constantsOf(views, branch, key)?.some((member) => sameValue(member, sentValue)) === true
  );
}

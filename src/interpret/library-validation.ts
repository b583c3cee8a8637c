// What a library's own validation says of arguments, beside the JSON Schema that was made of it.
import {
  type JsonArray,
  type JsonObject,
  type JsonType,
  type JsonValue,
  freezeDeep,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  memoize,
  objectOf,
  pointerKeys,
  pointerTo,
  splitPointer,
  valueAt,
} from '../json/value.ts';
import { recordKeyEdit } from '../repair/edits.ts';
import { isDeclaredKey } from '../repair/read-text.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { absentNear, dropUnknownArgument } from '../repair/rules/drop-unknown-argument.ts';
import {
  type JsonSchema,
  type SchemaObject,
  divide,
  isSchemaObject,
  mapSubschemas,
  subschemasOf,
} from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { SchemaFailure } from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';

/**
 * `accepts`: the arguments are valid as sent. `replaces`: the library would put another value in the place of one, so repair comes
 * first. `refuses`: they are invalid, or the library would drop or convert what was meant.
 */
type Verdict = 'accepts' | 'replaces' | 'refuses';

/** Whether arguments are valid: by the JSON Schema or, if it refuses them, by the library's schema that it was made of. */
export const acceptsWithLibrary = (validator: ContractValidator, value: JsonObject): boolean =>
  validator.accepts(value) || verdictOfLibrary(validator, value) === 'accepts';

/** Whether arguments that can't be repaired are valid because the library replaces the values that don't match. */
export const acceptsByReplacing = (validator: ContractValidator, value: JsonObject): boolean =>
  verdictOfLibrary(validator, value) === 'replaces';

/** A library's JSON Schema only approximates what it accepts. A schema that validates asynchronously is not asked. */
function verdictOfLibrary(validator: ContractValidator, value: JsonObject): Verdict {
  const { contract, views } = validator;
  if (contract.validation === undefined || validator.strictFailures(value).length > 0) return 'refuses';
  const result = contract.validation.resultOf(value);
  if (result instanceof Promise || result.kind === 'invalid') return 'refuses';
  const failures = validator.failures(value);
  if (failures.length === 0 || failures.some((failure) => loses(failure, value, result.value)))
    return 'refuses';
  const { isDerived } = contract.validation;
  const verdicts = failures.map((failure): Verdict => {
    if (isDerived) return verdictOf(views, failure, value);
    return isFormOfText(views, failure, value) ? 'accepts' : 'refuses';
  });
  return verdicts.find((verdict) => verdict === 'refuses') ?? verdicts.find(isReplacing) ?? 'accepts';
}

/** Keywords about text, which libraries check in ways that JSON Schema can't express: with flags, after trimming. */
const aboutText: ReadonlySet<string> = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'anyOf',
  'oneOf',
  'allOf',
]);

const isFormOfText = (views: SchemaViews, { keyword, path, schema }: SchemaFailure, value: JsonObject) =>
  aboutText.has(keyword) && typeof valueAt(value, path) === 'string' && views.typesOf(schema).has('string');

const isReplacing = (verdict: Verdict): boolean => verdict === 'replaces';

const aboutKeys: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'false schema',
  'items',
  'additionalItems',
  'unevaluatedItems',
]);
const aboutBranches: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'if', 'budget_exceeded']);

/** Whether the output may lack a key or an element that was sent and that its JSON Schema refuses. */
function loses({ keyword, path, key }: SchemaFailure, value: JsonObject, output: unknown): boolean {
  const sent = valueAt(value, path) ?? null;
  const found = outputAt(output, key === undefined ? path : pointerTo(path, key));
  if (aboutKeys.has(keyword))
    return found === undefined || (isJsonArray(sent) && !keepsLength(sent, found.value));
  return aboutBranches.has(keyword) && (found === undefined || !keepsKeys(sent, found.value));
}

const keepsLength = (sent: JsonArray, output: unknown): boolean =>
  Array.isArray(output) && output.length >= sent.length;

function outputAt(output: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value = output;
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return { value };
}

function keepsKeys(sent: JsonValue, output: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return true;
  if (typeof output !== 'object' || output === null) return false;
  return Object.entries(sent).every(
    ([key, member]) => Object.hasOwn(output, key) && keepsKeys(member, Reflect.get(output, key)),
  );
}

/** Keywords about keys: the value itself is of the declared type. */
const aboutMembers: ReadonlySet<string> = new Set([
  'required',
  'minProperties',
  'maxProperties',
  ...aboutKeys,
]);

function verdictOf(views: SchemaViews, { keyword, path, schema }: SchemaFailure, value: JsonObject): Verdict {
  const sent = valueAt(value, path);
  if (aboutMembers.has(keyword) || sent === undefined || !isSchemaObject(schema)) return 'accepts';
  const marks = marksIn(views.root, schema, aboutBranches.has(keyword));
  if (marks.some(({ replaces }) => replaces === true)) return 'replaces';
  const converts = marks.flatMap((mark) => (mark.converts === undefined ? [] : [mark.converts]));
  const type = jsonTypeOf(sent);
  if (converts.length === 0 || views.typesOf(schema).has(type)) return 'accepts';
  return converts.some((types) => convertsWell(types, type, sent)) ? 'accepts' : 'refuses';
}

/** JavaScript converts blank text to zero. */
const convertsWell = (types: readonly JsonType[], type: JsonType, sent: JsonValue): boolean =>
  types.includes(type) && (typeof sent !== 'string' || sent.trim() !== '');

type Annotation = NonNullable<SchemaObject['x-toolmend']>;

/** The marks of a schema and its branches. `below`: those of the schemas of its members and elements too. */
function marksIn(root: SchemaObject, schema: SchemaObject, below: boolean): readonly Annotation[] {
  const seen = new Set([schema]);
  for (const { $ref, allOf = [], anyOf = [], oneOf = [], ...others } of seen) {
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    const inPlace = [...allOf, ...anyOf, ...oneOf, ...(target === undefined ? [] : [target])];
    for (const part of [...inPlace.filter(isSchemaObject), ...(below ? subschemasOf(others) : [])])
      seen.add(part);
  }
  return [...seen].flatMap((part) => part['x-toolmend'] ?? []);
}

/**
 * The validator that repair uses: without what only the JSON Schema refuses, so that repair leaves those values as they were sent.
 * Keys, and objects in unions, are left to repair, which knows names.
 */
export function validatorForRepair(validator: ContractValidator, value: JsonObject): ContractValidator {
  const { contract, views } = validator;
  const result = contract.validation?.isDerived === true ? contract.validation.resultOf(value) : undefined;
  if (result === undefined || result instanceof Promise) return validator;
  const refused = result.kind === 'valid' ? [] : result.failures.map(({ path }) => path);
  const tolerated = validator.failures(value).filter((failure) => {
    const { keyword, path, key } = failure;
    const at = key === undefined ? path : pointerTo(path, key);
    if (aboutKeys.has(keyword) || refused.some((other) => isWithin(other, at) || isWithin(at, other)))
      return false;
    if (aboutBranches.has(keyword) && holdsObject(valueAt(value, path) ?? null)) return false;
    return verdictOf(views, failure, value) === 'accepts';
  });
  return tolerated.length === 0 ? validator : relaxed(validator, tolerated);
}

const isWithin = (pointer: string, outer: string): boolean =>
  pointer === outer || pointer.startsWith(`${outer}/`);

const holdsObject = (value: JsonValue): boolean =>
  isJsonArray(value) ? value.some(holdsObject) : isJsonObject(value);

/** The validators of the same schema without some of its parts, by these parts. */
const relaxedValidators = memoize((_validator: ContractValidator) => new Map<string, ContractValidator>());
const maxRelaxed = 100;

let parts = 0;
const numberOf = memoize((_part: SchemaObject) => (parts += 1));

function relaxed(validator: ContractValidator, failures: readonly SchemaFailure[]): ContractValidator {
  const { contract, views } = validator;
  const lifted = failures.flatMap(({ schema, key }) => (isSchemaObject(schema) ? [{ schema, key }] : []));
  const known = relaxedValidators(validator);
  const name = lifted
    .map(({ schema, key }) => JSON.stringify([numberOf(schema), key]))
    .toSorted()
    .join();
  const kept = known.get(name);
  if (kept !== undefined) return kept;
  const relax = (schema: SchemaObject): SchemaObject => {
    const copy = mapSubschemas(schema, relax);
    const found = lifted.filter((one) => one.schema === schema);
    if (found.some(({ key }) => key === undefined)) return divide(copy).annotations;
    const keys = new Set(found.map(({ key }) => key));
    return keys.size === 0
      ? copy
      : { ...copy, required: copy.required?.filter((key) => !keys.has(key)) ?? [] };
  };
  const made = validatorOf(Object.freeze({ ...contract, inputSchema: freezeDeep(relax(views.root)) }));
  if (known.size >= maxRelaxed) known.clear();
  known.set(name, made);
  return made;
}

// Keys that the library ignores.

export interface WithoutIgnored {
  readonly value: JsonObject;
  /** One for each key that was removed. */
  readonly records: readonly RepairRecord[];
  /** Of removed keys that probably misspell a declared one: its name, by JSON Pointer. */
  readonly near: ReadonlyMap<string, string>;
}

const none: Pick<WithoutIgnored, 'records' | 'near'> = { records: [], near: new Map() };

/** Keys that are tried; further ones stay. */
const maxTried = 50;

/**
 * Arguments without the keys that a library's schema removes without a word: undeclared ones, and those that another branch of
 * a union declares. A key that has any effect on the output stays, because a transform may read it.
 */
export function withoutIgnoredKeys(validator: ContractValidator, value: JsonObject): WithoutIgnored {
  const { contract, views } = validator;
  const output = outputOf(validator, value);
  if (contract.validation === undefined || output === undefined) return { value, ...none };
  const missing = missingKeys(validator, { schemas: [views.root], value, output: output.value, path: '' });
  if (missing.length === 0) return { value, ...none };
  const shown = comparable(output.value);
  let kept = value;
  const records: RepairRecord[] = [];
  const near = new Map<string, string>();
  for (const { pointer, meant } of missing.slice(0, maxTried)) {
    const without = withoutKey(kept, pointerKeys(pointer));
    if (!isJsonObject(without) || !acceptsWithLibrary(validator, without)) continue;
    const other = outputOf(validator, without);
    if (shown === undefined || other === undefined || comparable(other.value) !== shown) continue;
    records.push(recordOf(validator, kept, pointer));
    if (meant !== undefined) near.set(pointer, meant);
    kept = without;
  }
  return { value: kept, records, near };
}

/** undefined for arguments that the library refuses or validates asynchronously. */
function outputOf(
  { contract }: ContractValidator,
  value: JsonObject,
): { readonly value: unknown } | undefined {
  const result = contract.validation?.resultOf(value);
  return result === undefined || result instanceof Promise || result.kind !== 'valid' ? undefined : result;
}

interface Compared {
  readonly schemas: readonly JsonSchema[];
  readonly value: JsonValue;
  readonly output: unknown;
  readonly path: string;
}

interface MissingKey {
  readonly pointer: string;
  /** The declared key that was not sent and that it probably misspells. */
  readonly meant: string | undefined;
}

/** The keys that are absent in the output, of objects that are plain objects there too. */
function missingKeys(
  validator: ContractValidator,
  { schemas, value, output, path }: Compared,
): readonly MissingKey[] {
  const { views } = validator;
  const leaves = schemas.flatMap((schema) => {
    const branches = views.branchesOf(schema);
    return branches.length === 0 ? [views.of(schema)] : branches.map((branch) => views.of(branch));
  });
  if (isJsonArray(value)) {
    if (!Array.isArray(output) || output.length !== value.length) return [];
    return value.flatMap((element, index) => {
      const below = leaves.map((view) => view.prefixItems[index] ?? view.items);
      return missingKeys(validator, {
        schemas: below,
        value: element,
        output: output[index],
        path: pointerTo(path, index),
      });
    });
  }
  if (!isJsonObject(value) || !isPlainObject(output)) return [];
  const objects = leaves.filter(({ types }) => types.has('object'));
  return Object.entries(value).flatMap(([key, member]): readonly MissingKey[] => {
    const at = pointerTo(path, key);
    if (!Object.hasOwn(output, key)) {
      if (objects.every((view) => reads(view, key))) return [];
      const meant = objects.flatMap((view) => absentNear(view, value, key) ?? []);
      return [
        { pointer: at, meant: objects.some((view) => isDeclaredKey(view, key)) ? undefined : meant[0] },
      ];
    }
    const below = objects.map((view) => memberSchema(view, key));
    return missingKeys(validator, { schemas: below, value: member, output: output[key], path: at });
  });
}

/** Whether a schema says something about a key: a map says something about every key. */
const reads = (view: SchemaView, key: string): boolean =>
  isDeclaredKey(view, key) ||
  view.conditionalKeys.has(key) ||
  (view.properties.size === 0 && view.additionalProperties !== false) ||
  (typeof view.additionalProperties === 'object' && Object.keys(view.additionalProperties).length > 0);

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function withoutKey(value: JsonValue, [key = '', ...below]: readonly string[]): JsonValue {
  if (isJsonArray(value))
    return value.map((element, index) => (String(index) === key ? withoutKey(element, below) : element));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  if (below.length === 0) return objectOf(entries.filter(([name]) => name !== key));
  return objectOf(entries.map(([name, member]) => [name, name === key ? withoutKey(member, below) : member]));
}

/** Text that is the same for the same output; undefined for what JSON can't hold. */
function comparable(output: unknown): string | undefined {
  try {
    return JSON.stringify(output);
  } catch {
    return undefined;
  }
}

function recordOf({ views }: ContractValidator, value: JsonObject, pointer: string): RepairRecord {
  const { parent, key } = splitPointer(pointer);
  const held = valueAt(value, parent);
  const before = held !== undefined && isJsonObject(held) ? held : {};
  return recordKeyEdit(views, {
    rule: dropUnknownArgument,
    schema: views.root,
    path: parent,
    before,
    edit: { op: 'remove', key },
  });
}

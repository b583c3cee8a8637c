// What a library's own validation says of arguments, beside the JSON Schema that was made of it.
import { isContainer } from '../collections/objects.ts';
import { pointerKeys, pointerTo, splitPointer, valueAt } from '../json/pointers.ts';
import {
  type JsonObject,
  type JsonType,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  mapMembers,
  withoutKey,
} from '../json/value.ts';
import { recordKeyEdit } from '../repair/edits.ts';
import { isDeclaredKey } from '../repair/read-text.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { absentNear, dropUnknownArgument } from '../repair/rules/drop-unknown-argument.ts';
import {
  type JsonSchema,
  type SchemaObject,
  isSchemaObject,
  subschemasOf,
} from '../schema/json-schema.ts';
import type { Validated } from '../schema/input-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaView, memberSchema } from '../schema/schema-view.ts';
import type { SchemaFailure, Validator } from '../tool/tool-contract.ts';
import { ContractValidator } from '../validate/validator.ts';
import { isSameOutput } from './same-output.ts';

/**
 * `accepts`: the value is valid as sent. `replaces`: the library would put another in its place, so
 * repair comes first. `refuses`: it is invalid, or the library would drop or convert what was
 * meant.
 */
type Verdict = 'accepts' | 'replaces' | 'refuses';

/**
 * Whether arguments are valid: by the JSON Schema or, if it refuses them, by the library's schema
 * that it was made of.
 */
export function acceptsWithLibrary(validator: ContractValidator, value: JsonObject): boolean {
  if (validator.accepts(value)) return true;
  const output = outputOf(validator, value);
  if (output === undefined || validator.strictFailures(value).length > 0) return false;
  return validator
    .failures(value)
    .every(
      (failure) =>
        !loses(failure, value, output.value) && verdictOf(validator, failure, value) === 'accepts',
    );
}

/**
 * Keywords about text, which libraries check in ways that JSON Schema can't express: with flags,
 * after trimming.
 */
const aboutText: ReadonlySet<string> = new Set(
  'format pattern minLength maxLength anyOf oneOf allOf'.split(' '),
);

const aboutKeys: ReadonlySet<string> = new Set([
  ...'additionalProperties unevaluatedProperties propertyNames items additionalItems unevaluatedItems'.split(
    ' ',
  ),
  'false schema',
]);
const aboutBranches: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'not',
  'if',
  'budget_exceeded',
]);

/**
 * Whether the output may lack a key or an element that was sent and that its JSON Schema refuses.
 */
function loses({ keyword, path, key }: SchemaFailure, value: JsonObject, output: unknown): boolean {
  const isUnion = aboutBranches.has(keyword);
  if (!isUnion && !aboutKeys.has(keyword)) return false;
  const outputMember = outputAt(output, key === undefined ? path : pointerTo(path, key));
  if (outputMember === undefined) return true;
  const sentValue = valueAt(value, path) ?? null;
  if (isUnion) return !keepsKeys(sentValue, outputMember.value);
  return (
    isJsonArray(sentValue) &&
    !(Array.isArray(outputMember.value) && outputMember.value.length >= sentValue.length)
  );
}

function outputAt(output: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value = output;
  for (const key of pointerKeys(pointer)) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return { value };
}

function keepsKeys(sentValue: JsonValue, output: unknown): boolean {
  if (!isContainer(sentValue)) return true;
  return (
    isContainer(output) &&
    Object.entries(sentValue).every(
      ([key, member]) => Object.hasOwn(output, key) && keepsKeys(member, Reflect.get(output, key)),
    )
  );
}

/** What the library says of a value that it accepts and its JSON Schema refuses. */
function verdictOf(
  { contract, views }: ContractValidator,
  { keyword, path, schema }: SchemaFailure,
  value: JsonObject,
): Verdict {
  const sentValue = valueAt(value, path) ?? null;
  const type = jsonTypeOf(sentValue);
  const derivedBy = contract.validation?.derivedBy;
  if (derivedBy === undefined)
    return aboutText.has(keyword) && type === 'string' && views.typesOf(schema).has(type)
      ? 'accepts'
      : 'refuses';
  const marks = marksIn(views.root, schema, aboutBranches.has(keyword));
  if (marks.some(({ replaces }) => replaces === true)) return 'replaces';
  const types = views.typesOf(schema);
  // To valibot and arktype, an array is an object without most of its keys. A preprocessor of zod
  // makes an object of it.
  if (type === 'array' && types.has('object') && derivedBy !== 'zod') return 'refuses';
  const converts = marks.flatMap((mark) => (mark.converts === undefined ? [] : [mark.converts]));
  if (converts.length === 0 || types.has(type)) return 'accepts';
  return converts.some((ofTypes) => convertsWell(ofTypes, type, sentValue)) ? 'accepts' : 'refuses';
}

/** JavaScript converts blank text to zero. */
const convertsWell = (types: readonly JsonType[], type: JsonType, sentValue: JsonValue): boolean =>
  types.includes(type) && (typeof sentValue !== 'string' || sentValue.trim() !== '');

type Annotation = NonNullable<SchemaObject['x-toolmend']>;

/**
 * The marks of a schema and its branches. `includesMembers`: those of the schemas of its members and elements
 * too.
 */
function marksIn(
  root: SchemaObject,
  schema: JsonSchema,
  includesMembers: boolean,
): readonly Annotation[] {
  const reachedSchemas = new Set([schema].filter(isSchemaObject));
  for (const { $ref, allOf, anyOf, oneOf, ...others } of reachedSchemas) {
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    const inPlace = [
      allOf,
      anyOf,
      oneOf,
      target,
      includesMembers ? subschemasOf(others) : undefined,
    ];
    for (const part of inPlace.flatMap((parts) => parts ?? []))
      if (isSchemaObject(part)) reachedSchemas.add(part);
  }
  return [...reachedSchemas].flatMap((part) => part['x-toolmend'] ?? []);
}

/**
 * The validator that repair uses: it accepts the values that only the JSON Schema refuses, so that
 * repair leaves them as they were sent. Keys, and objects in unions, are left to repair, which
 * knows names. `repairedPaths`: JSON Pointers of values that repair has changed; values elsewhere that
 * the library replaces are accepted too.
 */
export function validatorForRepair(
  validator: ContractValidator,
  value: JsonObject,
  repairedPaths?: readonly string[],
): ContractValidator {
  const { validation } = validator.contract;
  const result = validation?.derivedBy === undefined ? undefined : validation.keptResult(value);
  return result === undefined || result instanceof Promise
    ? validator
    : validatorBeside(validator, value, result, repairedPaths);
}

function validatorBeside(
  validator: ContractValidator,
  value: JsonObject,
  result: Validated,
  repairedPaths: readonly string[] | undefined,
): ContractValidator {
  const { contract, views } = validator;
  const refusedPaths = result.kind === 'valid' ? [] : result.failures.map(({ path }) => path);
  const acceptedFailures = new Map<JsonSchema, Set<string>>();
  for (const failure of validator.failures(value)) {
    const { keyword, path, key, schema } = failure;
    const at = key === undefined ? path : pointerTo(path, key);
    if (
      aboutKeys.has(keyword) ||
      refusedPaths.some((other) => isWithin(other, at) || isWithin(at, other))
    )
      continue;
    if (aboutBranches.has(keyword) && mayLose(valueAt(value, path) ?? null)) continue;
    if (result.kind === 'valid' && loses(failure, value, result.value)) continue;
    const verdict = verdictOf(validator, failure, value);
    const isLeft =
      verdict === 'replaces' && repairedPaths?.every((other) => !isWithin(at, other)) === true;
    if (verdict === 'accepts' || isLeft)
      acceptedFailures.set(
        schema,
        (acceptedFailures.get(schema) ?? new Set()).add(identityOf(failure, value)),
      );
  }
  if (acceptedFailures.size === 0) return validator;
  const failures: Validator['failures'] = (whole, part) =>
    validator
      .failures(whole, part)
      .filter(
        (failure) => acceptedFailures.get(failure.schema)?.has(identityOf(failure, whole)) !== true,
      );
  const accepts: Validator['accepts'] = (whole, part = views.root) =>
    validator.acceptsPart(part, whole) || failures(whole, part).length === 0;
  const schema = { accepts, failures, stepsTaken: () => validator.stepsTaken };
  return new ContractValidator(contract, { views, warnings: [], schema });
}

const isWithin = (pointer: string, outer: string): boolean =>
  pointer === outer || pointer.startsWith(`${outer}/`);

/** Whether a branch of a union may drop something in a value. */
const mayLose = (value: JsonValue): boolean =>
  isJsonObject(value) || (isJsonArray(value) && value.some(isContainer));

/**
 * Two failures at one schema are the same if their values are. Members of a value that lacks or
 * exceeds something may change.
 */
function identityOf({ keyword, path, key }: SchemaFailure, whole: JsonValue): string {
  const value = valueAt(whole, path) ?? null;
  const isWhole = keyword === 'type' || aboutBranches.has(keyword) || !isContainer(value);
  return JSON.stringify([keyword, key ?? null, key === undefined && isWhole ? value : null]);
}

// Keys that the library ignores.

export interface WithoutIgnored {
  readonly value: JsonObject;
  /** One for each key that was removed. */
  readonly records: readonly RepairRecord[];
  /** Of removed keys that probably misspell a declared one: its name, by JSON Pointer. */
  readonly near: ReadonlyMap<string, string>;
}

const noRecords: readonly RepairRecord[] = [];
const noneNear: ReadonlyMap<string, string> = new Map();

/** Keys that are tried; further ones stay. */
const maxTried = 50;

/**
 * Arguments without the keys that a library's schema removes without a word: undeclared ones, and
 * those that another branch of a union declares. A key that has any effect on the output stays,
 * because a transform may read it.
 */
export function withoutIgnoredKeys(
  validator: ContractValidator,
  value: JsonObject,
): WithoutIgnored {
  const { views } = validator;
  const output = outputOf(validator, value);
  if (output === undefined) return { value, records: noRecords, near: noneNear };
  const lostKeys = missingKeys(validator, {
    schemas: [views.root],
    value,
    output: output.value,
    path: '',
  });
  let keptValue = value;
  const records: RepairRecord[] = [];
  const near = new Map<string, string>();
  for (const { pointer, nearKey } of lostKeys.slice(0, maxTried)) {
    const valueWithout = withoutKeyAt(keptValue, pointerKeys(pointer));
    if (!isJsonObject(valueWithout) || !acceptsWithLibrary(validator, valueWithout)) continue;
    if (!isSameOutput(outputOf(validator, valueWithout), output)) continue;
    records.push(recordOf(validator, keptValue, pointer));
    if (nearKey !== undefined) near.set(pointer, nearKey);
    keptValue = valueWithout;
  }
  return { value: keptValue, records, near };
}

/** undefined for arguments that the library refuses or validates asynchronously. */
function outputOf(
  { contract }: ContractValidator,
  value: JsonObject,
): { readonly value: unknown } | undefined {
  const result = contract.validation?.keptResult(value);
  return result === undefined || result instanceof Promise || result.kind !== 'valid'
    ? undefined
    : result;
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
  readonly nearKey: string | undefined;
}

/** The keys that are absent in the output. */
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
    if (!Array.isArray(output)) return [];
    return value.flatMap((element, index) => {
      const elementSchemas = leaves.map((view) => view.prefixItems[index] ?? view.items);
      return missingKeys(validator, {
        schemas: elementSchemas,
        value: element,
        output: output[index],
        path: pointerTo(path, index),
      });
    });
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]): readonly MissingKey[] => {
    const at = pointerTo(path, key);
    if (!isContainer(output) || !Object.hasOwn(output, key)) {
      if (leaves.every((view) => reads(view, key))) return [];
      const [nearKey] = leaves.flatMap((view) => absentNear(view, value, key) ?? []);
      return [{ pointer: at, nearKey }];
    }
    const memberSchemas = leaves.map((view) => memberSchema(view, key));
    return missingKeys(validator, {
      schemas: memberSchemas,
      value: member,
      output: Reflect.get(output, key),
      path: at,
    });
  });
}

/** Whether a schema says something about a key: a map says something about every key. */
const reads = (view: SchemaView, key: string): boolean =>
  isDeclaredKey(view, key) ||
  view.conditionalKeys.has(key) ||
  (view.properties.size === 0 && view.additionalProperties !== false) ||
  (typeof view.additionalProperties === 'object' &&
    Object.keys(view.additionalProperties).length > 0);

const withoutKeyAt = (value: JsonValue, [key = '', ...rest]: readonly string[]): JsonValue => {
  if (!isContainer(value)) return value;
  if (isJsonObject(value) && rest.length === 0) return withoutKey(value, key);
  return mapMembers(value, (member, name) =>
    String(name) === key ? withoutKeyAt(member, rest) : member,
  );
};

function recordOf({ views }: ContractValidator, value: JsonObject, pointer: string): RepairRecord {
  const { parent, key } = splitPointer(pointer);
  const holder = valueAt(value, parent);
  const objectBefore = isJsonObject(holder) ? holder : {};
  return recordKeyEdit(views, {
    rule: dropUnknownArgument,
    schema: views.root,
    path: parent,
    valueBefore: objectBefore,
    edit: { op: 'remove', key },
  });
}

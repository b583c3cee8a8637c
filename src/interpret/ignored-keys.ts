import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
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
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, memberSchema } from '../schema/schema-view.ts';
import type { ContractValidator } from '../validate/validator.ts';

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

/**
 * Whether arguments are valid: by the JSON Schema or, if it refuses only the form of strings, by the library's schema that it was
 * made of.
 */
export function acceptsWithLibrary(validator: ContractValidator, value: JsonObject): boolean {
  const { contract, views } = validator;
  if (validator.accepts(value)) return true;
  if (contract.validation === undefined || validator.strictFailures(value).length > 0) return false;
  const failures = validator.failures(value);
  const isOnlyText = failures.every(
    ({ keyword, path, schema }) =>
      aboutText.has(keyword) &&
      typeof valueAt(value, path) === 'string' &&
      views.typesOf(schema).has('string'),
  );
  if (!isOnlyText || failures.length === 0) return false;
  const result = contract.validation.resultOf(value);
  return !(result instanceof Promise) && result.kind === 'valid';
}

// Which failures does the output of @cfworker/json-schema speak of? Without containers' own, and with the keys that it
// names in sentences only.
import type { OutputUnit } from '@cfworker/json-schema';
import { isSchemaObject } from '../../contract/judged-schema/local-references.ts';
import type { SchemaFailure } from '../../contract/schema-judge.ts';
import { splitPointer, valueAt } from '../../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { compareOrders } from './keyword-order.ts';
import { type KeywordPlace, keywordPlace } from './keyword-place.ts';

/** What was judged, and by what. */
export interface Judged {
  readonly root: SchemaObject;
  readonly value: JsonValue;
}

interface Located extends KeywordPlace {
  readonly path: string;
  readonly location: string;
}

/** Failures in the port's words and in Ajv's order. */
export function failuresOf(output: readonly OutputUnit[], judged: Judged): readonly SchemaFailure[] {
  const units = locatedIn(output, judged);
  return units
    .flatMap((unit, at) =>
      failuresAt(unit, units[at - 1], judged).map((failure) => ({ failure, order: unit.order })),
    )
    .filter(({ failure }, at, all) => !isRepeated(failure, all[at - 1]?.failure))
    .toSorted((left, right) => compareOrders(left.order, right.order))
    .map(({ failure }) => failure);
}

/** A list that is too long fails once, not with each element. */
const isRepeated = (failure: SchemaFailure, before: SchemaFailure | undefined): boolean =>
  (failure.keyword === 'items' || failure.keyword === 'unevaluatedItems') &&
  failure.keyword === before?.keyword &&
  failure.path === before.path;

/** Where each unit stands; without those inside a union that failed, which says all. */
function locatedIn(output: readonly OutputUnit[], { root }: Judged): readonly Located[] {
  const located: Located[] = [];
  let union: string | undefined;
  let isSkipped = false;
  for (const { keyword, keywordLocation, instanceLocation } of output) {
    const location = keywordLocation.replace(/\/dependantRequired$/, '/dependentRequired');
    const path = decodeURIComponent(instanceLocation.slice(1));
    // Where nothing may stand, the library says where the value is, not the keyword: it belongs to what stands before.
    const isInside: boolean =
      keyword === 'false' ? isSkipped : union !== undefined && location.startsWith(`${union}/`);
    const before = located.at(-1);
    isSkipped = isInside;
    if (isInside) continue;
    const place = keyword === 'false' ? falsePlace(before) : keywordPlace(location, root);
    located.push({ ...place, path, location });
    isSkipped = unions.has(place.keyword);
    if (isSkipped) union = location;
  }
  return located;
}

const unions: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains', 'minContains', 'maxContains']);

/** A unit that only says where the value is belongs to the container before it. */
const falsePlace = (before: Located | undefined): KeywordPlace => ({
  keyword: 'false schema',
  schema: false,
  schemaPath: `${before?.schemaPath ?? '#'}/false schema`,
  order: [...(before?.order ?? []), 0],
});

/** Keywords whose failure is only that something below them fails. */
const containers: ReadonlySet<string> = new Set([
  '$ref',
  'additionalProperties',
  'allOf',
  'dependentSchemas',
  'if',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

function failuresAt(unit: Located, before: Located | undefined, { value }: Judged): readonly SchemaFailure[] {
  const { keyword, path, location, schemaPath, schema, isOfNames } = unit;
  if (containers.has(keyword)) return [];
  if (keyword === 'false schema') return [closedFailure(unit, before)];
  if (keyword === 'required' || keyword === 'dependentRequired') {
    // The library names each missing key in a unit of its own, but only in a sentence.
    if (before?.location === location && before.path === path) return [];
    const keys = missingKeys(keyword, schema, valueAt(value, path) ?? null);
    return keys.map((key) => ({ keyword, path, schemaPath, key, schema }));
  }
  if (keyword === 'minContains' || keyword === 'maxContains')
    return [{ keyword: 'contains', path, schemaPath: schemaPath.replace(keyword, 'contains'), schema }];
  const place = isOfNames === true ? nameAt(path) : { path };
  return [{ keyword, ...place, schemaPath, schema }];
}

/** A failure of a name is the object's that has the key. */
function nameAt(path: string): { readonly path: string; readonly key: string } {
  const { parent, key } = splitPointer(path);
  return { path: parent, key };
}

function closedFailure({ path, schemaPath }: Located, before: Located | undefined): SchemaFailure {
  if (before === undefined) return { keyword: 'false schema', path, schemaPath, schema: false };
  const { keyword, schema } = before;
  const closing = { keyword, path: before.path, schemaPath: before.schemaPath, schema };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { ...closing, key: splitPointer(path).key };
  const isTuple = keyword === 'items' && typeof schema !== 'boolean' && schema.prefixItems !== undefined;
  if (isTuple || keyword === 'unevaluatedItems') return closing;
  const place = keyword === 'propertyNames' ? nameAt(path) : { path };
  return { keyword: 'false schema', ...place, schemaPath, schema: false };
}

function missingKeys(
  keyword: 'required' | 'dependentRequired',
  schema: JsonSchema,
  value: JsonValue,
): readonly string[] {
  if (!isSchemaObject(schema) || !isJsonObject(value)) return [];
  const needed =
    keyword === 'required'
      ? (schema.required ?? [])
      : Object.entries(schema.dependentRequired ?? {}).flatMap(([key, keys]) =>
          Object.hasOwn(value, key) ? keys : [],
        );
  return needed.filter((key) => !Object.hasOwn(value, key));
}

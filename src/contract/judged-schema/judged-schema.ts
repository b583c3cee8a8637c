// In which form is a schema judged? JSON Schema 2020-12, whatever it was written as, with absolute references.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { resolveReference } from '../merge-schemas.ts';
import type { ToolContract } from '../tool-contract.ts';
import { SchemaViews } from '../schema-view.ts';

/** Under this address the judge knows the root, so that every part of it can be judged on its own. */
export const rootAddress = 'toolmend:arguments';

const viewsOfContract = new WeakMap<ToolContract, SchemaViews>();

/** The schemas of a contract as they are judged, and the views of them. */
export function viewsOf(contract: ToolContract): SchemaViews {
  const known = viewsOfContract.get(contract);
  if (known !== undefined) return known;
  const views = new SchemaViews(judgedSchema(contract.inputSchema));
  viewsOfContract.set(contract, views);
  return views;
}

/** A copy in the judged form. Draft-07's tuples and definitions and OpenAPI's `nullable` become their 2020-12 forms. */
function judgedSchema(schema: SchemaObject): SchemaObject {
  const judged = (part: SchemaObject): SchemaObject => {
    const { $ref, ...plain } = mapSubschemas(modernised(part), judged);
    const kept = Object.fromEntries(Object.entries(plain).filter(([keyword]) => !dropped.has(keyword)));
    return leadsSomewhere($ref, schema) ? { ...kept, $ref: `${rootAddress}${$ref}` } : kept;
  };
  return judged(schema);
}

/** Addresses and dialects of the original, references that depend on who follows them, and what `modernised` has answered for. */
const dropped: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  'nullable',
  'additionalItems',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
]);

/** A reference that leads outside, nowhere or only to itself says nothing of a value: none is ever fetched. */
function leadsSomewhere(
  reference: string | undefined,
  root: SchemaObject,
  seen: readonly string[] = [],
): boolean {
  if (reference === undefined || !reference.startsWith('#') || seen.includes(reference)) return false;
  const target = resolveReference(reference, root);
  if (target === undefined) return false;
  const isMoreThanReference = Object.keys(target).some((keyword) => keyword !== '$ref');
  return isMoreThanReference || leadsSomewhere(target.$ref, root, [...seen, reference]);
}

function modernised(schema: SchemaObject): SchemaObject {
  const { items } = schema;
  const tuple = isSchemaList(items) ? { prefixItems: items, items: schema.additionalItems ?? true } : {};
  return { ...schema, ...tuple, ...nullableType(schema) };
}

const isSchemaList = (items: SchemaObject['items']): items is readonly JsonSchema[] => Array.isArray(items);

function nullableType({ nullable, type, enum: members }: SchemaObject): SchemaObject {
  if (nullable !== true || type === undefined) return {};
  const types = [type].flat();
  return {
    type: types.includes('null') ? types : [...types, 'null'],
    ...(members !== undefined && !members.includes(null) ? { enum: [...members, null] } : {}),
  };
}

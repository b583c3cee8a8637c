// Which keyword of which schema does a location of @cfworker/json-schema name? Walked from the root, through references.
import { isSchemaObject, resolveReference } from '../../contract/judged-schema/local-references.ts';
import { pointerKeys, pointerTo } from '../../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { orderOf } from './keyword-order.ts';

/** Where a keyword stands. */
export interface KeywordPlace {
  readonly keyword: string;
  readonly schema: JsonSchema;
  /** As the port asks for it. */
  readonly schemaPath: string;
  /** The keywords on the way and their members, as they are listed one after the other. */
  readonly order: readonly number[];
  /** It speaks of an object's names, not of their values. */
  readonly isOfNames?: boolean;
}

const holdsMany: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'properties',
  'patternProperties',
  'dependentSchemas',
]);

/** The place of a location such as `#/properties/a/$ref/type`; what was added to a copy is its format's. */
export function keywordPlace(location: string, root: SchemaObject): KeywordPlace {
  const keys = pointerKeys(decodeURIComponent(location.slice(1)));
  let schema: JsonSchema = root;
  let schemaPath = '#';
  let isOfNames = false;
  const order: number[] = [];
  for (let at = 0; at < keys.length - 1; at += 1) {
    const keyword = keys[at] ?? '';
    if (typeof schema === 'boolean') break;
    order.push(orderOf(keyword, schema));
    if (keyword === '$ref') {
      schemaPath = schema.$ref ?? '#';
      schema = resolveReference(schemaPath, root) ?? true;
      continue;
    }
    isOfNames ||= keyword === 'propertyNames';
    const before = schemaPath;
    schemaPath = pointerTo(schemaPath, keyword);
    let held: unknown = schema[keyword];
    if (holdsMany.has(keyword)) {
      at += 1;
      const name = keys[at] ?? '';
      const members: ReadonlyMap<string, unknown> = new Map(Object.entries(held ?? {}));
      order.push([...members.keys()].indexOf(name));
      held = members.get(name);
      if (held === undefined) return addedPlace(keys.at(-1), schema, { schemaPath: before, order });
      schemaPath = pointerTo(schemaPath, name);
    }
    schema = asSchema(held);
  }
  const keyword = keys.at(-1) ?? '';
  order.push(orderOf(keyword, schema));
  return { keyword, schema, schemaPath: pointerTo(schemaPath, keyword), order, isOfNames };
}

/** What the copy has beside the schema's own: a pattern written as a format, or a format of numbers. */
function addedPlace(
  failed: string | undefined,
  schema: JsonSchema,
  { schemaPath, order }: Pick<KeywordPlace, 'schemaPath' | 'order'>,
): KeywordPlace {
  const keyword = failed === 'format' ? 'pattern' : 'format';
  return {
    keyword,
    schema,
    schemaPath: pointerTo(schemaPath, keyword),
    order: [...order.slice(0, -2), orderOf(keyword, schema)],
  };
}

const asSchema = (held: unknown): JsonSchema =>
  typeof held === 'boolean' || isSchemaObject(held) ? held : true;

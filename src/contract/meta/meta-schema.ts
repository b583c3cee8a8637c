// What do meta arguments change in a tool's schema? The tool is judged without them, and shown with them.
import type { SchemaMap, SchemaObject } from '../../json/json-schema.ts';
import { mergeSchemas } from '../merge-schemas.ts';
import type { MetaArgument } from '../tool-contract.ts';
import { mapRootParts, withoutRootReference } from './root-parts.ts';

/** The schema of what the tool itself gets: without meta arguments that its author has declared already. */
export function withoutMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  if (meta.length === 0) return schema;
  const keys = new Set(meta.map(({ key }) => key));
  return mapRootParts(schema, (part) => withoutKeys(part, keys));
}

function withoutKeys(part: SchemaObject, keys: ReadonlySet<string>): SchemaObject {
  const { properties, required } = part;
  const declares = Object.keys(properties ?? {}).some((key) => keys.has(key));
  const requires = required?.some((key) => keys.has(key)) === true;
  if (!declares && !requires) return part;
  const kept = Object.entries(properties ?? {}).filter(([key]) => !keys.has(key));
  return {
    ...part,
    ...(declares ? { properties: Object.fromEntries(kept) } : {}),
    ...(requires ? { required: required.filter((key) => !keys.has(key)) } : {}),
  };
}

/** Whether a tool's own schema requires a meta argument, whichever of its branches is meant. */
export function isRequiredIn(schema: SchemaObject, key: string): boolean {
  const { required, anyOf, oneOf } = mergeSchemas(schema, schema);
  if (required?.includes(key) === true) return true;
  return [anyOf, oneOf].some(
    (branches) =>
      branches !== undefined &&
      branches.length > 0 &&
      branches.every(
        (branch) =>
          typeof branch === 'object' && mergeSchemas(branch, schema).required?.includes(key) === true,
      ),
  );
}

/**
 * The schema that a model is shown: the meta arguments stand after the tool's own, and every part of the schema that
 * would refuse them admits them.
 */
export function withMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  if (meta.length === 0) return schema;
  const injected: SchemaMap = Object.fromEntries(meta.map((argument) => [argument.key, argument.schema]));
  const required = meta.filter(({ isRequired }) => isRequired).map(({ key }) => key);
  const withAll = (part: SchemaObject): SchemaObject => ({
    ...part,
    properties: { ...part.properties, ...injected },
    ...(required.length === 0 ? {} : { required: [...(part.required ?? []), ...required] }),
  });
  return mapRootParts(withoutRootReference(schema), (part, where) =>
    where === 'root' ? withAll(admitted(part, injected)) : admitted(part, injected),
  );
}

function admitted(part: SchemaObject, injected: SchemaMap): SchemaObject {
  const { propertyNames, maxProperties } = part;
  const isClosed = [part.additionalProperties, part['unevaluatedProperties']].some(
    (others) => others !== undefined && others !== true,
  );
  if (!isClosed && propertyNames === undefined && maxProperties === undefined) return part;
  const keys = Object.keys(injected);
  return {
    ...part,
    ...(isClosed ? { properties: { ...part.properties, ...injected } } : {}),
    ...(propertyNames === undefined ? {} : { propertyNames: { anyOf: [propertyNames, { enum: keys }] } }),
    ...(typeof maxProperties === 'number' ? { maxProperties: maxProperties + keys.length } : {}),
  };
}

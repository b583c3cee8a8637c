// Which values did an author write down as valid? Defaults, examples and paired defaults, found in the finished schema,
// each with the place that has to accept it.
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonSchema, SchemaMap, SchemaObject } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { saysSecret } from '../schema-view.ts';
import { itemsSchema } from './items-schema.ts';
import type { CheckFailure } from '../tool-contract.ts';

/** A value that registration judges. */
export interface Sample {
  /** `ReadFiles.limit`. */
  readonly where: string;
  /** `@Default`. */
  readonly decorator: string;
  readonly value: JsonValue;
  /** JSON Pointer of the part of the input schema that must accept it. */
  readonly pointer: string;
  /** The checks that only code can do. */
  check(): readonly CheckFailure[];
}

/** Whose schema an object is: set for fields' schemas, and for the `properties` of classes. */
export type Origins = ReadonlyMap<object, Origin>;

export interface Origin {
  readonly where: string;
  check(value: JsonValue): readonly CheckFailure[];
}

export function samplesIn(root: SchemaObject, origins: Origins): readonly Sample[] {
  const found: Sample[] = [];
  visit(root, '', (schema, pointer) => found.push(...samplesAt(schema, pointer, origins)));
  return found;
}

function samplesAt(schema: SchemaObject, pointer: string, origins: Origins): readonly Sample[] {
  const field = origins.get(schema);
  const owner = schema.properties === undefined ? undefined : origins.get(schema.properties);
  const origin = field ?? owner;
  if (origin === undefined) return [];
  const sample = (decorator: string, value: JsonValue): Sample => ({
    where: origin.where,
    decorator,
    value,
    pointer,
    check: () => origin.check(value),
  });
  return [
    ...(schema.default === undefined ? [] : [sample('@Default', schema.default)]),
    ...(schema.examples ?? []).map((value) => sample('@Example', value)),
    ...pairedDefaults(schema, pointer, origins),
  ];
}

function pairedDefaults(schema: SchemaObject, pointer: string, origins: Origins): readonly Sample[] {
  const relations = schema['x-toolmend']?.relational ?? [];
  return relations.flatMap(({ defaults }) =>
    Object.entries(defaults).flatMap(([partner, value]) => {
      const property = schema.properties?.[partner];
      const origin = typeof property === 'object' ? origins.get(property) : undefined;
      if (origin === undefined) return [];
      const place = pointerTo(`${pointer}/properties`, partner);
      return [
        {
          where: origin.where,
          decorator: '@PairedDefault',
          value,
          pointer: place,
          check: () => origin.check(value),
        },
      ];
    }),
  );
}

type Visit = (schema: SchemaObject, pointer: string) => void;

/** Every schema that a class's schema is made of; keywords that classes never use are not looked into. */
function visit(schema: JsonSchema, pointer: string, see: Visit): void {
  if (typeof schema === 'boolean') return;
  see(schema, pointer);
  visitNamed(schema.properties, `${pointer}/properties`, see);
  visitNamed(schema.$defs, `${pointer}/$defs`, see);
  visitListed(schema.anyOf, `${pointer}/anyOf`, see);
  visitListed(schema.prefixItems, `${pointer}/prefixItems`, see);
  const items = itemsSchema(schema);
  const { additionalProperties } = schema;
  if (items !== undefined) visit(items, `${pointer}/items`, see);
  if (additionalProperties !== undefined) visit(additionalProperties, `${pointer}/additionalProperties`, see);
}

const visitNamed = (named: SchemaMap | undefined, pointer: string, see: Visit): void => {
  for (const [name, schema] of Object.entries(named ?? {})) visit(schema, pointerTo(pointer, name), see);
};

const visitListed = (listed: readonly JsonSchema[] | undefined, pointer: string, see: Visit): void => {
  for (const [index, schema] of (listed ?? []).entries()) visit(schema, pointerTo(pointer, index), see);
};

/**
 * What samples are judged by: no secret has to be there. Examples are shown to models, so they leave secrets out, and are
 * judged as if they had been given.
 */
export function withoutRequiredSecrets(schema: SchemaObject): SchemaObject {
  const copy = mapSubschemas(schema, withoutRequiredSecrets);
  const { properties, required } = schema;
  if (properties === undefined || required === undefined) return copy;
  return { ...copy, required: required.filter((key) => !isSecret(properties[key])) };
}

const isSecret = (property: JsonSchema | undefined): boolean =>
  typeof property === 'object' && saysSecret(property);

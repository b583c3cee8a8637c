// How does a class of arguments look as JSON Schema? The same class gives the same bytes every time.
import type { SchemaMap, SchemaObject } from '../../json/json-schema.ts';
import { objectOf } from '../../json/own-key.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import { checkExample, checkFieldValue } from '../class-instance/sample-check.ts';
import type { ClassModel, ClassModels, FieldModel } from '../class-model/class-model.ts';
import { nameClasses } from './class-names.ts';
import { samplesIn, type Origin, type Sample } from './class-samples.ts';
import { fieldSchema } from './field-schema.ts';
import { relationsOf } from './relations.ts';
import type { SchemaOfClass } from './type-schema.ts';

export interface ClassSchema {
  readonly schema: SchemaObject;
  /** The defaults and examples in it. */
  readonly samples: readonly Sample[];
}

/** The schema of a class and of all it reaches, definitions at the end. */
export function classSchema(Root: ArgumentClass, models: ClassModels): ClassSchema {
  const names = nameClasses(Root, models);
  const origins = new Map<object, Origin>();
  const inFull: SchemaOfClass = (Class) => objectSchema(models.get(Class), { schemaOf, models, origins });
  const schemaOf: SchemaOfClass = (Class) => {
    if (Class === Root) return { $ref: '#' };
    const name = names.get(Class);
    return name === undefined ? inFull(Class) : { $ref: `#/$defs/${name}` };
  };
  const root = inFull(Root);
  const defs: SchemaMap = objectOf([...names].map(([Class, name]) => [name, inFull(Class)] as const));
  const schema = names.size === 0 ? root : { ...root, $defs: defs };
  return { schema, samples: samplesIn(schema, origins) };
}

interface Surroundings {
  readonly schemaOf: SchemaOfClass;
  readonly models: ClassModels;
  /** Written to: whose each schema is. */
  readonly origins: Map<object, Origin>;
}

function objectSchema(model: ClassModel | undefined, around: Surroundings): SchemaObject {
  if (model === undefined) return { type: 'object' };
  const { fields, examples } = model;
  const properties: SchemaMap = objectOf(
    fields.map((field) => [field.name, schemaOfField(field, model, around)] as const),
  );
  around.origins.set(properties, {
    where: model.name,
    check: (value) => checkExample(model, value, around.models),
  });
  const required = fields.filter(({ presence }) => presence === 'required').map(({ name }) => name);
  const relational = relationsOf(fields);
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(examples.length === 0 ? {} : { examples }),
    ...(relational.length === 0 ? {} : { 'x-toolmend': { relational } }),
  };
}

function schemaOfField(
  field: FieldModel,
  model: ClassModel,
  { schemaOf, models, origins }: Surroundings,
): SchemaObject {
  const schema = fieldSchema(field, schemaOf);
  origins.set(schema, {
    where: `${model.name}.${field.name}`,
    check: (value) => checkFieldValue(model, field, value, models),
  });
  return schema;
}

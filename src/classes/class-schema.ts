import { once } from '../collections/once.ts';
import { defined, objectOf } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import { type JsonValue, jsonTypeOf } from '../json/value.ts';
import {
  type Relation,
  type SchemaMap,
  type SchemaObject,
  type ToolmendAnnotation,
  orNull,
} from '../schema/json-schema.ts';
import type { CheckFailure, Constructor } from '../tool/tool-contract.ts';
import { type ArgumentType, classesIn, withoutNull } from './argument-type.ts';
import { checkExample, checkFieldValue } from './class-checks.ts';
import type { ClassModel, ClassModels, FieldModel } from './class-model.ts';
import type { Constraint } from './class-validator.ts';
import { keywordsOf } from './constraint-keywords.ts';
import type { EnumMember } from './declarations.ts';

export interface ClassSchema {
  readonly schema: SchemaObject;
  readonly values: readonly DeclaredValue[];
}

/** A declared default or example. Registration validates it. */
export interface DeclaredValue {
  /** `ReadFiles.limit`. */
  readonly where: string;
  /** `@Default`. */
  readonly decorator: string;
  readonly value: JsonValue;
  /** JSON Pointer of the part of the input schema that must accept it. */
  readonly pointer: string;
  /** Runs class-validator's checks and `@Check` methods. */
  readonly check: () => readonly CheckFailure[];
}

/** The schema of a class and of all classes that it reaches. Equal classes give equal text. */
export function classSchema(models: ClassModels): ClassSchema {
  const { root, byClass } = models;
  const names = definitionNames(models);
  const ofClasses: ClassProperties = new Map();
  const inFull = (Class: Constructor): SchemaObject =>
    objectSchema(byClass.get(Class), referenceTo, ofClasses);
  const referenceTo: SchemaOfClass = (Class) => {
    if (Class === root.Class) return { $ref: '#' };
    const name = names.get(Class);
    return name === undefined ? inFull(Class) : { $ref: `#/$defs/${name}` };
  };
  const ofRoot = inFull(root.Class);
  const definitions: SchemaMap = objectOf(
    [...names].map(([Class, name]) => [name, inFull(Class)] as const),
  );
  const schema = names.size === 0 ? ofRoot : { ...ofRoot, $defs: definitions };
  return {
    schema,
    values: declaredValuesIn(
      models,
      ofClasses,
      once(() => pointersIn(schema)),
    ),
  };
}

/**
 * Names in `$defs` for the classes that are used twice or contain themselves. All other schemas are
 * inlined.
 */
function definitionNames({ root, byClass }: ClassModels): ReadonlyMap<Constructor, string> {
  if (byClass.size === 1 && root.fields.every(({ type }) => classesIn(type).length === 0))
    return new Map();
  const partClasses = (model: ClassModel | undefined): readonly Constructor[] =>
    model?.fields.flatMap(({ type }) => classesIn(type)) ?? [];
  const uses = [...byClass.values()].flatMap(partClasses);
  const names = new Map<Constructor, string>();
  for (const [Class, { name }] of byClass) {
    const isUsedTwice = uses.indexOf(Class) !== uses.lastIndexOf(Class);
    const reachedClasses = new Set(partClasses(byClass.get(Class)));
    for (const partClass of reachedClasses)
      for (const next of partClasses(byClass.get(partClass))) reachedClasses.add(next);
    if (Class !== root.Class && (isUsedTwice || reachedClasses.has(Class)))
      names.set(Class, freeName(name, names));
  }
  return names;
}

/** Appends a number if another class has the name. */
function freeName(name: string, names: ReadonlyMap<Constructor, string>): string {
  const takenNames = new Set(names.values());
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_');
  let free = plain;
  for (let number = 2; takenNames.has(free); number += 1) free = `${plain}${number}`;
  return free;
}

type SchemaOfClass = (Class: Constructor) => SchemaObject;

/**
 * The `properties` object of each class, by which its JSON Pointer in the finished schema is found.
 */
type ClassProperties = Map<ClassModel, SchemaMap>;

/** Adds its `properties` to `ofClasses`. */
function objectSchema(
  model: ClassModel | undefined,
  schemaOf: SchemaOfClass,
  ofClasses: ClassProperties,
): SchemaObject {
  if (model === undefined) return { type: 'object' };
  const { fields, examples } = model;
  const properties: SchemaMap = objectOf(
    fields.map((field) => [field.name, fieldSchema(field, schemaOf)] as const),
  );
  ofClasses.set(model, properties);
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

/** One relation for each pair of fields, even if both have `@PairedDefault`. */
function relationsOf(fields: readonly FieldModel[]): readonly Relation[] {
  const relations = new Map<string, Relation>();
  for (const { name, dependentDefaults } of fields) {
    for (const { other, value } of dependentDefaults) {
      const key = JSON.stringify([name, other].toSorted());
      const { requires, defaults } = relations.get(key) ?? {
        requires: [name, other],
        defaults: {},
      };
      relations.set(key, {
        requires,
        defaults: objectOf([...Object.entries(defaults), [other, value] as const]),
      });
    }
  }
  return [...relations.values()];
}

function fieldSchema(field: FieldModel, schemaOf: SchemaOfClass): SchemaObject {
  const { type, keywordConstraints, aliases, examples, marks } = field;
  const ofStrings = marks.size === 0 ? noAnnotation : stringAnnotation(marks);
  const ofItems = keywordConstraints.filter(({ reach }) => reach === 'items');
  const ofValue = keywordConstraints.filter(({ reach }) => reach === 'value');
  const schema = withConstraints(typeSchema(type, { schemaOf, ofStrings, ofItems }), ofValue, type);
  const annotation: ToolmendAnnotation = {
    ...schema['x-toolmend'],
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(marks.has('secret') ? { secret: true } : {}),
    ...(marks.has('hintsOff') ? { hints: 'off' } : {}),
  };
  return {
    ...schema,
    ...defined({ title: field.title, description: field.description, default: field.default }),
    ...(examples.length === 0 ? {} : { examples: [...(schema.examples ?? []), ...examples] }),
    ...(Object.keys(annotation).length === 0 ? {} : { 'x-toolmend': annotation }),
  };
}

const noAnnotation: ToolmendAnnotation = {};

const stringAnnotation = (marks: FieldModel['marks']): ToolmendAnnotation => ({
  ...defined({ semantic: (['path', 'url', 'glob'] as const).find((mark) => marks.has(mark)) }),
  ...(marks.has('verbatim') ? { verbatim: true } : {}),
  ...(marks.has('secret') ? { secret: true } : {}),
});

interface TypeContext {
  readonly schemaOf: SchemaOfClass;
  /** Annotates every string in the type, at any depth of arrays and maps. */
  readonly ofStrings: ToolmendAnnotation;
  /** The constraints with `{ each: true }`. */
  readonly ofItems: readonly Constraint[];
}

function typeSchema(type: ArgumentType, context: TypeContext): SchemaObject {
  const { schemaOf, ofStrings, ofItems } = context;
  const schemaOfPart = (part: ArgumentType): SchemaObject =>
    typeSchema(part, { ...context, ofItems: [] });
  const item = (part: ArgumentType): SchemaObject =>
    withConstraints(schemaOfPart(part), ofItems, part);
  switch (type.kind) {
    case 'string':
      return {
        type: 'string',
        ...(Object.keys(ofStrings).length === 0 ? {} : { 'x-toolmend': ofStrings }),
      };
    case 'date':
      return { type: 'string', format: 'date-time' };
    case 'day':
      return { type: 'string', format: 'date' };
    case 'schema':
      return type.schema;
    case 'const':
      return { type: jsonTypeOf(type.value), const: type.value };
    case 'enum':
      return enumSchema(type.values);
    case 'array':
      return { type: 'array', items: item(type.items) };
    case 'record':
      return { type: 'object', additionalProperties: schemaOfPart(type.values) };
    case 'tuple': {
      // Strict validators require the length too.
      const bounds = { minItems: type.items.length, maxItems: type.items.length };
      return { type: 'array', prefixItems: type.items.map(item), items: false, ...bounds };
    }
    case 'class':
      return schemaOf(type.Class);
    case 'oneOf':
      return { anyOf: type.Classes.map(schemaOf) };
    case 'union':
      return { anyOf: type.members.map(schemaOfPart) };
    case 'nullable':
      return orNull(typeSchema(type.type, context));
    case 'any':
    case 'unknown':
    case 'invalid':
      return {};
    default:
      return { type: type.kind };
  }
}

/** Values of several JSON types become a union with a branch for each type. */
function enumSchema(values: readonly EnumMember[]): SchemaObject {
  const types = new Set(values.map((value) => typeof value));
  if (types.size > 1)
    return {
      anyOf: [...types].map((type) => enumSchema(values.filter((value) => typeof value === type))),
    };
  const [first] = values;
  const isFraction = values.some((value) => jsonTypeOf(value) === 'number');
  const type = isFraction ? 'number' : jsonTypeOf(first ?? null);
  return { type, enum: values };
}

/** The schema with the keywords of constraints. They don't restrict null. */
function withConstraints(
  schema: SchemaObject,
  constraints: readonly Constraint[],
  type: ArgumentType,
): SchemaObject {
  const keywords = constraints
    .map((constraint) => keywordsOf(constraint, type) ?? {})
    .filter((keywordsOfOne) => Object.keys(keywordsOfOne).length > 0);
  if (keywords.length === 0) return schema;
  // Strict validators require a type next to keywords, and a reference to a class has none.
  const isUntyped =
    schema.type === undefined && ['class', 'oneOf'].includes(withoutNull(type).kind);
  const objectType = type.kind === 'nullable' ? (['object', 'null'] as const) : 'object';
  return keywords.reduce(withKeywords, isUntyped ? { type: objectType, ...schema } : schema);
}

/** Keywords that the schema already has with other values go into `allOf`. */
function withKeywords(schema: SchemaObject, keywords: SchemaObject): SchemaObject {
  const isTaken = (keyword: string): boolean =>
    Object.hasOwn(schema, keyword) &&
    JSON.stringify(schema[keyword]) !== JSON.stringify(keywords[keyword]);
  if (keywords.allOf === undefined && !Object.keys(keywords).some(isTaken))
    return { ...schema, ...keywords };
  const { allOf = [], ...others } = keywords;
  const { taken: repeatedKeywords = [], free = [] } = Object.groupBy(
    Object.entries(others),
    ([keyword]) => (isTaken(keyword) ? 'taken' : 'free'),
  );
  const second = repeatedKeywords.length === 0 ? [] : [Object.fromEntries(repeatedKeywords)];
  const all = [...(schema.allOf ?? []), ...second, ...allOf];
  return { ...schema, ...Object.fromEntries(free), ...(all.length === 0 ? {} : { allOf: all }) };
}

function declaredValuesIn(
  models: ClassModels,
  ofClasses: ClassProperties,
  pointers: () => ReadonlyMap<unknown, string>,
): readonly DeclaredValue[] {
  return [...models.byClass.values()].flatMap((model) => {
    if (!hasDeclaredValues(model)) return [];
    const properties = pointers().get(ofClasses.get(model)) ?? '';
    const ofClass = model.examples.map((value) => ({
      where: model.name,
      decorator: '@Example',
      value,
      pointer: properties.slice(0, -'/properties'.length),
      check: () => checkExample(model, value, models),
    }));
    const ofField = (
      name: string,
      decorator: string,
      values: readonly JsonValue[],
    ): readonly DeclaredValue[] =>
      model.fields
        .filter((field) => field.name === name)
        .flatMap((field) =>
          values.map((value) => ({
            where: `${model.name}.${name}`,
            decorator,
            value,
            pointer: pointerTo(properties, name),
            check: () => checkFieldValue(model, field, value, models),
          })),
        );
    const ofFields = model.fields.flatMap(
      ({ name, default: initial, isInitialized, examples, examplesBy, dependentDefaults }) => [
        ...ofField(
          name,
          isInitialized ? 'an initializer' : '@Default',
          initial === undefined ? [] : [initial],
        ),
        ...ofField(name, examplesBy, examples),
        ...dependentDefaults.flatMap(({ other, value }) =>
          ofField(other, '@PairedDefault', [value]),
        ),
      ],
    );
    return [...ofClass, ...ofFields];
  });
}

const hasDeclaredValues = ({ examples, fields }: ClassModel): boolean =>
  examples.length > 0 ||
  fields.some(
    (field) =>
      field.default !== undefined ||
      field.examples.length > 0 ||
      field.dependentDefaults.length > 0,
  );

function pointersIn(
  value: unknown,
  pointer = '',
  pointers = new Map<unknown, string>(),
): ReadonlyMap<unknown, string> {
  if (typeof value !== 'object' || value === null) return pointers;
  pointers.set(value, pointer);
  for (const [key, member] of Object.entries(value))
    pointersIn(member, pointerTo(pointer, key), pointers);
  return pointers;
}

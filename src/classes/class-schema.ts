import { pointerTo } from '../json/json-pointer.ts';
import { type JsonType, type JsonValue, freezeDeep, objectOf } from '../json/value.ts';
import {
  type JsonSchema,
  type Relation,
  type SchemaMap,
  type SchemaObject,
  type ToolmendAnnotation,
  mapSubschemas,
} from '../schema/json-schema.ts';
import { saysSecret } from '../schema/schema-view.ts';
import type { CheckFailure } from '../tool/tool-contract.ts';
import { type ArgumentType, classesIn, withoutNull } from './argument-type.ts';
import { checkExample, checkFieldValue } from './class-instance.ts';
import type { ClassModel, ClassModels, FieldFacts, FieldModel } from './class-model.ts';
import type { Constraint } from './class-validator.ts';
import { constraintForm } from './constraint-keywords.ts';
import type { ArgumentClass, EnumMember } from './declarations.ts';

// Those that are used twice or that contain themselves; two classes of one name stay two.
/** Where a class stands in the schema: `#`, or `#/$defs/<name>`; without an entry it stands where it is used. */
export type ClassNames = ReadonlyMap<ArgumentClass, string>;

/** The definitions, in the order in which the classes are met. */
function nameClasses(Root: ArgumentClass, models: ClassModels): ClassNames {
  const uses = new Map<ArgumentClass, number>();
  for (const { fields } of models.values()) {
    for (const Class of fields.flatMap(({ type }) => classesIn(type))) {
      uses.set(Class, (uses.get(Class) ?? 0) + 1);
    }
  }
  const names = new Map<ArgumentClass, string>();
  for (const [Class, { name }] of models) {
    const isDefined = Class !== Root && ((uses.get(Class) ?? 0) > 1 || containsItself(Class, models));
    if (isDefined) names.set(Class, freeName(name, new Set(names.values())));
  }
  return names;
}

function containsItself(Class: ArgumentClass, models: ClassModels): boolean {
  const reached = new Set<ArgumentClass>();
  const waiting = [Class];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inside = models.get(next)?.fields.flatMap(({ type }) => classesIn(type)) ?? [];
    if (inside.includes(Class)) return true;
    waiting.push(...inside.filter((found) => !reached.has(found)));
    for (const found of inside) reached.add(found);
  }
  return false;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_');
  let free = plain;
  for (let number = 2; taken.has(free); number += 1) free = `${plain}${number}`;
  return free;
}

/** The one schema of all elements; undefined where there is none, or an older draft's list of them. */
function itemsSchema({ items }: SchemaObject): JsonSchema | undefined {
  return items === undefined || isList(items) ? undefined : items;
}

const isList = (items: JsonSchema | readonly JsonSchema[]): items is readonly JsonSchema[] =>
  Array.isArray(items);

// Defaults, examples and paired defaults, found in the finished schema, each with the place that has to accept it.
/** A value that registration validates. */
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

function samplesIn(root: SchemaObject, origins: Origins): readonly Sample[] {
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
 * What samples are validated against: no secret has to be there. Examples are shown to models, so they leave secrets out, and are
 * validated as if they had been given.
 */
export function withoutRequiredSecrets(schema: SchemaObject): SchemaObject {
  const copy = mapSubschemas(schema, withoutRequiredSecrets);
  const { properties, required } = schema;
  if (properties === undefined || required === undefined) return copy;
  return { ...copy, required: required.filter((key) => !isSecret(properties[key])) };
}

const isSecret = (property: JsonSchema | undefined): boolean =>
  typeof property === 'object' && saysSecret(property);

// A keyword that is taken goes on beside it.
/** The schema with further keywords: what it can't hold twice stands in `allOf`. */
function withKeywords(schema: SchemaObject, keywords: SchemaObject): SchemaObject {
  const taken = Object.keys(keywords).filter((keyword) => isTaken(schema, keywords, keyword));
  if (taken.length === 0) return { ...schema, ...keywords };
  const entries = Object.entries(keywords);
  const free = Object.fromEntries(entries.filter(([keyword]) => !taken.includes(keyword)));
  const second = Object.fromEntries(entries.filter(([keyword]) => taken.includes(keyword)));
  return { ...schema, ...free, allOf: [...(schema.allOf ?? []), ...branchesOf(second)] };
}

const isTaken = (schema: SchemaObject, keywords: SchemaObject, keyword: string): boolean =>
  Object.hasOwn(schema, keyword) && JSON.stringify(schema[keyword]) !== JSON.stringify(keywords[keyword]);

function branchesOf({ allOf, ...keywords }: SchemaObject): readonly SchemaObject[] {
  const branches = (allOf ?? []).filter((branch) => typeof branch === 'object');
  return Object.keys(keywords).length === 0 ? branches : [keywords, ...branches];
}

/** Shows where the schema of a class is: in full, or by reference. */
export type SchemaOfClass = (Class: ArgumentClass) => SchemaObject;

/** What the parts of a type need to know of their surroundings. */
export interface TypeSurroundings {
  readonly schemaOf: SchemaOfClass;
  /** What is said of every text in the type, however deep in lists and maps. */
  readonly ofText: ToolmendAnnotation;
}

function typeSchema(type: ArgumentType, around: TypeSurroundings): SchemaObject {
  const inside = (part: ArgumentType): SchemaObject => typeSchema(part, around);
  switch (type.kind) {
    case 'string':
      return textSchema(around.ofText);
    case 'date':
      return { type: 'string', format: 'date-time' };
    case 'const':
      return { type: jsonTypeOf([type.value]), const: type.value };
    case 'enum':
      return enumSchema(type.values);
    case 'array':
      return { type: 'array', items: inside(type.items) };
    case 'record':
      return { type: 'object', additionalProperties: inside(type.values) };
    case 'tuple':
      return tupleSchema(type.items.map(inside));
    case 'class':
      return around.schemaOf(type.Class);
    case 'oneOf':
      return { anyOf: type.Classes.map(around.schemaOf) };
    case 'union':
      return { anyOf: type.members.map(inside) };
    case 'nullable':
      return orNull(inside(type.type));
    case 'open':
    case 'broken':
      return {};
    default:
      return { type: type.kind };
  }
}

const textSchema = (ofText: ToolmendAnnotation): SchemaObject =>
  Object.keys(ofText).length === 0 ? { type: 'string' } : { type: 'string', 'x-toolmend': ofText };

/** Members of one JSON type keep it; a mix becomes one branch a type. */
function enumSchema(values: readonly EnumMember[]): SchemaObject {
  const types = new Set(values.map((value) => typeof value));
  if (types.size === 1) return { type: jsonTypeOf(values), enum: values };
  return { anyOf: [...types].map((type) => enumSchema(values.filter((value) => typeof value === type))) };
}

function jsonTypeOf(values: readonly EnumMember[]): JsonType {
  const [first] = values;
  if (typeof first === 'string') return 'string';
  if (typeof first === 'boolean') return 'boolean';
  return values.every(Number.isInteger) ? 'integer' : 'number';
}

// Strict validators want the length said beside the places.
const tupleSchema = (places: readonly SchemaObject[]): SchemaObject => ({
  type: 'array',
  prefixItems: places,
  items: false,
  minItems: places.length,
  maxItems: places.length,
});

/** The schema, or null: in its own `type` where it has one and nothing else would refuse null. */
function orNull(schema: SchemaObject): SchemaObject {
  const { type, enum: values } = schema;
  if (typeof type !== 'string' || Object.hasOwn(schema, 'const')) {
    return { anyOf: [...(isPlainUnion(schema) ? schema.anyOf : [schema]), { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
}

const isPlainUnion = (
  schema: SchemaObject,
): schema is SchemaObject & { readonly anyOf: readonly JsonSchema[] } =>
  schema.anyOf !== undefined && Object.keys(schema).length === 1;

// Type, then keywords, then what is said about it.
function fieldSchema({ type, keyworded, facts }: FieldModel, schemaOf: SchemaOfClass): SchemaObject {
  const bare = typeSchema(type, { schemaOf, ofText: textAnnotation(facts) });
  const whole = constrained(
    bare,
    keyworded.filter(({ reach }) => reach === 'value'),
    type,
  );
  const ofItems = keyworded.filter(({ reach }) => reach === 'items');
  return annotated(
    ofItems.length === 0 ? whole : withItemConstraints(whole, ofItems, withoutNull(type)),
    facts,
  );
}

/** None of the keywords speaks of null, so a nullable schema takes them as any other. */
function constrained(
  schema: SchemaObject,
  constraints: readonly Constraint[],
  type: ArgumentType,
): SchemaObject {
  return constraints.reduce((built, constraint) => {
    const keywords = constraintForm(constraint.name)?.keywords?.(constraint, withoutNull(type)) ?? {};
    return Object.keys(keywords).length === 0 ? built : withKeywords(typed(built, type), keywords);
  }, schema);
}

// Strict validators want a type beside keywords, and a reference to a class has none.
const typed = (schema: SchemaObject, type: ArgumentType): SchemaObject =>
  schema.type === undefined && ['class', 'oneOf'].includes(withoutNull(type).kind)
    ? { type: type.kind === 'nullable' ? ['object', 'null'] : 'object', ...schema }
    : schema;

function withItemConstraints(
  schema: SchemaObject,
  constraints: readonly Constraint[],
  type: ArgumentType,
): SchemaObject {
  const under = (part: JsonSchema, partType: ArgumentType): JsonSchema =>
    typeof part === 'boolean' ? part : constrained(part, constraints, partType);
  if (type.kind === 'tuple') {
    const places = schema.prefixItems ?? [];
    return { ...schema, prefixItems: places.map((place, index) => under(place, type.items[index] ?? type)) };
  }
  const items = itemsSchema(schema);
  return type.kind === 'array' && items !== undefined
    ? { ...schema, items: under(items, type.items) }
    : schema;
}

/** What holds for each text of the field. */
const textAnnotation = ({ marks }: FieldFacts): ToolmendAnnotation => ({
  ...(marks.has('path') ? { semantic: 'path' } : {}),
  ...(marks.has('verbatim') ? { verbatim: true } : {}),
  ...(marks.has('secret') ? { secret: true } : {}),
});

function annotated(schema: SchemaObject, facts: FieldFacts): SchemaObject {
  const annotation: ToolmendAnnotation = {
    ...schema['x-toolmend'],
    ...(facts.aliases.length === 0 ? {} : { aliases: [...new Set(facts.aliases)] }),
    ...(facts.marks.has('secret') ? { secret: true } : {}),
    ...(facts.marks.has('unhinted') ? { hints: 'off' } : {}),
  };
  return {
    ...schema,
    ...(facts.title === undefined ? {} : { title: facts.title }),
    ...(facts.description === undefined ? {} : { description: facts.description }),
    ...(facts.default === undefined ? {} : { default: facts.default }),
    ...(facts.examples.length === 0 ? {} : { examples: [...(schema.examples ?? []), ...facts.examples] }),
    ...(Object.keys(annotation).length === 0 ? {} : { 'x-toolmend': annotation }),
  };
}

// `@PairedDefault` on either or both of two fields is one relation.
/** The relations of a class, in the order of its fields. */
function relationsOf(fields: readonly FieldModel[]): readonly Relation[] {
  const found = new Map<string, Relation>();
  for (const { name, facts } of fields) {
    for (const { partner, value } of facts.pairs) {
      const key = JSON.stringify([name, partner].toSorted());
      found.set(
        key,
        withDefault(found.get(key) ?? { requires: [name, partner], defaults: {} }, partner, value),
      );
    }
  }
  return freezeDeep([...found.values()]);
}

const withDefault = ({ requires, defaults }: Relation, partner: string, value: JsonValue): Relation => ({
  requires,
  defaults: objectOf([...Object.entries(defaults), [partner, value] as const]),
});

// The same class gives the same bytes every time.
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

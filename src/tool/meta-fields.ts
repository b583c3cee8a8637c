import { classCheck } from '../classes/class-instance.ts';
import { classSchema } from '../classes/class-schema.ts';
import { readClassModels } from '../classes/read-class.ts';
import {
  type Complaint,
  type ComplaintBook,
  DefinitionError,
  complaintBook,
} from '../errors/definition-error.ts';
import { pointerTo } from '../json/json-pointer.ts';
import { type JsonObject, foldKey, freezeDeep } from '../json/value.ts';
import { type SchemaMap, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { aliasesOf } from '../schema/schema-view.ts';
import { canonicalKey } from './meta-schema.ts';
import type { ArgumentCheck, Constructor, MetaArgument } from './tool-contract.ts';

// Read as a class of arguments is, without what only a tool's can have.
export interface MetaClass {
  readonly name: string;
  readonly properties: { readonly [name: string]: SchemaObject };
  readonly required: readonly string[];
  readonly complaints: readonly Complaint[];
  /** What the schema doesn't say of one field, asked about an object of that field alone. */
  readonly check?: ArgumentCheck;
}

function readMetaClass(Class: Constructor): MetaClass {
  const book = complaintBook();
  const models = readClassModels(Class, 'arguments', book);
  const { schema } = classSchema(Class, models);
  const model = models.get(Class);
  for (const { name } of model?.contextFields ?? []) {
    book.at(Class.name, name)('is set by the application, and no meta argument', 'leave it out');
  }
  for (const check of model?.checks ?? []) {
    book.at(Class.name, check)(
      'is a @Check, and meta arguments are validated one by one',
      'check it in the tool',
    );
  }
  const properties = objectSchemas(schema.properties ?? {}, Class.name, book);
  const check = classCheck(Class, models);
  return {
    name: Class.name,
    properties,
    required: schema.required ?? [],
    complaints: book.complaints,
    ...(check === undefined ? {} : { check: (value: JsonObject) => ownFailures(check, value) }),
  };
}

function objectSchemas(
  properties: SchemaMap,
  className: string,
  book: ComplaintBook,
): MetaClass['properties'] {
  const found = Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === 'boolean') return [];
    if (schema.default !== undefined) {
      book.at(className, name)(
        'has a @Default, and a meta argument that is absent stays absent',
        'write ?? where it is read',
      );
    }
    return [[name, schema] as const];
  });
  return Object.fromEntries(found);
}

/** The fields that are not there are not what is asked about. */
const ownFailures = (check: ArgumentCheck, value: JsonObject): ReturnType<ArgumentCheck> => {
  const places = Object.keys(value).map((name) => pointerTo('', name));
  return check(value).filter(({ path }) => places.some((place) => `${path}/`.startsWith(`${place}/`)));
};

// Names that can't be told apart, or that would not come back as they went.
/** One complaint for each mistake; `where` is whoever lists them. */
export function metaComplaints(meta: readonly MetaArgument[], where: string): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const first = new Map<string, string>();
  for (const { key, name, aliases } of meta) {
    if (!/^[a-z]\w{0,60}$/i.test(name) || key !== canonicalKey(name)) {
      const what = `has the meta argument ${JSON.stringify(key)} with the name ${JSON.stringify(name)}`;
      complaints.push({
        where,
        what,
        instead: 'write a name of letters, digits and _, and as key _ and the name',
      });
    }
    for (const spelling of new Set([key, ...aliases].map((one) => foldKey(one) ?? one))) {
      const other = first.get(spelling);
      if (other !== undefined) {
        const what = `has the meta arguments ${other} and ${key}, which are spelled alike`;
        complaints.push({ where, what, instead: 'leave one of them out, or give it another name' });
      }
      first.set(spelling, key);
    }
  }
  return complaints;
}

// The fields of a decorated class, or one JSON Schema each.
/** By name without the underscore: what each meta argument may be. */
export type MetaSchemas = Readonly<Record<string, SchemaObject>>;

/**
 * Meta arguments for a registry's `meta`: the field `ticket` is `_ticket` to the model and `ticket` in `context.meta`.
 * A class is decorated as a class of arguments is; its fields are required unless they are `@IsOptional()`. Those of
 * schemas are optional. Throws a DefinitionError with every complaint.
 */
export function metaFields(fields: Constructor | MetaSchemas): readonly MetaArgument[] {
  const isClass = typeof fields === 'function';
  const {
    name: where,
    properties,
    required,
    check,
    complaints,
  }: MetaClass = isClass
    ? readMetaClass(fields)
    : { name: 'metaFields', properties: fields, required: [], complaints: [] };
  const meta = Object.entries(properties).map(([name, schema]): MetaArgument => ({
    key: canonicalKey(name),
    name,
    aliases: aliasesOf(schema),
    isRequired: required.includes(name),
    schema: freezeDeep(structuredClone(schema)),
    ...(check === undefined ? {} : { check }),
  }));
  const all = [...complaints, ...meta.flatMap((argument) => referenceComplaints(argument, where))];
  const found = [...all, ...metaComplaints(meta, where)];
  if (found.length > 0) throw new DefinitionError(found);
  return freezeDeep(meta);
}

/** The same meta arguments, those of these names required of every call. Throws a DefinitionError for a name that is none. */
export function requireMeta(
  meta: readonly MetaArgument[],
  ...names: readonly string[]
): readonly MetaArgument[] {
  const unknown = names.filter((name) => !meta.some((argument) => argument.name === name));
  if (unknown.length > 0) {
    const instead = `write some of ${meta.map(({ name }) => name).join(', ')}`;
    throw new DefinitionError(
      unknown.map((name) => ({
        where: 'requireMeta',
        what: `names ${JSON.stringify(name)}, which is none`,
        instead,
      })),
    );
  }
  return freezeDeep(
    meta.map((argument) => ({
      ...argument,
      isRequired: argument.isRequired || names.includes(argument.name),
    })),
  );
}

/** The schema of a field stands in the schemas of many tools, where its references lead elsewhere. */
function referenceComplaints({ name, schema }: MetaArgument, where: string): readonly Complaint[] {
  if (!refers(schema)) return [];
  const what = 'refers to another schema or class';
  return [
    {
      where: `${where}.${name}`,
      what,
      instead: 'write its fields as fields of their own, or the schema in full',
    },
  ];
}

function refers(schema: SchemaObject): boolean {
  let found = schema.$ref !== undefined;
  mapSubschemas(schema, (below) => {
    found ||= refers(below);
    return below;
  });
  return found;
}

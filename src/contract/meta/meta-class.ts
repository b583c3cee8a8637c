// Which meta arguments does a decorated class declare? Read as a class of arguments is, without what only a tool's can have.
import type { Complaint } from '../../errors/definition-error.ts';
import type { SchemaMap, SchemaObject } from '../../json/json-schema.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import { classCheck } from '../class-instance/class-check.ts';
import { readClassModels } from '../class-model/class-models.ts';
import { classSchema } from '../class-schema/class-schema.ts';
import { type ComplaintBook, complaintBook } from '../complaint-book.ts';
import type { ArgumentCheck, Constructor } from '../tool-contract.ts';

export interface MetaClass {
  readonly name: string;
  readonly properties: { readonly [name: string]: SchemaObject };
  readonly required: readonly string[];
  readonly complaints: readonly Complaint[];
  /** What the schema doesn't say of one field, asked about an object of that field alone. */
  readonly check?: ArgumentCheck;
}

export function readMetaClass(Class: Constructor): MetaClass {
  const book = complaintBook();
  const models = readClassModels(Class, 'arguments', book);
  const { schema } = classSchema(Class, models);
  const model = models.get(Class);
  for (const { name } of model?.contextFields ?? []) {
    book.at(Class.name, name)('is set by the application, and no meta argument', 'leave it out');
  }
  for (const check of model?.checks ?? []) {
    book.at(Class.name, check)(
      'is a @Check, and meta arguments are judged one by one',
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

// Which meta arguments does an application add? The fields of a decorated class, or one JSON Schema each.
import { type Complaint, DefinitionError } from '../../errors/definition-error.ts';
import { freezeDeep } from '../../json/freeze-deep.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { aliasesOf } from '../annotations.ts';
import type { Constructor, MetaArgument } from '../tool-contract.ts';
import { type MetaClass, readMetaClass } from './meta-class.ts';
import { canonicalKey } from './meta-arguments.ts';
import { metaComplaints } from './meta-complaints.ts';

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
    kind: 'schema',
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

import { DefinitionError, type DefinitionProblems, definitionProblems } from '../errors/definition-error.ts';
import { type JsonObject, freezeDeep, pointerTo } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { validatorMistake } from '../schema/not-a-schema.ts';
import { hasReference } from '../schema/references.ts';
import { aliasesOf } from '../schema/schema-view.ts';
import { canonicalKey, metaProblems } from '../tool/meta-arguments.ts';
import type { ArgumentCheck, CheckFailure, Constructor, MetaArgument } from '../tool/tool-contract.ts';
import { classChecks } from './class-checks.ts';
import { classSchema } from './class-schema.ts';
import { readClassModels } from './read-class.ts';

/** The schema of each meta argument, by its name without the underscore. */
export type MetaSchemas = Readonly<Record<string, SchemaObject>>;

/**
 * Meta arguments for the option `meta` of a registry: the field `ticket` is `_ticket` to the model and `ticket` in
 * `context.meta`. A class is decorated like an argument class, and its fields are required unless they have
 * `@Optional()` or `@IsOptional()`; arguments given as schemas are optional. Throws a DefinitionError with all problems.
 */
export function metaFields(fields: Constructor | MetaSchemas): readonly MetaArgument[] {
  const problems = definitionProblems();
  const isClass = typeof fields === 'function';
  const where = isClass ? fields.name : 'metaFields';
  const { schemas, required, check }: MetaClass = isClass
    ? readMetaClass(fields, problems)
    : { schemas: fields, required: [] };
  const meta = Object.entries(schemas).flatMap(([name, schema]): readonly MetaArgument[] => {
    const mistake = validatorMistake(schema);
    if (mistake !== undefined) {
      problems.at(where, name)(mistake.what, mistake.instead);
      return [];
    }
    const argument = {
      key: canonicalKey(name),
      name,
      aliases: aliasesOf(schema),
      isRequired: required.includes(name),
      schema: freezeDeep(structuredClone(schema)),
    };
    return [check === undefined ? argument : { ...argument, check }];
  });
  for (const { name, schema } of meta) {
    // The schema becomes a part of many tools' schemas, in which its references would lead elsewhere.
    if (hasReference(schema))
      problems.at(where, name)(
        'refers to another schema or class',
        'write its fields as separate meta arguments, or inline the schema',
      );
  }
  const all = [...problems.problems, ...metaProblems(meta, where)];
  if (all.length > 0) throw new DefinitionError(all);
  return freezeDeep(meta);
}

interface MetaClass {
  readonly schemas: MetaSchemas;
  readonly required: readonly string[];
  readonly check?: ArgumentCheck;
}

function readMetaClass(Class: Constructor, problems: DefinitionProblems): MetaClass {
  const models = readClassModels(Class, { rootIs: 'arguments' }, problems);
  const { properties = {}, required = [] } = classSchema(models).schema;
  const { contextFields, checks, fields } = models.root;
  for (const { name } of contextFields)
    problems.at(Class.name, name)('is set by the application, so it is not a meta argument', 'remove it');
  for (const check of checks)
    problems.at(Class.name, check)(
      'is a @Check, but meta arguments are validated one by one',
      'check it in the tool',
    );
  for (const { name, default: defaultValue } of fields) {
    if (defaultValue !== undefined)
      problems.at(Class.name, name)(
        'has a @Default, but an absent meta argument stays absent',
        'write ?? where it is read',
      );
  }
  const { check } = classChecks(models);
  return {
    schemas: Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) =>
        typeof schema === 'boolean' ? [] : [[name, schema] as const],
      ),
    ),
    required,
    ...(check === undefined ? {} : { check: (value: JsonObject) => failuresOfSent(check, value) }),
  };
}

/** Leaves out the failures of meta arguments that the call doesn't have. */
function failuresOfSent(check: ArgumentCheck, value: JsonObject): readonly CheckFailure[] {
  const sent = Object.keys(value).map((name) => `${pointerTo('', name)}/`);
  return check(value).filter(({ path }) => sent.some((pointer) => `${path}/`.startsWith(pointer)));
}

import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import { freezeDeep } from '../collections/objects.ts';
import { exceededLimit } from '../schema/keywords.ts';
import { type SchemaObject, isSchemaObject } from '../schema/json-schema.ts';
import { inputSchemaOf } from '../schema/input-schema.ts';
import { type TypeWord, withJsonTypes } from '../schema/type-words.ts';
import { notAnObject, ofAnotherType } from '../schema/not-a-schema.ts';
import type { ToJsonSchema } from '../schema/schema-libraries.ts';
import { checkOwnRules } from './own-rule.ts';
import { schemaValidation } from './schema-validation.ts';
import type {
  ContractOptions,
  CreateValidator,
  OnUnusableSchema,
  StrictOptions,
  ToolContract,
} from './tool-contract.ts';

/** The options of a tool whose arguments are described by a schema. */
export interface SchemaOptions extends ContractOptions {
  /**
   * JSON Schema of an object, draft-04 to 2020-12, which is copied. Or a Standard Schema, as of
   * zod, valibot and arktype: calls are repaired by its JSON Schema, then it validates them itself,
   * and `execute` gets its output. `jsonSchema()` of the AI SDK and OpenAI's function objects are
   * read too.
   */
  readonly inputSchema: object;
  /**
   * Writes the JSON Schema of a Standard Schema. Default: the converter in the schema itself,
   * otherwise that of the schema's library, if installed.
   */
  readonly toJsonSchema?: ToJsonSchema;
  /** Checks beyond JSON Schema. Default: Markdown links in paths and misspelt keys are failures. */
  readonly strict?: Partial<StrictOptions>;
  /** Sentences for the model, after the description. */
  readonly hints?: readonly string[];
  /** Makes the schema's validator. Default: the registry's, else toolmend's own. */
  readonly validator?: CreateValidator;
  /**
   * For a schema that can't be compiled or refers to nothing in it. `refuse`: registration throws.
   * `warn`: calls are passed on unvalidated, with one warning. Default: `refuse`.
   */
  readonly onUnusableSchema?: OnUnusableSchema;
}

/**
 * Without a `name`, messages say `tool`, and the name in a call's markup is not compared. The
 * default validator interprets.
 */
export type SchemaDefinition = SchemaOptions &
  Partial<Pick<ToolContract, 'name' | 'description' | 'execution' | 'binding'>>;

/**
 * A frozen contract. Throws a DefinitionError for anything other than the JSON Schema of an object.
 */
export function contractFromSchema(definition: SchemaDefinition): ToolContract {
  const {
    name,
    description = '',
    inputSchema: _schema,
    toJsonSchema: _write,
    ...others
  } = definition;
  const { hints = [], strict, ...rest } = others;
  const { effects, repair = effects === 'destructive' ? 'lossless' : 'all' } = definition;
  checkOwnRules(name ?? unknownName, definition.ownRules ?? []);
  const { unknownArguments = 'reject', binding = { kind: 'none' } } = definition;
  return Object.freeze({
    ...rest,
    name: name ?? unknownName,
    ...(name === undefined ? { isUnnamed: true } : {}),
    description,
    hints: Object.freeze([...hints]),
    ...schemaOf(definition),
    repair,
    unknownArguments,
    strict: Object.freeze({
      paths: strict?.paths ?? 'names',
      spellings: strict?.spellings ?? true,
    }),
    meta: Object.freeze([]),
    contextFields: Object.freeze([]),
    binding,
  });
}

const unknownName = 'tool';

function schemaOf(
  definition: SchemaDefinition,
): Pick<ToolContract, 'inputSchema' | 'typeWords' | 'unusable' | 'check' | 'validation'> {
  const { name: where = unknownName, onUnusableSchema, toJsonSchema } = definition;
  const input = inputSchemaOf(definition.inputSchema, toJsonSchema);
  if (input.kind === 'none') throw schemaError(where, input.mistake.what, input.mistake.instead);
  const unusable = exceededLimit(input.schema);
  if (unusable !== undefined) {
    if (onUnusableSchema !== 'warn') throw schemaError(where, unusable, 'write a smaller one');
    // Calls are not validated.
    return { inputSchema: { type: 'object' }, unusable };
  }
  const { schema, words } = readTypes(input.schema, definition);
  if (!isObjectSchema(schema)) {
    const { what, instead } = isSchemaObject(schema) ? ofAnotherType : notAnObject;
    throw schemaError(where, what, instead);
  }
  const inputSchema = freezeDeep(structuredClone(schema));
  if (input.kind === 'json_schema')
    return { inputSchema, ...(words.length === 0 ? {} : { typeWords: freezeDeep([...words]) }) };
  const validation = schemaValidation(input.validate, input.derivedBy);
  return { inputSchema, validation, check: validation.check };
}

/** Only a foreign schema may have types of another language: its author can't be asked. */
const readTypes = (
  schema: object,
  { binding, onUnusableSchema = binding?.kind === 'remote' ? 'warn' : 'refuse' }: SchemaDefinition,
): { readonly schema: object; readonly words: readonly TypeWord[] } =>
  onUnusableSchema === 'warn' && isSchemaObject(schema)
    ? withJsonTypes(schema)
    : { schema, words: [] };

export const schemaError = (where: string, what: string, instead: string): DefinitionError =>
  definitionError(where, `has an input schema that ${what}`, instead);

const isObjectSchema = (schema: unknown): schema is SchemaObject =>
  isSchemaObject(schema) && (schema.type === undefined || [schema.type].flat().includes('object'));

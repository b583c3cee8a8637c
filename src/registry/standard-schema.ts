import { type OptionKinds, callback, checkOptions } from '../options/check-options.ts';
import { definitionError, DefinitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import type { Interpretation, Rejected } from '../interpret/interpretation.ts';
import { defined, isContainer } from '../collections/objects.ts';
import { pointerKeys } from '../json/pointers.ts';
import { type JsonObject } from '../json/value.ts';
import { describeTool } from '../messages/describe-tool.ts';
import { type Issue, isAboutMeta, isInternalError } from '../messages/issue.ts';
import { issueText, rejectionParts } from '../messages/rejection-message.ts';
import type { SchemaChange } from '../providers/provider-rules.ts';
import {
  type ProviderName,
  argumentMapping,
  providers,
  providerKind,
} from '../providers/providers.ts';
import { transformTool } from '../providers/transform-tool.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { notify } from '../telemetry/tool-event.ts';
import { type Constructor, type ToolContract, isContract } from '../tool/tool-contract.ts';
import { validatorOf, viewsOf } from '../validate/validator.ts';
import { interpretChecked } from './interpret-call.ts';
import { contractOf } from './register.ts';
import { applyDefaults } from '../run/apply-defaults.ts';

// Types of https://standardschema.dev, written out here to avoid a dependency.

/** The fields of a `@Tool` class without its methods; any JSON object for a contract. */
export type ArgumentsOf<Tool> =
  Tool extends Constructor<infer Instance>
    ? {
        [
          Key in keyof Instance as Instance[Key] extends (...parameters: never[]) => unknown
            ? never
            : Key
        ]: Instance[Key];
      }
    : JsonObject;

/** A Standard Schema and Standard JSON Schema of a tool's arguments; frozen. */
export interface ToolSchema<Arguments extends object = JsonObject> {
  readonly name: string;
  /** The description for models. */
  readonly description: string;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'toolmend';
    /** For type inference; absent at run time. */
    readonly types?: { readonly input: Arguments; readonly output: Arguments };
    /** Synchronous. Repairs as every call of the tool is repaired, in a copy. */
    readonly validate: (value: unknown) => ValidatedArguments<Arguments>;
    readonly jsonSchema: {
      /**
       * The schema for the model, as a new object. Targets: `draft-2020-12`, `draft-07`; throws a
       * ToolmendError for others.
       */
      readonly input: (options: SchemaTarget) => Record<string, unknown>;
      /** The schema of the values that `validate` returns. Throws as `input` does. */
      readonly output: (options: SchemaTarget) => Record<string, unknown>;
    };
  };
}

export interface SchemaTarget {
  readonly target: string;
}

export type ValidatedArguments<Arguments extends object> =
  | { readonly value: Arguments; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One issue. The last one of a list has no path and states what to send instead. */
export interface SchemaIssue {
  readonly message: string;
  /** Array indexes are numbers. */
  readonly path?: readonly (string | number)[];
}

/** In a list of issues, without the advice at its end. */
const maxIssues = 8;

/** What Standard Schema calls issues. `sentValue` shows which path segments are array indexes. */
function schemaIssues(
  contract: ToolContract,
  rejection: Rejected,
  sentValue: unknown,
  provider: ProviderName,
): readonly SchemaIssue[] {
  if (isInternalError(rejection.issues)) return [{ message: rejection.message, path: [] }];
  const mapping = argumentMapping(contract, provider);
  const { issues, advice } = rejectionParts(validatorOf(contract), rejection, { mapping });
  return [
    ...issues
      .slice(0, maxIssues)
      .map((issue) => ({ message: issueText(issue), path: pathOf(issue, sentValue) })),
    { message: advice },
  ];
}

function pathOf(issue: Issue, sentValue: unknown): readonly (string | number)[] {
  const { path, key } = issue;
  const keys = pointerKeys(path);
  const pathKeys = key === undefined || isAboutMeta(issue) ? keys : [...keys, key];
  let valueHere: unknown = sentValue;
  return pathKeys.map((name) => {
    const isIndex = Array.isArray(valueHere) && /^\d+$/.test(name);
    // Doesn't run getters.
    valueHere = isContainer(valueHere)
      ? Object.getOwnPropertyDescriptor(valueHere, name)?.value
      : undefined;
    return isIndex ? Number(name) : name;
  });
}

type InterpretationListener = (interpretation: Interpretation) => unknown;

/** Throws a DefinitionError for a schema that can't be compiled. */
function argumentValidator(
  contract: ToolContract,
  provider: ProviderName,
  onInterpretation: InterpretationListener,
): (value: unknown) => ValidatedArguments<JsonObject> {
  validatorOf(contract);
  return (value) => {
    // A string is a value of the wrong type here, not argument text.
    const sentValue = typeof value === 'string' ? JSON.stringify(value) : value;
    const interpretation = interpretChecked(contract, { arguments: sentValue }, { provider });
    onInterpretation(interpretation);
    if (interpretation.status === 'rejected')
      return { issues: schemaIssues(contract, interpretation, value, provider) };
    const { validation } = contract;
    if (validation === undefined)
      return { value: applyDefaults(viewsOf(contract), interpretation.value) };
    const result = validation.take(interpretation.value);
    if (result instanceof Promise) {
      const what = 'was given a schema whose validation returned a promise';
      const instead =
        'validate synchronously, or execute the call with ToolRegistry.call, which waits for it';
      throw definitionError(`standardSchema of ${contract.name}`, what, instead);
    }
    // Invalid values were rejected above. The output of a schema of arguments is an object.
    return { value: result.kind === 'valid' ? Object(result.value) : interpretation.value };
  };
}

/**
 * The schema in the draft that a host asks for. A mutable copy, because some hosts write to it. Throws
 * a ToolmendError for an unknown draft.
 */
function targetSchema(target: string, schema: SchemaObject): Record<string, unknown> {
  if (target === 'draft-2020-12') return structuredClone({ ...schema });
  if (target === 'draft-07') return structuredClone({ ...toDraft7(schema) });
  const message = `There is no JSON Schema for ${JSON.stringify(target)}: ask for draft-2020-12 or draft-07.`;
  throw new ToolmendError('schema-target', message);
}

/** https://json-schema.org/draft/2020-12/release-notes; `$defs` stays: `$ref` finds it there. */
function toDraft7(schema: SchemaObject): SchemaObject {
  const { prefixItems, items, dependentRequired, dependentSchemas, ...rest } = mapSubschemas(
    schema,
    toDraft7,
  );
  const dependencies = { ...dependentRequired, ...dependentSchemas };
  const draft7Keywords: object = defined({
    items: prefixItems ?? items,
    additionalItems: prefixItems === undefined ? undefined : items,
    dependencies: Object.keys(dependencies).length === 0 ? undefined : dependencies,
  });
  return { ...rest, ...draft7Keywords };
}

/**
 * The input schema in the form of a provider. Throws a DefinitionError if the provider's strict mode
 * can't express the tool.
 */
export function providerSchema(contract: ToolContract, provider: ProviderName): SchemaObject {
  const { rules } = providers[provider];
  const { schema, words: descriptionLines, changes } = transformTool(contract, rules);
  // Hosts get only the schema, and would offer the tool as strict.
  const reasons = changes.filter(({ kind }) => kind === 'not-strict');
  if (reasons.length > 0)
    throw new DefinitionError(reasons.map((reason) => notStrict(contract, reason)));
  return descriptionLines.length === 0
    ? schema
    : { ...schema, description: descriptionLines.join('\n') };
}

const notStrict = ({ name }: ToolContract, { what, pointer }: SchemaChange) => ({
  where: `standardSchema of ${name}`,
  what: `${what}${pointer === '' ? '' : ` at ${pointer}`}, which strict mode can't express`,
  instead: 'change the schema, or ask for a provider without strict mode',
});

/** The options of `standardSchema`. */
export interface StandardSchemaOptions {
  /**
   * The provider whose form the JSON Schema has; arguments are read in the same form. Default:
   * `neutral`.
   */
  readonly provider?: ProviderName;
  /**
   * Receives the interpretation of each validated call: repairs, notes, meta arguments, message.
   * Its exceptions are ignored.
   */
  readonly onInterpretation?: InterpretationListener;
}

const standardSchemaKinds: OptionKinds<StandardSchemaOptions> = {
  provider: providerKind,
  onInterpretation: callback('write a function that takes an interpretation'),
};

/**
 * A tool's arguments as a Standard Schema. `validate` is synchronous, repairs, and returns a copy
 * of the arguments with defaults for absent properties. Throws a DefinitionError for a class that
 * is not a tool or has its tools on methods, for a schema that can't be compiled, and for an
 * unknown provider.
 */
export function standardSchema<Tool extends Constructor | ToolContract>(
  tool: Tool,
  options?: StandardSchemaOptions,
): ToolSchema<ArgumentsOf<Tool>>;
export function standardSchema(
  tool: Constructor | ToolContract,
  options: StandardSchemaOptions = {},
): ToolSchema {
  checkOptions('standardSchema', options, standardSchemaKinds);
  const { provider = 'neutral', onInterpretation } = options;
  const contract = typeof tool === 'function' ? contractOf(tool) : tool;
  const instead = 'pass a @Tool class, or what defineTool or contractOf returned';
  if (!isContract(contract)) throw definitionError('standardSchema', 'was given no tool', instead);
  const shownSchema = providerSchema(contract, provider);
  const ownSchema = provider === 'neutral' ? shownSchema : providerSchema(contract, 'neutral');
  return Object.freeze({
    name: contract.name,
    description: describeTool(contract),
    '~standard': Object.freeze({
      version: 1,
      vendor: 'toolmend',
      validate: argumentValidator(contract, provider, (interpretation) =>
        notify(() => onInterpretation?.(interpretation)),
      ),
      jsonSchema: Object.freeze({
        input: ({ target }: SchemaTarget) => targetSchema(target, shownSchema),
        output: ({ target }: SchemaTarget) => targetSchema(target, ownSchema),
      }),
    }),
  } satisfies ToolSchema);
}

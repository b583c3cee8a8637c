import { readOutputSchema } from '../classes/from-class.ts';
import { type OptionKinds, any, callback, required } from '../errors/check-options.ts';
import { DefinitionError, collectProblems, definitionProblems } from '../errors/definition-error.ts';
import type { ToolContext } from '../execute/tool-context.ts';
import type { JsonObject } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import {
  type ApplicationContext,
  type CreateValidator,
  type ExecutionOptions,
  type Effects,
  type OnUnusableSchema,
  type RepairLevel,
  type StrictOptions,
  type ToolContract,
  validatorKind,
} from '../tool/tool-contract.ts';
import { checkToolOptions, readToolMetadata, toolKinds } from '../tool/tool-options.ts';

/**
 * `Values` is what the author says the schema accepts, `Meta` the meta arguments; the schemas are validated against, not the
 * types.
 */
export interface ToolDefinition<
  Values extends object = JsonObject,
  Meta extends object = ToolContext['meta'],
> extends ExecutionOptions<Values> {
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** JSON Schema, draft-07 or 2020-12, of an object. Copied; never written to. */
  readonly inputSchema: SchemaObject;
  readonly effects?: Effects;
  /** Default: `lossless` for a destructive tool, else `all`. */
  readonly repair?: RepairLevel;
  /** Default `refuse`: undeclared keys are as the schema says. */
  readonly unknownArguments?: 'reject' | 'strip';
  /** Default: paths by tag and by name, and misspelt keys, are failures. */
  readonly strict?: Partial<StrictOptions>;
  /** Sentences for the model, after the description. */
  readonly hints?: readonly string[];
  /** Whether `ToolRegistry.select` takes the tool for this context. Default: it does. */
  readonly enabled?: (values: ApplicationContext) => boolean;
  /** Selections don't show the tool from the start; models find it by a search tool. Default: it is shown. */
  readonly deferred?: boolean;
  /** Milliseconds a call may take. Default: the registry's. */
  readonly timeoutMs?: number;
  /** What validates against the schema. Default: the registry's, and without it Ajv. */
  readonly validator?: CreateValidator;
  /**
   * What becomes of a schema that can't be compiled or refers outside itself: an error when the tool is registered, or
   * calls that are passed on unvalidated, with one warning. Default: `refuse`.
   */
  readonly onUnusableSchema?: OnUnusableSchema;
  /**
   * Gets a copy of the accepted arguments, with the defaults of absent properties; returns the result.
   * The model reads of an exception only if it is a `ToolRetry` or a `ToolFailure`.
   */
  execute(values: Values, context: ToolContext<Meta>): unknown;
}

const definitionKinds: OptionKinds<ToolDefinition> = {
  name: required(toolKinds.name),
  description: toolKinds.description,
  inputSchema: any,
  effects: toolKinds.effects,
  repair: toolKinds.repair,
  unknownArguments: toolKinds.unknownArguments,
  strict: toolKinds.strict,
  hints: toolKinds.hints,
  enabled: toolKinds.enabled,
  deferred: toolKinds.deferred,
  timeoutMs: toolKinds.timeoutMs,
  concurrency: toolKinds.concurrency,
  callLimit: toolKinds.callLimit,
  retryLimit: toolKinds.retryLimit,
  returnDirect: toolKinds.returnDirect,
  outputSchema: toolKinds.outputSchema,
  validator: validatorKind,
  onUnusableSchema: toolKinds.onUnusableSchema,
  execute: required(callback('write execute(values, context) { … }')),
};

/**
 * Makes a tool of a JSON Schema and a function: a frozen contract for `register`. Throws a DefinitionError with every problem
 * of the definition. The schema is compiled when the tool is registered or, without a registry, first called, which throws a
 * DefinitionError for a schema that can't be compiled.
 */
export function defineTool<Values extends object = JsonObject, Meta extends object = ToolContext['meta']>(
  definition: ToolDefinition<Values, Meta>,
): ToolContract;
export function defineTool(definition: ToolDefinition): ToolContract {
  const given: ToolDefinition = Object(definition);
  const problems = definitionProblems();
  const report = problems.at(typeof given.name === 'string' ? given.name : 'defineTool');
  checkToolOptions(definition, report, definitionKinds);
  const areSound = problems.problems.length === 0;
  const output = readOutputSchema(given.outputSchema, report, problems);
  const metadata = readToolMetadata(given, 'tool', output, report);
  const all = [...problems.problems];
  const contract = collectProblems(
    () =>
      contractFromSchema({
        ...metadata,
        inputSchema: given.inputSchema,
        ...(areSound ? otherOptions(given) : {}),
        binding: Object.freeze({
          kind: 'function',
          execute: (values: JsonObject, context: ToolContext) => given.execute(values, context),
        }),
      }),
    all,
  );
  if (contract === undefined || all.length > 0) throw new DefinitionError(all);
  return contract;
}

const otherOptions = ({ validator, onUnusableSchema, strict = {}, hints = [] }: ToolDefinition) => ({
  strict,
  hints,
  ...(validator === undefined ? {} : { validator }),
  ...(onUnusableSchema === undefined ? {} : { onUnusableSchema }),
});

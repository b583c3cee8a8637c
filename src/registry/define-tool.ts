import { readOutputSchema } from '../classes/from-class.ts';
import {
  DefinitionError,
  collectProblems,
  definitionProblems,
  functionKind,
  listKind,
  objectKind,
  optionProblems,
} from '../errors/definition-error.ts';
import type { ToolContext } from '../execute/tool-context.ts';
import type { JsonObject } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type {
  ApplicationContext,
  DeclaredExecution,
  Effects,
  OnUnusableSchema,
  RepairLevel,
  CreateValidator,
  StrictReadings,
  ToolContract,
} from '../tool/tool-contract.ts';
import { readToolFacts } from '../tool/tool-metadata.ts';

/**
 * `Values` is what the author says the schema accepts, `Meta` the meta arguments; the schemas are validated against, not the
 * types.
 */
export interface ToolDefinition<
  Values extends object = JsonObject,
  Meta extends object = ToolContext['meta'],
> extends DeclaredExecution<Values> {
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
  readonly strict?: Partial<StrictReadings>;
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

// From a JSON Schema and a function.
/**
 * A frozen contract for `register`. Throws a DefinitionError with every problem about the definition. The schema is
 * compiled later, when the tool is registered or, without a registry, first called: what can't be compiled is told there.
 */
export function defineTool<Values extends object = JsonObject, Meta extends object = ToolContext['meta']>(
  definition: ToolDefinition<Values, Meta>,
): ToolContract;
export function defineTool(definition: ToolDefinition): ToolContract {
  const book = definitionProblems();
  const report = book.at(definition.name);
  const output = readOutputSchema(definition.outputSchema, report, book);
  const facts = readToolFacts(definition, definition.name, output, report);
  if (typeof definition.execute !== 'function') {
    book.at(definition.name)('has no execute', 'write execute(values, context) { … }');
  }
  const misfits = optionProblems(definition.name, definition, optionKinds);
  const problems = [...book.problems, ...misfits];
  // What is made of the options would break on one of another kind.
  if (misfits.length > 0) throw new DefinitionError(problems);
  const { inputSchema, validator, onUnusableSchema, strict = {}, hints = [] } = definition;
  const binding = Object.freeze({
    kind: 'function' as const,
    execute: (values: JsonObject, context: ToolContext) => definition.execute(values, context),
  });
  const contract = collectProblems(
    () =>
      contractFromSchema({
        ...facts,
        inputSchema,
        strict,
        hints,
        binding,
        ...(validator === undefined ? {} : { validator }),
        ...(onUnusableSchema === undefined ? {} : { onUnusableSchema }),
      }),
    problems,
  );
  if (contract === undefined || problems.length > 0) throw new DefinitionError(problems);
  return contract;
}

const optionKinds = {
  hints: listKind((hint) => typeof hint === 'string', 'write a list of sentences'),
  strict: objectKind('write an object of paths and spellings'),
  validator: functionKind(
    'write a function that makes a validator of a schema, as interpretingValidator is one',
  ),
};

import { readOutputSchema } from '../classes/from-class.ts';
import { type OptionKinds, alsoCalled, any, callback, required } from '../options/check-options.ts';
import {
  DefinitionError,
  collectProblems,
  definitionProblems,
} from '../errors/definition-error.ts';
import type { ToolContext } from '../run/tool-context.ts';
import { defined } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import type {
  Contradicts,
  FromSchema,
  ObjectSchema,
  SchemaOfObject,
} from '../schema/from-schema-type.ts';
import type { ObjectOutputOf, OutputOf, StandardSchema } from '../schema/input-schema.ts';
import { contractFromSchema, type SchemaOptions } from '../tool/from-schema.ts';
import { type ExecutionOptions, type ToolContract, validatorKind } from '../tool/tool-contract.ts';
import { checkToolOptions, readToolMetadata, toolKinds } from '../tool/tool-options.ts';

/**
 * `Values` is the type of the accepted arguments, `Meta` of the meta arguments, `Result` of what
 * `execute` returns. They are not checked against the schemas.
 */
export interface ToolDefinition<
  Values extends object = JsonObject,
  Meta extends object = ToolContext['meta'],
  Result = unknown,
>
  extends SchemaOptions, ExecutionOptions<Values> {
  /** The name for the model, in snake case. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /**
   * Receives a copy of the accepted arguments with defaults for absent properties, and returns the
   * result. The model reads the text of an exception only if it is a `ToolRetry` or a
   * `ToolFailure`.
   */
  execute(values: Values, context: ToolContext<Meta>): Result;
}

declare const returnType: unique symbol;

/** A contract that `defineTool` made. `Result`: what its `execute` returns. */
export type DefinedTool<Result = unknown> = ToolContract & { readonly [returnType]?: Result };

/** A definition by a Standard Schema: `execute` gets the schema's output. */
type ValidatingDefinition<Schema extends StandardSchema, Meta extends object, Result> = Omit<
  ToolDefinition<ObjectOutputOf<Schema>, Meta, Result>,
  'inputSchema'
> & { readonly inputSchema: Schema & SchemaOfObject<Schema> };

/** A definition by a literal JSON Schema: `execute` gets values of its type. */
type LiteralDefinition<Schema extends ObjectSchema, Meta extends object, Result> = Omit<
  ToolDefinition<Extract<FromSchema<Schema>, object>, Meta, Result>,
  'inputSchema'
> & { readonly inputSchema: Schema };

/**
 * A definition whose `execute` states the type of the values. What the schema's type says of them
 * must not contradict it.
 */
type UncheckedDefinition<Values extends object, Meta extends object, Result, Schema> = Omit<
  ToolDefinition<Values, Meta, Result>,
  'inputSchema'
> & {
  readonly inputSchema: Schema &
    SchemaOfObject<Schema> &
    (Contradicts<ValuesOfSchema<Schema>, Values> extends true ? never : unknown);
};

type ValuesOfSchema<Schema> = Schema extends StandardSchema
  ? OutputOf<Schema>
  : Schema extends ObjectSchema
    ? FromSchema<Schema>
    : unknown;

const {
  groups: _groups,
  transform: _transform,
  onUnusableSchema: lastOption,
  ...sharedOptions
} = toolKinds;

const definitionKinds: OptionKinds<ToolDefinition> = {
  ...sharedOptions,
  name: required(toolKinds.name),
  inputSchema: alsoCalled(any, 'args', 'arguments', 'argsSchema', 'input', 'parameters', 'schema'),
  toJsonSchema: callback('write toJsonSchema: (schema) => …'),
  validator: validatorKind,
  onUnusableSchema: lastOption,
  execute: alsoCalled(
    required(callback('write execute(values, context) { … }')),
    'callback',
    'func',
    'function',
    'handler',
    'invoke',
    'run',
  ),
};

/**
 * Makes a tool of a JSON Schema and a function: a frozen contract for `register`. Throws a
 * DefinitionError with every problem of the definition. The schema is compiled when the tool is
 * registered or, without a registry, first called, which throws a DefinitionError for a schema that
 * can't be compiled.
 */
export function defineTool<
  Schema extends StandardSchema,
  Meta extends object = ToolContract['meta'],
  Result = unknown,
>(definition: ValidatingDefinition<Schema, Meta, Result>): DefinedTool<Result>;
export function defineTool<
  const Schema extends ObjectSchema,
  Meta extends object = ToolContract['meta'],
  Result = unknown,
>(definition: LiteralDefinition<Schema, Meta, Result>): DefinedTool<Result>;
export function defineTool<
  Values extends object = JsonObject,
  Meta extends object = ToolContext['meta'],
  Result = unknown,
  const Schema extends object = object,
>(definition: UncheckedDefinition<Values, Meta, Result, Schema>): DefinedTool<Result>;
export function defineTool(definition: ToolDefinition): ToolContract {
  const toolDefinition: ToolDefinition = Object(definition);
  const problems = definitionProblems();
  const report = problems.at(
    typeof toolDefinition.name === 'string' ? toolDefinition.name : 'defineTool',
  );
  checkToolOptions(definition, report, definitionKinds);
  const areSound = problems.problems.length === 0;
  const output = readOutputSchema(toolDefinition.outputSchema, report, problems);
  const metadata = readToolMetadata(toolDefinition, 'tool', output, report);
  const all = [...problems.problems];
  const contract = collectProblems(
    () =>
      contractFromSchema({
        ...metadata,
        inputSchema: toolDefinition.inputSchema,
        ...defined({ toJsonSchema: areSound ? toolDefinition.toJsonSchema : undefined }),
        ...(areSound ? otherOptions(toolDefinition) : {}),
      }),
    all,
  );
  if (contract === undefined || all.length > 0) throw new DefinitionError(all);
  return contract;
}

function otherOptions(definition: ToolDefinition) {
  const { validator, onUnusableSchema, strict = {}, hints = [] } = definition;
  return {
    strict,
    hints,
    binding: Object.freeze({
      kind: 'function',
      execute: definition.execute.bind(definition),
    } as const),
    ...defined({ validator, onUnusableSchema }),
  };
}

import { DefinitionError, unknownOptions } from '../errors/definition-error.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { type TellWarning, tellWarnings } from '../telemetry/tool-event.ts';
import { type SchemaDefinition, contractFromSchema } from '../tool/from-schema.ts';
import { standardMetaArguments } from '../tool/meta-schema.ts';
import type { OnUnusableSchema, ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { type InterpretOptions, interpret } from './interpret.ts';
import type { Interpretation } from './interpretation.ts';

/** `text`: the argument text as it came. `value`: what a provider has parsed. */
export type ArgumentInput = { readonly text: string } | { readonly value: unknown };

export interface ArgumentOptions extends InterpretOptions {
  /** Switches the standard meta arguments on. Default: off. */
  readonly meta?: boolean;
  /** What the provider said about the end; absent: unknown. */
  readonly finishReason?: string;
  /** What becomes of a schema that can't be compiled or refers outside itself. Default: `warn`. */
  readonly onUnusableSchema?: OnUnusableSchema;
  /** Told once of each schema that can't be used in full. Default: the process's warnings, of unusable ones. */
  readonly warn?: TellWarning;
  /** What validates against the schema. Default: Ajv, which makes code from it. */
  readonly validator?: NonNullable<SchemaDefinition['validator']>;
  /** The tool's name in messages, and what else is known of it. Default name: `tool`. */
  readonly tool?: string | ToolFacts;
}

/** What may be known of a tool beside its arguments. */
type ToolFacts = Partial<
  Omit<SchemaDefinition, 'inputSchema' | 'meta' | 'validator' | 'onUnusableSchema' | 'execution'>
>;

/**
 * Interprets one call's arguments by a bare JSON Schema. A schema object is read once: change a copy,
 * not the object. Throws a DefinitionError for a schema that is no object schema, with `onUnusableSchema: 'refuse'` for one
 * that nobody can validate against, and, when a schema is first read, for an option that there is not.
 */
export function interpretArguments(
  schema: SchemaObject,
  input: ArgumentInput,
  options: ArgumentOptions = {},
): Interpretation {
  if (typeof input !== 'object' || input === null) throw notAnInput();
  const { finishReason } = options;
  const call: Parameters<typeof interpret>[1] = {
    arguments: 'text' in input ? input.text : unwrapText(input.value),
    ...(finishReason === undefined ? {} : { finishReason }),
  };
  return interpret(contractFor(schema, options), call, options);
}

const notAnInput = (): DefinitionError =>
  new DefinitionError([
    {
      where: 'interpretArguments',
      what: 'was given no input',
      instead: 'pass { text } for argument text as it came, or { value } for what a provider has parsed',
    },
  ]);

// A value that is text is not argument text: it is a root of the wrong type.
const unwrapText = (value: unknown): unknown => (typeof value === 'string' ? JSON.stringify(value) : value);

const contracts = new WeakMap<SchemaObject, Map<string, ToolContract>>();

const argumentOptions: Readonly<Record<keyof ArgumentOptions, true>> = {
  meta: true,
  finishReason: true,
  onUnusableSchema: true,
  warn: true,
  validator: true,
  tool: true,
  output: true,
  failedBefore: true,
  failureLimit: true,
  provider: true,
  shownName: true,
};

function contractFor(schema: SchemaObject, options: ArgumentOptions): ToolContract {
  const { meta, tool, validator, onUnusableSchema = 'warn' } = options;
  // What is known beside the name may differ from call to call; then nothing is kept.
  if (typeof tool === 'object') return contractOfFacts(schema, tool, options);
  const question = `${meta === true} ${onUnusableSchema} ${tool ?? ''}`;
  const known = contracts.get(schema) ?? new Map<string, ToolContract>();
  const kept = known.get(question);
  if (kept !== undefined && kept.validator === validator) return kept;
  const contract = contractOfFacts(schema, tool === undefined ? {} : { name: tool }, options);
  // Only now it is known to be an object.
  contracts.set(schema, known.set(question, contract));
  return contract;
}

const warned = new WeakSet<SchemaObject>();

function contractOfFacts(
  inputSchema: SchemaObject,
  facts: ToolFacts,
  options: ArgumentOptions,
): ToolContract {
  const unknown = unknownOptions('interpretArguments', options, argumentOptions);
  if (unknown.length > 0) throw new DefinitionError(unknown);
  const { meta, validator, warn, onUnusableSchema = 'warn' } = options;
  const contract = contractFromSchema({
    ...facts,
    inputSchema,
    meta: meta === true ? standardMetaArguments : [],
    onUnusableSchema,
    ...(validator === undefined ? {} : { validator }),
  });
  if (!warned.has(inputSchema)) {
    warned.add(inputSchema);
    tellWarnings(validatorOf(contract).warnings, warn === undefined ? [] : [warn]);
  }
  return contract;
}

import {
  type OptionKinds,
  alsoCalled,
  any,
  callback,
  checkOptions,
  either,
  object,
  string,
} from '../options/check-options.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import type { ArgumentMapping } from '../providers/restore-arguments.ts';
import { defined, isContainer } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import type { FromSchema, ObjectSchema } from '../schema/from-schema-type.ts';
import type { OutputOf, StandardSchema, Validated } from '../schema/input-schema.ts';
import type { ToJsonSchema } from '../schema/schema-libraries.ts';
import { type WarningListener, emitWarnings, notify } from '../telemetry/tool-event.ts';
import { contractKinds, onUnusableSchemaKind } from '../tool/contract-options.ts';
import { type SchemaDefinition, contractFromSchema } from '../tool/from-schema.ts';
import type { SchemaValidation } from '../tool/schema-validation.ts';
import { type OnUnusableSchema, type ToolContract, validatorKind } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import {
  type InterpretationSettings,
  type TakeArguments,
  interpretSentCall,
  settingKinds,
} from './interpret.ts';
import { type Interpretation, rejectChecks } from './interpretation.ts';
import type { SentArguments } from './tool-call.ts';

/**
 * `text`: the argument text as it was sent. `value`: a value that a provider has parsed. Or a call,
 * as `ToolCallCollector` and `readCalls` return it, with its `arguments` and finish reason.
 */
export type ArgumentInput =
  | { readonly text: string; readonly value?: never }
  | { readonly value: unknown; readonly text?: never }
  | SentArguments;

/** The options of `interpretArguments` of `toolmend/repair`. */
export interface RepairOptions extends InterpretationSettings {
  /**
   * The reason that the provider gave for the end of the answer: `tool_calls`, `length`. Default,
   * and null: unknown.
   */
  readonly finishReason?: string | null;
  /** For a schema that can't be compiled or refers to nothing in it. Default: `warn`. */
  readonly onUnusableSchema?: OnUnusableSchema;
  /**
   * Receives each interpretation: repairs, issues, message. What it throws or rejects with is
   * ignored. Default: none.
   */
  readonly onInterpretation?: (interpretation: Interpretation<unknown>) => unknown;
  /**
   * Called once for each schema that can't be used in full. Default: a process warning for an
   * unusable schema and for a misspelt keyword.
   */
  readonly warn?: WarningListener;
  /**
   * Writes the JSON Schema of a Standard Schema. Default: the converter in the schema itself,
   * otherwise that of the schema's library, if installed.
   */
  readonly toJsonSchema?: ToJsonSchema;
  /**
   * Makes the schema's validator. Default: toolmend's own, which generates no code.
   */
  readonly validator?: NonNullable<SchemaDefinition['validator']>;
  /**
   * The tool's name in messages, or an object with `name`, `description`, `effects`, `repair`,
   * `unknownArguments`, `strict`, `hints` and others of `ToolDefinition`. Default name: `tool`.
   */
  readonly tool?: string | KnownTool;
}

/** Further properties of the tool, beside its schema. */
type KnownTool = Partial<
  Omit<
    SchemaDefinition,
    'inputSchema' | 'toJsonSchema' | 'validator' | 'onUnusableSchema' | 'execution'
  >
>;

const knownToolKinds: OptionKinds<KnownTool> = {
  ...contractKinds,
  description: string,
  binding: any,
};

export const repairOptionKinds: OptionKinds<RepairOptions> = {
  ...settingKinds,
  // Some providers send null while a stream goes on.
  finishReason: {
    accepts: (reason) => reason === null || string.accepts(reason),
    instead: string.instead,
  },
  onUnusableSchema: onUnusableSchemaKind,
  onInterpretation: callback('write a function that takes an interpretation'),
  warn: callback('write a function that takes a warning'),
  toJsonSchema: callback('write a function that returns the JSON Schema of a schema'),
  validator: validatorKind,
  tool: alsoCalled(
    either("write the tool's name, or { name, effects, … }", string, object(knownToolKinds)),
    'name',
    'toolName',
    'effects',
    'description',
  ),
};

/**
 * Interprets one call's arguments by a bare JSON Schema, or by a Standard Schema, whose output is
 * the value. Meta arguments and providers' forms are read by the function of this name in
 * `toolmend`. A schema object, and the object of the option `tool`, is compiled once and cached by
 * identity: to change it, pass a copy. Throws a
 * DefinitionError for an unknown or ill-valued option, for anything but the schema of an object,
 * for a Standard Schema that validates asynchronously, and, with `onUnusableSchema: 'refuse'`, for
 * a schema that can't be used for validation.
 */
export function interpretArguments<Schema extends StandardSchema>(
  schema: Schema,
  input: ArgumentInput,
  options?: RepairOptions,
): Interpretation<OutputOf<Schema>>;
export function interpretArguments<const Schema extends ObjectSchema>(
  schema: Schema,
  input: ArgumentInput,
  options?: RepairOptions,
): Interpretation<FromSchema<Schema>>;
export function interpretArguments<Value extends object = JsonObject>(
  schema: object,
  input: ArgumentInput,
  options?: RepairOptions,
): Interpretation<Value>;
export function interpretArguments(
  schema: object,
  input: ArgumentInput,
  options: RepairOptions = noOptions,
): Interpretation<unknown> {
  if (options !== noOptions) checkOptions('interpretArguments', options, repairOptionKinds);
  return interpretBySchema(schema, input, options);
}

/** What the entries of the package interpret differently. */
interface EntrySettings {
  /** Adds meta arguments. Default: none, as in `toolmend/repair`. */
  readonly withMeta?: ((contract: ToolContract) => ToolContract) | undefined;
  /** Takes out what is not the tool's. */
  readonly takeMeta?: TakeArguments;
  /** Between the provider's schema, which the model has, and the tool's own. */
  readonly mappingOf: (contract: ToolContract) => ArgumentMapping | undefined;
}

const repairEntry: EntrySettings = { mappingOf: () => undefined };

/** Takes options that were checked. */
export function interpretBySchema(
  schema: object,
  input: ArgumentInput,
  options: RepairOptions = noOptions,
  settings: EntrySettings = repairEntry,
): Interpretation<unknown> {
  const { contract, result } = interpretInput(schema, input, options, settings);
  const { validation } = contract;
  const interpretation =
    validation === undefined ? result : validatedResult(contract, validation, result);
  const { onInterpretation } = options;
  if (onInterpretation !== undefined) notify(() => onInterpretation(interpretation));
  return interpretation;
}

function interpretInput(
  schema: object,
  input: ArgumentInput,
  options: RepairOptions,
  entry: EntrySettings,
): BareInterpretation {
  requireInput(input);
  const finishReason =
    options.finishReason ?? ('arguments' in input ? input.finishReason : undefined) ?? undefined;
  const sentArguments = sentIn(input);
  const call =
    finishReason === undefined
      ? { arguments: sentArguments }
      : { arguments: sentArguments, finishReason };
  const contract = contractFor(schema, options, entry);
  const surroundings = { mapping: entry.mappingOf(contract), takeMeta: entry.takeMeta };
  const interpretBy = (judgingContract: ToolContract): Interpretation =>
    interpretSentCall(judgingContract, call, options, surroundings);
  return { contract, result: interpretBy(contract), interpretBy };
}

interface BareInterpretation {
  readonly contract: ToolContract;
  readonly result: Interpretation;
  /** Interprets the same input by another contract. */
  readonly interpretBy: (contract: ToolContract) => Interpretation;
}

/** The result with the output of the schema's own validation. */
function validatedResult(
  contract: ToolContract,
  validation: SchemaValidation,
  result: Interpretation,
): Interpretation<unknown> {
  if (result.status === 'rejected') return result;
  const validatedInput = validation.take(result.value);
  if (validatedInput instanceof Promise) throw isAsynchronous();
  const { text = JSON.stringify(result.value) } = result;
  return validatedInput.kind === 'invalid'
    ? rejectChecks(validatorOf(contract), result.meta, validatedInput.failures)
    : { ...result, value: validatedInput.value, text };
}

/** Arguments that stay JSON, for SDKs whose schemas make the values. */
export interface JsonInterpretation {
  /** Without the parts of the schema that validate asynchronously. */
  readonly now: Interpretation;
  /** With all of the schema. Never rejects. */
  readonly validated: Interpretation | Promise<Interpretation>;
}

/**
 * Takes options that were checked. `judge`: has the last word about the arguments, before the
 * schema's own validation.
 */
export function interpretAsJson(
  schema: object,
  input: ArgumentInput,
  options: RepairOptions,
  judge: (bare: BareInterpretation) => Interpretation = ({ result }) => result,
): JsonInterpretation {
  const bare = interpretInput(schema, input, options, repairEntry);
  const { contract } = bare;
  const result = judge(bare);
  if (result.status === 'rejected' || contract.validation === undefined)
    return { now: result, validated: result };
  const validated = contract.validation.take(result.value);
  const read = (end: Validated): Interpretation =>
    end.kind === 'valid' ? result : rejectChecks(validatorOf(contract), result.meta, end.failures);
  if (validated instanceof Promise) return { now: result, validated: validated.then(read) };
  const interpretation = read(validated);
  return { now: interpretation, validated: interpretation };
}

const isAsynchronous = (): DefinitionError =>
  definitionError(
    'interpretArguments',
    'was given a schema whose validation returned a promise',
    'pass its JSON Schema and validate the value afterwards, or use defineTool, whose calls wait for it',
  );

function requireInput(input: unknown): void {
  const inputMembers = isContainer(input) ? input : {};
  const forms = ['text', 'value', 'arguments'].filter((form) => form in inputMembers);
  if (forms.length === 1) return;
  const what = forms.length === 0 ? 'was given no input' : `was given ${forms.join(' and ')}`;
  const instead =
    forms.length > 0
      ? 'pass one'
      : 'pass { text } for argument text as it came, or { value } for what a provider has parsed';
  throw definitionError('interpretArguments', what, instead);
}

const noOptions: RepairOptions = Object.freeze({});

function sentIn(input: ArgumentInput): unknown {
  if ('arguments' in input) return input.arguments;
  return 'text' in input ? input.text : textOfString(input.value);
}

/** A string is a value of the wrong type here, not argument text. */
const textOfString = (value: unknown): unknown =>
  typeof value === 'string' ? JSON.stringify(value) : value;

/** The contract that was made of a schema last: nearly all calls need it again. */
interface LastContract {
  readonly withMeta: EntrySettings['withMeta'];
  readonly tool: RepairOptions['tool'];
  readonly onUnusableSchema: OnUnusableSchema | undefined;
  readonly contract: ToolContract;
}

const lastContracts = new WeakMap<object, LastContract>();

/** The contract of a bare schema, made once. Takes options that were checked. */
export const contractOfSchema = (schema: object, options: RepairOptions): ToolContract =>
  contractFor(schema, options, repairEntry);

function contractFor(schema: object, options: RepairOptions, entry: EntrySettings): ToolContract {
  const { tool, onUnusableSchema, validator } = options;
  const { withMeta } = entry;
  const last = lastContracts.get(schema);
  if (
    last !== undefined &&
    last.tool === tool &&
    last.withMeta === withMeta &&
    last.onUnusableSchema === onUnusableSchema &&
    last.contract.validator === validator
  )
    return last.contract;
  const contract = knownContract(schema, options, entry);
  lastContracts.set(schema, { withMeta, tool, onUnusableSchema, contract });
  return contract;
}

/** Contracts by the `tool` option, then by schema. */
const contracts = new WeakMap<object, WeakMap<object, Map<string, ToolContract>>>();
const unknownTool = {};

function knownContract(schema: object, options: RepairOptions, entry: EntrySettings): ToolContract {
  const { tool, validator, onUnusableSchema = 'warn' } = options;
  const [name, toolLike] = typeof tool === 'object' ? ['', tool] : [tool ?? '', unknownTool];
  const bySchema = contracts.get(toolLike) ?? new WeakMap<object, Map<string, ToolContract>>();
  const byOptions = bySchema.get(schema) ?? new Map<string, ToolContract>();
  const key = `${entry.withMeta !== undefined} ${onUnusableSchema} ${name}`;
  const cachedContract = byOptions.get(key);
  if (cachedContract !== undefined && cachedContract.validator === validator) return cachedContract;
  const contract = makeContract(schema, options, entry);
  // The schema is known to be an object by now.
  contracts.set(toolLike, bySchema.set(schema, byOptions.set(key, contract)));
  return contract;
}

const warnedSchemas = new WeakSet<object>();

function makeContract(
  inputSchema: object,
  options: RepairOptions,
  { withMeta }: EntrySettings,
): ToolContract {
  const { tool, toJsonSchema, warn, validator, onUnusableSchema = 'warn' } = options;
  const newContract = contractFromSchema({
    ...(typeof tool === 'string' ? { name: tool } : tool),
    inputSchema,
    onUnusableSchema,
    ...defined({ validator, toJsonSchema }),
  });
  const contract = withMeta === undefined ? newContract : withMeta(newContract);
  if (!warnedSchemas.has(inputSchema)) {
    warnedSchemas.add(inputSchema);
    emitWarnings(validatorOf(contract).warnings, warn === undefined ? [] : [warn]);
  }
  return contract;
}

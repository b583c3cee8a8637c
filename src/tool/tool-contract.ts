import { createHash } from 'node:crypto';
import { type OptionKind, callback } from '../errors/check-options.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';

/**
 * What may run beside a call. `parallel`: any other call. `exclusive`: none but the calls that it makes itself; earlier calls
 * of its tenant end first, and a call that is made inside another one runs beside what that one runs beside. `key`: none with
 * the same key, of any tool. It gets the arguments as plain values, with defaults, and the context values, and returns a
 * string, a number, an array of them (a lock each), any other JSON value, or undefined for no lock.
 */
export type Concurrency<Values extends object = object> =
  'parallel' | 'exclusive' | { key(values: Values, context: Readonly<Record<string, unknown>>): unknown };

/** The options of a tool for how it runs. */
export interface ExecutionOptions<Values extends object = object> {
  /** What may run beside a call. Default: `parallel`. */
  readonly concurrency?: Concurrency<Values>;
  /** Calls that one run of an agent may make of this tool. Default: the run's. */
  readonly callLimit?: number;
  /** Failures in a row after the first, in one run of an agent. Default: the run's. */
  readonly retryLimit?: number;
  /**
   * The object that the tool returns: JSON Schema, or a class that is decorated as arguments are. A model does not see a
   * result that doesn't match.
   */
  readonly outputSchema?: SchemaObject | Constructor;
  /** The result is meant for the user as it is; the model need not comment on it. Default: false. */
  readonly returnDirect?: boolean;
}

/** What `@Tool` and `@ToolMethod` take. `Values`: the arguments that a `concurrency` key is made of. */
export interface ToolOptions<Values extends object = object> extends ExecutionOptions<Values> {
  /** Default: the class's or method's name in snake case. */
  readonly name?: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /**
   * Decides which repairs may act. `destructive`: only those that keep every key and every value. `read`: also those that take the
   * only unknown key for the only missing one. `write`: all others. Default: as `write`.
   */
  readonly effects?: Effects;
  /** Milliseconds a call may take. Default: the registry's. */
  readonly timeoutMs?: number;
  /** Whether `ToolRegistry.select` includes the tool in this context. Default: it does. */
  readonly enabled?: (values: ApplicationContext) => boolean;
  /** Selections hide the tool until a model finds it with the search tool. Default: false. */
  readonly deferred?: boolean;
  /** `strip`: undeclared keys are removed and recorded, and a note tells the model. Default: `reject`. */
  readonly unknownArguments?: 'reject' | 'strip';
  /** Default: `lossless` for destructive tools, else `all`. */
  readonly repair?: RepairLevel;
}

/**
 * Makes the validator of one schema, which is JSON Schema 2020-12 whose references all lead into its own `$defs`. Throws if
 * it can't validate against the schema.
 */
export type CreateValidator = (root: SchemaObject) => Validator;

export const validatorKind: OptionKind = callback(
  "write a function that makes a validator of a schema, as interpretingValidator of 'toolmend/interpreting-validator'",
);

/** Validates values against one schema, and against parts of it. */
export interface Validator {
  /** `part`: another schema, whose references lead into the root. Default: the root. Called often with the same parts. */
  readonly accepts: (value: JsonValue, part?: JsonSchema) => boolean;
  /** Every failure of a value that `accepts` refuses, outermost first. A failing union is one failure. */
  readonly failures: (value: JsonValue, part?: JsonSchema) => readonly SchemaFailure[];
  /** Steps of all validations so far. Absent if no validation can take far longer than its value is long. */
  readonly stepsTaken?: () => number;
}

/** One failure of a value against a schema. */
export interface SchemaFailure {
  /** The keyword that failed; `false schema` if the schema is `false`. */
  readonly keyword: string;
  /** JSON Pointer of the value that fails. */
  readonly path: string;
  /** The missing or unknown key, if the failure is about one. */
  readonly key?: string;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
}

/** What a tool does to the world. It decides which repairs may act on its calls. */
export type Effects = 'read' | 'write' | 'destructive';

/** `all`: every rule acts. `lossless`: only the rules that keep every key and every value. */
export type RepairLevel = 'all' | 'lossless';

/**
 * A tool as everything else reads it: made once from a class or a JSON Schema, and deeply frozen. An absent member was not
 * given by the author.
 */
export interface ToolContract {
  readonly name: string;
  /** `name` is a word for messages; the tool's own name is unknown. */
  readonly isUnnamed?: true;
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /** Sentences for the model, after the description. */
  readonly hints: readonly string[];
  /** JSON Schema 2020-12 of the arguments, an object; without meta arguments, with our annotations in `x-toolmend`. */
  readonly inputSchema: SchemaObject;
  readonly effects?: Effects;
  readonly repair: RepairLevel;
  readonly unknownArguments: NonNullable<ToolOptions['unknownArguments']>;
  readonly strict: StrictOptions;
  readonly meta: readonly MetaArgument[];
  /** Fields that the application sets on the instance: not in the schema, and taken out if a model sends them. */
  readonly contextFields: readonly string[];
  /** Checks that JSON Schema has no keyword for: class-validator's own and `@Check` methods. */
  readonly check?: ArgumentCheck;
  /** The author's sentences for arguments that the schema refuses: class-validator's `message`. */
  readonly sentences?: ArgumentCheck;
  /** Default: `refuse`. */
  readonly onUnusableSchema?: OnUnusableSchema;
  /** Why the author's schema can't be used, as a clause; `inputSchema` accepts any object then. */
  readonly unusable?: string;
  /** Default: Ajv. */
  readonly validator?: CreateValidator;
  readonly binding: ToolBinding;
  readonly timeoutMs?: number;
  readonly enabled?: NonNullable<ToolOptions['enabled']>;
  readonly deferred?: true;
  readonly execution?: ExecutionMetadata;
}

/** The author's options for how a tool runs, with its output schema in two forms. */
export interface ExecutionMetadata extends Omit<ExecutionOptions, 'outputSchema'> {
  /** Without our annotations. */
  readonly outputSchema?: SchemaObject;
  readonly annotatedOutputSchema?: SchemaObject;
  /** Checks of the result that JSON Schema has no keyword for. */
  readonly outputCheck?: ArgumentCheck;
}

/**
 * For a schema that can't be compiled or refers outside itself. `refuse`: a DefinitionError. `warn`: calls are decoded strictly and
 * passed on without validation and repair, and one warning says so.
 */
export type OnUnusableSchema = 'refuse' | 'warn';

/** Checks beyond JSON Schema. */
export interface StrictOptions {
  /**
   * Where a Markdown link is not a path. `declared`: in fields that the schema marks as paths. `names`: also in fields that are named
   * like a path.
   */
  readonly paths: 'off' | 'declared' | 'names';
  /** Whether an undeclared key that is spelled like an absent declared one is a failure, also in an open object. */
  readonly spellings: boolean;
}

/** An argument about the call rather than for the tool. */
export interface MetaArgument {
  /** The canonical key, as the model sees it: `_rationale`. */
  readonly key: string;
  /** The key in the meta record: `rationale`. */
  readonly name: string;
  /** JSON Schema of the value. */
  readonly schema: SchemaObject;
  /** Other names that are read as this one: `timeout`. */
  readonly aliases: readonly string[];
  /** Whether each call must have it. */
  readonly isRequired: boolean;
  /** Checks what JSON Schema has no keyword for. Gets an object with the value under `name`. */
  readonly check?: ArgumentCheck;
}

/** Checks a value that passed the schema, without writing to it. */
export type ArgumentCheck = (value: JsonObject) => readonly CheckFailure[];

export interface CheckFailure {
  /** JSON Pointer of the member that failed; '' for the arguments as a whole. */
  readonly path: string;
  /** The name of the check: class-validator's constraint, or the `@Check` method. */
  readonly check: string;
  /** The author's sentence for the model. */
  readonly message: string;
  /** What the check threw, if it did; for the developer, never for the model. */
  readonly cause?: unknown;
}

/** A class, with a constructor that takes anything. */
export type Constructor<Instance extends object = object> = new (...parameters: never[]) => Instance;

/** Values of the application for one call, by name: for `@FromContext` fields, `enabled` and `concurrency` keys. */
export type ApplicationContext = Readonly<Record<string, unknown>>;

/** How the interpreted arguments reach the author's code. `context` is the ToolContext of the call. */
export type ToolBinding = NoBinding | FunctionBinding | RemoteBinding | ClassBinding | MethodBinding;

/** The contract can be interpreted, but not executed. */
export interface NoBinding {
  readonly kind: 'none';
}

export interface FunctionBinding {
  readonly kind: 'function';
  execute(values: JsonObject, context: unknown): unknown;
}

/** The tool runs elsewhere and gets JSON, so that no number is too long for it. */
export interface RemoteBinding {
  readonly kind: 'remote';
  /** `text`: the accepted arguments, with every number as the model wrote it. */
  send(text: string, context: unknown): unknown;
}

/** The fields of the class are the arguments, and `execute(context)` runs it. */
export interface ClassBinding {
  readonly kind: 'class';
  readonly Class: Constructor;
  readonly method: string;
  /** Writes the arguments, copies of the defaults of absent ones, and context values into a new instance. */
  fill(instance: object, values: JsonObject, context: ApplicationContext): void;
}

/** A method of an existing object: `method(arguments, context)`. */
export interface MethodBinding {
  readonly kind: 'method';
  readonly Owner: Constructor;
  readonly method: string;
  /** A new instance of the class of arguments, filled as above. */
  makeArguments(values: JsonObject, context: ApplicationContext): object;
}

/**
 * `sha256:…` of what a model is told about the tool: name, description, hints and input schema, in any order of keys. Not of
 * effects, limits and code.
 */
export function contractDigest({ name, description, hints, inputSchema }: ToolContract): string {
  const { value } = writeJson({ name, description, hints, inputSchema });
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}

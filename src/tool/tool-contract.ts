import { type OptionKind, callback } from '../options/check-options.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { ValidationFailure } from '../schema/input-schema.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import type { TypeWord } from '../schema/type-words.ts';
import type { OwnRule } from './own-rule.ts';
import type { ProviderOptions } from './provider-options.ts';
import type { RuleChoice } from './rule-choice.ts';
import type { SchemaValidation } from './schema-validation.ts';

/**
 * Which calls may run at the same time as a call of the tool. `parallel`: all. `exclusive`: only
 * those that the call makes itself. An exclusive call waits for earlier calls of its tenant. A
 * nested call doesn't wait for the calls that run next to its parent. `key`: all except those with
 * the same key, of any tool. The function gets the arguments as plain values, with defaults, and
 * the context values. It returns a string, a number, an array of them (a lock for each), any other
 * JSON value, or undefined for no lock.
 */
export type Concurrency<Values extends object = object> =
  | 'parallel'
  | 'exclusive'
  | { key(values: Values, context: Readonly<Record<string, unknown>>): unknown };

/** Which calls of a tool run in the background. */
export type Background = 'never' | 'allowed' | 'always';

/**
 * Limits of one tool. With a journal in a database, they hold over all processes, and the database
 * counts; else in each process. Calls that run after an approval or a crash are not counted again.
 */
export interface CallLimits<Values extends object = object> {
  /** Calls that start within `perMs` milliseconds. Beyond it, calls are refused as `rate_limit`. */
  readonly rate?: { readonly calls: number; readonly perMs: number };
  /**
   * Calls that run at the same time, without those on workers. Beyond it, calls are refused as
   * `busy`.
   */
  readonly running?: number;
  /**
   * Which calls count together. `tenant`: those of one tenant. `all`: those of all tenants. `key`:
   * those of one tenant for which the function returns the same JSON value. Default: `tenant`.
   */
  readonly per?: 'tenant' | 'all' | { key(values: Values, context: ApplicationContext): unknown };
  /**
   * Milliseconds that a call waits for its turn before it is refused; at most 100 calls wait for
   * one limit. Of several tenants, the one whose last call started first is next. Background calls
   * for workers don't wait. Default: 0, calls are refused at once.
   */
  readonly waitMs?: number;
}

/** How a tool runs. */
export interface ExecutionOptions<Values extends object = object> {
  /** Which calls may run at the same time. Default: `parallel`. */
  readonly concurrency?: Concurrency<Values>;
  /** Calls of this tool in one run of an agent. Default: the run's limit. */
  readonly callLimit?: number;
  /** Consecutive failures after the first, in one run of an agent. Default: the run's limit. */
  readonly retryLimit?: number;
  /**
   * Whether a call may run twice with the effect of one, perhaps with the help of
   * `context.idempotencyKey`. With a journal, such calls run again if their process ended before
   * the calls did. Default: only calls of `read` tools run again.
   */
  readonly idempotent?: boolean;
  /**
   * Whether the tool does all of its work with `context.transaction`, in the database of the
   * journal. The work and the outcome of a call are then committed together, so that a call whose
   * process dies has done nothing, and runs again. Default: false.
   */
  readonly transactional?: boolean;
  /**
   * A string, or another JSON value, that names the work of a call. With a journal, a tenant's
   * calls of the tool with the same key run once. Gets the arguments without defaults. Undefined:
   * no key.
   */
  idempotencyKey?(values: Values, context: ApplicationContext): unknown;
  /**
   * Whether the tool reports a state that changes, so that a model asks again. With a journal, a
   * call with a known id then runs again. Default: false.
   */
  readonly polls?: boolean;
  /**
   * The object that the tool returns, as a JSON Schema or a decorated class. A model never sees a
   * result that doesn't match.
   */
  readonly outputSchema?: SchemaObject | Constructor;
  /** The result goes to the user as it is, without a comment by the model. Default: false. */
  readonly returnDirect?: boolean;
  /**
   * Whether calls go on in the background while the model does other work. `allowed`: if the model
   * asks for it with `_background`, which only such tools show. `always`: every call. Default:
   * `never`.
   */
  readonly background?: Background;
  /**
   * At most so many calls of the tool start in a given time (`rate`), and at most so many run at
   * the same time (`running`). A call beyond either limit is refused (`limit_exceeded`). Default: no
   * limit.
   */
  readonly limits?: CallLimits<Values>;
  /**
   * The call that undoes a completed call of the tool, for `tools.undo(run)`. Gets the arguments and
   * the result. Undefined: there is nothing to undo. Default: no call of the tool is undone.
   */
  undo?(values: Values, result: unknown): UndoCall | undefined;
  /** What MCP clients read about the tool, beside its `effects`. Default: nothing. */
  readonly annotations?: ToolAnnotations;
}

/** A call that undoes another one. */
export interface UndoCall {
  /** The name of the tool. */
  readonly tool: string;
  readonly arguments: object;
}

// https://modelcontextprotocol.io/specification
/** Hints of MCP that `effects` doesn't give. */
export interface ToolAnnotations {
  /**
   * A further call with the same arguments has no further effect, so clients may repeat it.
   * `idempotent` doesn't promise that: a further call has another `context.idempotencyKey`.
   */
  readonly idempotentHint?: boolean;
  /**
   * The tool reaches things that are not known beforehand, such as web pages. MCP's default: true.
   */
  readonly openWorldHint?: boolean;
}

/** Where the arguments of a dispatcher have the call of the inner tool. */
export interface Dispatch {
  /** The argument with the name of the inner tool. */
  readonly name: string;
  /** The argument with its arguments, an object. */
  readonly arguments: string;
  /**
   * The inner tools: classes, or what `defineTool` returned. Default: the other tools of the same
   * registry or selection.
   */
  readonly tools?: readonly object[];
}

/** The options of a tool for its calls, whether or not they run here. */
export interface ContractOptions {
  /**
   * Decides which repairs may act. `destructive`: only repairs that keep every key and every value
   * of the arguments. `write`: all repairs except that which takes the only unknown key for the
   * only missing one. `read`: all repairs. Default: as `write`.
   */
  readonly effects?: Effects;
  /** Milliseconds a call may take. Default: the registry's. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds that a model may ask for with `_timeout_seconds`. Default: the registry's, else
   * `timeoutMs`.
   */
  readonly maxTimeoutMs?: number;
  /** Whether `ToolRegistry.select` includes the tool for these context values. Default: it does. */
  readonly enabled?: (values: ApplicationContext) => boolean;
  /**
   * Members of the tool that only one provider has: `{ anthropic: { cache_control: … } }`. Default:
   * none.
   */
  readonly providerOptions?: ProviderOptions;
  /** Selections leave the tool out until a model finds it with the search tool. Default: false. */
  readonly deferred?: boolean;
  /**
   * The tool calls other tools by name: the arguments for them are repaired and validated as those
   * of a call of the inner tool. Default: it doesn't.
   */
  readonly dispatches?: Dispatch;
  /**
   * `reject`: undeclared keys are treated as the schema says. `strip`: undeclared keys are removed,
   * recorded, and reported to the model in a note. Default: `reject`.
   */
  readonly unknownArguments?: 'reject' | 'strip';
  /** Default: `lossless` for destructive tools, else `all`. */
  readonly repair?: RepairLevel;
  /** Rules that are off: `{ wrap_in_array: false }`. Default: all are on. */
  readonly rules?: RuleChoice;
  /** Rules of one's own, made by `defineRule`. They are tried first. Default: none. */
  readonly ownRules?: readonly OwnRule[];
}

/**
 * The options of `@Tool` and `@ToolMethod`. `Values`: the arguments that a `concurrency` key gets.
 */
export interface ToolOptions<Values extends object = object>
  extends ContractOptions, ExecutionOptions<Values> {
  /** Default: the class's or method's name in snake case. Minified classes need one. */
  readonly name?: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /**
   * The groups of class-validator. Decorators with other groups don't apply. Decorators without
   * groups apply. Default: none.
   */
  readonly groups?: readonly string[];
  /**
   * `@Transform` of class-transformer makes the values of the instance, after the validation of
   * what was sent. Default: false.
   */
  readonly transform?: boolean;
}

/**
 * Creates the validator of one schema: JSON Schema 2020-12 whose references all lead into its own
 * `$defs`. Throws if it doesn't support the schema.
 */
export type CreateValidator = (root: SchemaObject) => Validator;

export const validatorKind: OptionKind = callback(
  "write a function that makes a validator of a schema, as ajvValidator of 'toolmend/ajv'",
);

/** Validates values against one schema, and against parts of it. */
export interface Validator {
  /**
   * `part`: a schema whose references lead into the root. Default: the root. Called often with the
   * same parts.
   */
  readonly accepts: (value: JsonValue, part?: JsonSchema) => boolean;
  /**
   * Every failure of a value that `accepts` refuses, outermost first. A union that fails is one
   * failure.
   */
  readonly failures: (value: JsonValue, part?: JsonSchema) => readonly SchemaFailure[];
  /**
   * Steps of all validations so far. Absent if validation always takes time proportional to the
   * value's size.
   */
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
  /** The schema with the keyword. */
  readonly schema: JsonSchema;
}

/** What a tool does to the world. The effects decide which repairs may act on the tool's calls. */
export type Effects = 'read' | 'write' | 'destructive';

/**
 * `all`: every rule acts. `lossless`: only the rules that keep every key and every value of the
 * arguments. `off`: none; a call that fails is rejected.
 */
export type RepairLevel = 'all' | 'lossless' | 'off';

/**
 * A tool, made once from a class or a JSON Schema, and deeply frozen. Optional members are absent
 * if the author didn't give them.
 */
export interface ToolContract extends ContractOptions {
  readonly name: string;
  /** The tool's name is unknown, and `name` is only a word for messages. */
  readonly isUnnamed?: true;
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /** Sentences for the model, after the description. */
  readonly hints: readonly string[];
  /**
   * JSON Schema of the arguments, an object, with our annotations in `x-toolmend`, without meta
   * arguments.
   */
  readonly inputSchema: SchemaObject;
  readonly repair: RepairLevel;
  readonly unknownArguments: 'reject' | 'strip';
  readonly strict: StrictOptions;
  readonly meta: readonly MetaArgument[];
  /** `inputSchema` with the meta arguments after the tool's own. Absent if there are none. */
  readonly schemaWithMeta?: SchemaObject;
  /**
   * Fields that the application sets on the instance. They are not in the schema, and removed if a
   * model sends them.
   */
  readonly contextFields: readonly string[];
  /** Checks that JSON Schema can't express: class-validator's own and `@Check` methods. */
  readonly check?: ArgumentCheck;
  /** Validates, and makes the handler's values, if the author's schema is that of a library. */
  readonly validation?: SchemaValidation;
  /** The author's messages for arguments that the schema refuses: class-validator's `message`. */
  readonly sentences?: ArgumentCheck;
  /** Default: `refuse`. */
  readonly onUnusableSchema?: OnUnusableSchema;
  /**
   * Why the author's schema can't be used, as a clause. `inputSchema` is then that of any object.
   */
  readonly unusable?: string;
  /** Types of the author's schema that JSON Schema doesn't have. `inputSchema` has those they mean. */
  readonly typeWords?: readonly TypeWord[];
  /** Default: the validator of toolmend, which generates no code. */
  readonly validator?: CreateValidator;
  readonly binding: ToolBinding;
  readonly execution?: ExecutionMetadata;
  /** Present if `textTool` made the tool. */
  readonly text?: TextInput;
}

/** The only argument of a tool, a text. */
export interface TextInput {
  readonly argument: string;
  readonly grammar?: TextGrammar;
}

/** https://platform.openai.com/docs/guides/function-calling#context-free-grammars */
export interface TextGrammar {
  /** `regex`: as the `regex` crate of Rust reads it. */
  readonly syntax: 'lark' | 'regex';
  readonly definition: string;
}

/** JavaScript callers pass values that the types don't allow. */
export const isContract = (tool: unknown): tool is ToolContract =>
  typeof tool === 'object' &&
  tool !== null &&
  ['name', 'inputSchema', 'meta', 'binding'].every((key) => Object.hasOwn(tool, key));

/** The author's execution options, with the output schema in two forms. */
export interface ExecutionMetadata extends Omit<ExecutionOptions, 'outputSchema'> {
  /** Without our annotations. */
  readonly outputSchema?: SchemaObject;
  readonly annotatedOutputSchema?: SchemaObject;
  /** Checks of the result that JSON Schema can't express. */
  readonly outputCheck?: ArgumentCheck;
}

/**
 * For a schema that can't be compiled or refers to nothing in it. `refuse`: a DefinitionError.
 * `warn`: calls are decoded strictly and passed on without validation and repair, and one warning
 * says so.
 */
export type OnUnusableSchema = 'refuse' | 'warn';

/** Checks beyond JSON Schema. */
export interface StrictOptions {
  /**
   * Where a Markdown link is not a path. `declared`: in fields that the schema marks as paths.
   * `names`: also in fields that are named like a path.
   */
  readonly paths: 'off' | 'declared' | 'names';
  /**
   * Whether an undeclared key that is spelled like an absent declared one is a failure, also in an
   * open object.
   */
  readonly spellings: boolean;
}

/** An argument about the call, not for the tool. */
export interface MetaArgument {
  /** The key for the model: `_rationale`. */
  readonly key: string;
  /** The key in `context.meta`: `rationale`. */
  readonly name: string;
  /** JSON Schema of the value. */
  readonly schema: SchemaObject;
  /** Other accepted names: `timeout`. */
  readonly aliases: readonly string[];
  /** Whether each call must have it. */
  readonly isRequired: boolean;
  /** Checks what JSON Schema has no keyword for. Gets an object with the value under `name`. */
  readonly check?: ArgumentCheck;
}

/** Checks a value that passed the schema. Doesn't change it. */
export type ArgumentCheck = (value: JsonObject) => readonly CheckFailure[];

/** A failure of an author's check. */
export type CheckFailure = ValidationFailure;

/** A class with any constructor. */
export type Constructor<Instance extends object = object> = new (
  ...parameters: never[]
) => Instance;

/**
 * The application's values for one call, by name: for `@FromContext` fields, `enabled` and
 * `concurrency` keys.
 */
export type ApplicationContext = Readonly<Record<string, unknown>>;

/** How the arguments reach the author's code. `context`: the ToolContext of the call. */
export type ToolBinding =
  // Calls can be interpreted, but not executed.
  | { readonly kind: 'none' }
  // The values are JSON, or what a library's schema makes of it.
  | { readonly kind: 'function'; execute(values: unknown, context: unknown): unknown }
  // The tool runs elsewhere and gets the accepted arguments as JSON text, with numbers as the model
  // wrote them.
  | { readonly kind: 'remote'; send(text: string, context: unknown): unknown }
  | ClassBinding
  | MethodBinding;

/** The fields of the class are the arguments, and `execute(context)` runs it. */
export interface ClassBinding {
  readonly kind: 'class';
  readonly Class: Constructor;
  readonly method: string;
  /**
   * Writes the arguments, copies of the defaults of absent ones, and context values into a new
   * instance.
   */
  fill(instance: object, values: JsonObject, context: ApplicationContext): void;
}

/** A method of an existing object: `method(arguments, context)`. */
export interface MethodBinding {
  readonly kind: 'method';
  readonly Owner: Constructor;
  readonly method: string;
  /** A new instance of the argument class, filled as above. */
  makeArguments(values: JsonObject, context: ApplicationContext): object;
}

/** The version of the package, as the journal names it. */
export const interpreterVersion = '0.2.0';

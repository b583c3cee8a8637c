import { createHash } from 'node:crypto';
import { type OptionKind, callback } from '../errors/check-options.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';

// Plain data and functions; nothing here is computed.
/**
 * What may run beside a call. `parallel`: any other. `alone`: none, but for the calls that it makes itself; the earlier calls of its caller end first, and a call that is
 * made inside another one runs beside what that one runs beside. `key`: none
 * with the same key, whatever its tool. The key is a text or number, a list of them (a lock each), anything else that JSON
 * can say, or nothing; it is made of the arguments as plain values, defaults included, and of the context values.
 */
export type Concurrency<Values extends object = object> =
  'parallel' | 'exclusive' | { key(values: Values, context: Readonly<Record<string, unknown>>): unknown };

/** The options of a tool that say how it runs. */
export interface DeclaredExecution<Values extends object = object> {
  /** What may run beside a call. Default: `parallel`. */
  readonly concurrency?: Concurrency<Values>;
  /** Calls that one run of an agent may make of this tool. Default: the run's. */
  readonly callLimit?: number;
  /** Failures in a row after the first, in one run of an agent. Default: the run's. */
  readonly retryLimit?: number;
  /**
   * The object that the tool returns: JSON Schema, or a class that is decorated as arguments are. What it returns otherwise
   * is kept from the model.
   */
  readonly outputSchema?: SchemaObject | Constructor;
  /** The result is meant for the user as it is; the model need not comment on it. Default: false. */
  readonly returnDirect?: boolean;
}

/** What `@Tool` and `@ToolMethod` take. `Values`: the arguments that a `concurrency` key is made of. */
export interface ToolOptions<Values extends object = object> extends DeclaredExecution<Values> {
  /** Default: the class's or method's name in snake case. */
  readonly name?: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /** How dangerous the tool is; it decides which repairs may act. */
  readonly effects?: Effects;
  /** Milliseconds a call may take. */
  readonly timeoutMs?: number;
  /** Whether `ToolRegistry.select` takes the tool for this context. Default: it does. */
  readonly enabled?: (values: ApplicationContext) => boolean;
  /** Selections don't show the tool from the start; models find it by a search tool. Default: it is shown. */
  readonly deferred?: boolean;
  /** `strip`: undeclared keys are removed, recorded, and the model is told. Default: `reject`. */
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

// One frozen value, from a class or from a JSON Schema.
/** How dangerous a tool is; it decides which repairs may act. */
export type Effects = 'read' | 'write' | 'destructive';

/** `all`: every rule. `lossless`: only the rules that keep every key and every value. */
export type RepairLevel = 'all' | 'lossless';

/**
 * The one intermediate form. Built once from a class or a JSON Schema, frozen to the bottom; schema,
 * parse, repair, messages and execution read nothing else.
 */
export interface ToolContract {
  readonly name: string;
  /** Nobody has said what the tool is called: `name` stands in for it in messages. */
  readonly isUnnamed?: true;
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /** Free sentences for the model, appended to the description. */
  readonly hints: readonly string[];
  /** JSON Schema 2020-12 of the arguments, root `type: object`; our annotations under `x-toolmend`. */
  readonly inputSchema: SchemaObject;
  /** Absent: the author did not say. */
  readonly effects?: Effects;
  readonly repair: RepairLevel;
  /** `drop`: undeclared keys are removed and recorded, and the model is told. */
  readonly unknownArguments: 'reject' | 'strip';
  /** The readings of the strict contract beyond plain JSON Schema. */
  readonly strict: StrictReadings;
  readonly meta: readonly MetaArgument[];
  /** Fields that the application sets on the instance. Not in the schema; taken out if a model sends them. */
  readonly contextFields: readonly string[];
  /** What JSON Schema can't say: class-validator's own checks and `@Check` methods. */
  readonly check?: ArgumentCheck;
  /** What the author wrote for arguments that the schema refuses, by place: class-validator's `message`. */
  readonly sentences?: ArgumentCheck;
  /** What becomes of a schema that nobody can validate against. Absent: refused. */
  readonly onUnusableSchema?: OnUnusableSchema;
  /** Why the author's schema is not even here: `inputSchema` says no more than that there is an object. */
  readonly unusable?: string;
  /** Absent: Ajv. */
  readonly validator?: CreateValidator;
  readonly binding: ToolBinding;
  /** Milliseconds a call may take. Absent: the registry's default. */
  readonly timeoutMs?: number;
  /** Whether a selection of tools for this context has the tool. Absent: it has. */
  readonly enabled?: (values: ApplicationContext) => boolean;
  /** Not shown from the start in a selection, but found by its search tool. */
  readonly deferred?: true;
  /** What the author said of how the tool runs. Absent: nothing. */
  readonly execution?: ExecutionFacts;
}

/** What an author said of how a tool runs; what was not said is absent. */
export interface ExecutionFacts extends Omit<DeclaredExecution, 'outputSchema'> {
  /** Of the object that the tool returns, as others may see it. */
  readonly outputSchema?: SchemaObject;
  /** The same with our annotations. */
  readonly annotatedOutputSchema?: SchemaObject;
  /** What the schema doesn't say of that object. */
  readonly outputCheck?: ArgumentCheck;
}

/**
 * `refuse`: an error for the developer. `warn`: the tool works, its calls are decoded strictly and passed on, unvalidated and
 * unrepaired, and a warning says so once.
 */
export type OnUnusableSchema = 'refuse' | 'warn';

export interface StrictReadings {
  /** A path is not a markdown link. `declared`: only where a schema says path; `names`: also by its name. */
  readonly paths: 'off' | 'declared' | 'names';
  /** An undeclared key that is a misspelling of an absent declared key is a failure, also in an open object. */
  readonly spellings: boolean;
}

export interface MetaArgument {
  /** The canonical key, as the model sees it: `_rationale`. */
  readonly key: string;
  /** The key in the meta record: `rationale`. */
  readonly name: string;
  readonly schema: SchemaObject;
  /** Further names that fold to it, as `timeout`. */
  readonly aliases: readonly string[];
  /** It must have come: the application or the tool's own schema requires it. */
  readonly isRequired: boolean;
  /** What the schema doesn't say, of an object that has the value under its name. */
  readonly check?: ArgumentCheck;
}

/** Validates what passed the schema. Pure; the value is never written to. An empty list: it passes. */
export type ArgumentCheck = (value: JsonObject) => readonly CheckFailure[];

export interface CheckFailure {
  /** JSON Pointer of the member that failed; '' for the arguments as a whole. */
  readonly path: string;
  /** The name of the check: class-validator's constraint, or the `@Check` method. */
  readonly check: string;
  /** The author's sentence for the model. */
  readonly message: string;
  /** What the check threw, where it broke instead of validating; for the developer, never for the model. */
  readonly cause?: unknown;
}

/** A class that can be constructed; what its constructor takes is the caller's business. */
export type Constructor<Instance extends object = object> = new (...parameters: never[]) => Instance;

/** Values of the application for one call, by name; `@FromContext` fields read from it. */
export type ApplicationContext = Readonly<Record<string, unknown>>;

/** How the interpreted arguments reach the author's code. */
export type ToolBinding = NoBinding | FunctionBinding | WireBinding | ClassBinding | MethodBinding;

/** A contract that can be interpreted, not executed. */
export interface NoBinding {
  readonly kind: 'none';
}

export interface FunctionBinding {
  readonly kind: 'function';
  /** `context` is execute/'s ToolContext. */
  execute(values: JsonObject, context: unknown): unknown;
}

/** The tool is somewhere else, and its arguments go there as JSON: no number is too long for it. */
export interface WireBinding {
  readonly kind: 'wire';
  /** `text`: the accepted arguments, every number as the model spelled it. `context` is execute/'s ToolContext. */
  send(text: string, context: unknown): unknown;
}

/** The tool is the class: its fields are the arguments, `execute(context)` runs it. */
export interface ClassBinding {
  readonly kind: 'class';
  readonly Class: Constructor;
  readonly method: string;
  /** Writes arguments, defaults of what is absent (copies) and context values into a fresh instance. */
  fill(instance: object, values: JsonObject, context: ApplicationContext): void;
}

/** The tool is a method of a provider: `method(arguments, context)`. */
export interface MethodBinding {
  readonly kind: 'method';
  readonly Owner: Constructor;
  readonly method: string;
  /** A new instance of the argument class, filled as above. */
  makeArguments(values: JsonObject, context: ApplicationContext): object;
}

// A digest of all that a model is told of it.
/**
 * `sha256:…` over name, description, hints and input schema, whatever the order of keys. Not over what a model isn't
 * told: who executes it, its effects, its limits.
 */
export function contractDigest({ name, description, hints, inputSchema }: ToolContract): string {
  const { value } = writeJson({ name, description, hints, inputSchema });
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}

/** A name that all providers accept. */
export const isPortableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name);

/** `ReadFiles` is `read_files`, `parseHTMLPage` is `parse_html_page`. */
export const toSnakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

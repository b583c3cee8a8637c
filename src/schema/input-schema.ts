// Reads what people pass for a JSON Schema: the schema itself, a Standard Schema, or an SDK's
// object around it.
import { isObjectLike, isThenable, memberOf } from '../collections/objects.ts';
import { failuresOf } from './library-issues.ts';
import { type SchemaMistake, notAnObject, schemaMistake, textMember } from './not-a-schema.ts';
import { type ToJsonSchema, NoJsonSchema, writeJsonSchema } from './schema-libraries.ts';

/**
 * A schema of a library that follows https://standardschema.dev, such as zod, valibot and arktype.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    /** For type inference; absent at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The type of the values that a Standard Schema returns. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output'];

export type ObjectOutputOf<Schema extends StandardSchema> = Extract<OutputOf<Schema>, object>;

/** The end of a library's validation. `invalid`: why, for the model. */
export type Validated =
  | { readonly kind: 'valid'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly failures: readonly ValidationFailure[] };

/**
 * A failure that code reports, an author's or a library's, for a value that passes its JSON Schema.
 */
export interface ValidationFailure {
  /** JSON Pointer of the member that failed; '' for the whole value. */
  readonly path: string;
  /** The library, class-validator's constraint, or the `@Check` method. */
  readonly check: string;
  /** For the model. */
  readonly message: string;
  /** What the check or the library threw. For the developer; a model never reads it. */
  readonly cause?: unknown;
}

/** Never throws or rejects. Returns a promise if the schema has asynchronous parts. */
export type ValidateInput = (value: unknown) => Validated | Promise<Validated>;

/**
 * `json_schema`: a JSON Schema. `validating`: a library's schema, its JSON Schema, and its own
 * validation, which runs checks and transforms. `none`: neither; `mistake` says what it is and what
 * to pass.
 */
export type InputSchema =
  | { readonly kind: 'json_schema'; readonly schema: object }
  | {
      readonly kind: 'validating';
      readonly schema: object;
      readonly validate: ValidateInput;
      /**
       * The library of which the JSON Schema was made, and which it only approximates. Without one
       * it holds too.
       */
      readonly derivedBy: string | undefined;
    }
  | { readonly kind: 'none'; readonly mistake: SchemaMistake };

/**
 * `toJsonSchema`: writes the JSON Schema of a library's schema. Default: the schema itself, else
 * its library.
 */
export function inputSchemaOf(schemaLike: unknown, toJsonSchema?: ToJsonSchema): InputSchema {
  const parameters = functionParameters(schemaLike);
  if (parameters !== undefined) return inputSchemaOf(parameters, toJsonSchema);
  if (!isObjectLike(schemaLike)) return none(schemaMistake(schemaLike) ?? notAnObject);
  if (memberOf(schemaLike, aiSdkMark) === true) return ofAiSdk(schemaLike);
  const standard = memberOf(schemaLike, '~standard');
  const validate = memberOf(standard, 'validate');
  if (typeof validate !== 'function') {
    const mistake = schemaMistake(schemaLike);
    return mistake === undefined ? { kind: 'json_schema', schema: schemaLike } : none(mistake);
  }
  const vendor = textMember(standard, 'vendor') ?? 'a library';
  // A tool of ours repairs what it validates.
  const isDerived =
    vendor !== 'toolmend' && (toJsonSchema === undefined || convertedVendors.has(vendor));
  return validating(
    { vendor, derivedBy: isDerived ? vendor : undefined },
    () =>
      toJsonSchema === undefined
        ? writeJsonSchema(schemaLike, vendor)
        : Reflect.apply(toJsonSchema, undefined, [schemaLike]),
    validation(
      vendor,
      validatorIn(schemaLike, (value) => Reflect.apply(validate, standard, [value])),
      resultOfStandard,
    ),
  );
}

/**
 * zod's own validator returns a promise when something in the schema throws. Its `safeParse` throws
 * it.
 */
function validatorIn(
  schema: object,
  validate: (value: unknown) => unknown,
): (value: unknown) => unknown {
  const safeParse = memberOf(schema, 'safeParse');
  if (
    typeof safeParse !== 'function' ||
    memberOf(memberOf(schema, '~standard'), 'vendor') !== 'zod'
  )
    return validate;
  return (value) => {
    try {
      const result: unknown = Reflect.apply(safeParse, schema, [value]);
      if (memberOf(result, 'success') === true) return { value: memberOf(result, 'data') };
      return { issues: memberOf(memberOf(result, 'error'), 'issues') };
    } catch (error) {
      // "Encountered Promise during synchronous parse" in zod 4, "Async refinement encountered" in
      // zod 3.
      if (/\bencountered\b/i.test(textMember(error, 'message') ?? '')) return validate(value);
      throw error;
    }
  };
}

const none = (mistake: SchemaMistake): InputSchema => ({ kind: 'none', mistake });

/** The parameters of a function of OpenAI's Chat Completions or Responses API. */
function functionParameters(schemaLike: unknown): unknown {
  if (!isObjectLike(schemaLike) || memberOf(schemaLike, 'type') !== 'function') return undefined;
  const parameters = memberOf(memberOf(schemaLike, 'function') ?? schemaLike, 'parameters');
  return isObjectLike(parameters) ? parameters : undefined;
}

/** https://github.com/vercel/ai/blob/main/packages/provider-utils/src/schema.ts */
const aiSdkMark = Symbol.for('vercel.ai.schema');

function ofAiSdk(schemaLike: object): InputSchema {
  const validate = memberOf(schemaLike, 'validate');
  if (typeof validate !== 'function') {
    const schema = memberOf(schemaLike, 'jsonSchema');
    return isThenable(schema) ? none(inAPromise) : inputSchemaOf(schema);
  }
  return validating(
    { vendor: 'the AI SDK', derivedBy: undefined },
    () => memberOf(schemaLike, 'jsonSchema'),
    validation(
      'the AI SDK',
      (value) => Reflect.apply(validate, schemaLike, [value]),
      resultOfAiSdk,
    ),
  );
}

const inAPromise: SchemaMistake = {
  what: 'has its JSON Schema in a promise',
  instead: 'await its jsonSchema, and pass that',
};

/** Libraries whose `toJsonSchema` is a converter of theirs, in a bundle. */
const convertedVendors: ReadonlySet<string> = new Set(['zod', 'valibot', 'arktype']);

function validating(
  { vendor, derivedBy }: { readonly vendor: string; readonly derivedBy: string | undefined },
  write: () => unknown,
  validate: ValidateInput,
): InputSchema {
  try {
    const schema = write();
    if (isThenable(schema)) return none(inAPromise);
    if (isObjectLike(schema)) return { kind: 'validating', schema, validate, derivedBy };
    return none({
      what: `is a schema of ${vendor}, which wrote no JSON Schema`,
      instead: notAnObject.instead,
    });
  } catch (error) {
    if (error instanceof NoJsonSchema) return none({ what: error.message, instead: error.instead });
    const reason = error instanceof Error ? error.message : String(error);
    return none({
      what: `is a schema of ${vendor}, which can't write it as JSON Schema (${reason.slice(0, 300)})`,
      instead: 'write a type that JSON has, with a transform, or give toJsonSchema: (schema) => …',
    });
  }
}

/** `sentValue`: what was validated. */
type ReadResult = (result: unknown, vendor: string, sentValue: unknown) => Validated;

function validation(
  vendor: string,
  run: (value: unknown) => unknown,
  read: ReadResult,
): ValidateInput {
  const brokenResult = (cause: unknown): Validated => ({
    kind: 'invalid',
    failures: [{ path: '', check: vendor, message: `${vendor} threw`, cause }],
  });
  return (value) => {
    try {
      const result = run(value);
      return isThenable(result)
        ? Promise.resolve(result)
            .then((settledResult) => read(settledResult, vendor, value))
            .catch(brokenResult)
        : read(result, vendor, value);
    } catch (cause) {
      return brokenResult(cause);
    }
  };
}

const resultOfStandard: ReadResult = (result, vendor, sentValue) => {
  if (!isObjectLike(result))
    throw new TypeError(`validate of ${vendor} returned ${String(result)}, not a result`);
  const issues: unknown = memberOf(result, 'issues') ?? undefined;
  if (issues === undefined) return { kind: 'valid', value: memberOf(result, 'value') };
  if (!Array.isArray(issues))
    throw new TypeError(`validate of ${vendor} returned issues that are not an array`);
  const libraryIssues: readonly unknown[] = issues.length > 0 ? issues : [{}];
  const failures = libraryIssues.flatMap((issue) => failuresOf(issue, sentValue));
  return { kind: 'invalid', failures: failures.map((failure) => ({ ...failure, check: vendor })) };
};

const resultOfAiSdk: ReadResult = (result, vendor, sentValue) => {
  if (memberOf(result, 'success') === true)
    return { kind: 'valid', value: memberOf(result, 'value') };
  const error = memberOf(result, 'error');
  // The AI SDK's error has the library's as its cause.
  const issues = memberOf(memberOf(error, 'cause'), 'issues') ?? memberOf(error, 'issues');
  if (Array.isArray(issues)) return resultOfStandard({ issues }, vendor, sentValue);
  const message = textMember(error, 'message') ?? 'is not valid';
  return { kind: 'invalid', failures: [{ path: '', check: vendor, message }] };
};

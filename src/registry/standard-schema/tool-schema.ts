// What does a tool look like to a program that takes any Standard Schema? The shapes are those of
// https://standardschema.dev, written out so that nobody needs a package for them.
import type { Constructor } from '../../contract/tool-contract.ts';
import type { JsonObject } from '../../json/json-value.ts';

/** The fields of a `@Tool` class, without its methods; of a tool that is a contract, any JSON object. */
export type ArgumentsOf<Tool> =
  Tool extends Constructor<infer Instance>
    ? {
        [
          Key in keyof Instance as Instance[Key] extends (...parameters: never[]) => unknown ? never : Key
        ]: Instance[Key];
      }
    : JsonObject;

/** A Standard Schema and Standard JSON Schema of a tool's arguments; frozen. */
export interface ToolSchema<Arguments extends object = JsonObject> {
  readonly name: string;
  /** As models read it. */
  readonly description: string;
  readonly '~standard': StandardToolSchema<Arguments>;
}

export interface StandardToolSchema<Arguments extends object> {
  readonly version: 1;
  readonly vendor: 'toolmend';
  /** For the compiler alone; never there. */
  readonly types?: { readonly input: Arguments; readonly output: Arguments };
  /** Synchronous. Repairs as any call of the tool is repaired; the value sent is never written to. */
  readonly validate: (value: unknown) => ValidatedArguments<Arguments>;
  readonly jsonSchema: {
    /** What a model is shown, as a new object. Throws a ToolmendError for another target than `draft-2020-12` and `draft-07`. */
    readonly input: (options: SchemaTarget) => Record<string, unknown>;
    /** Of what `validate` gives. Throws as `input` does. */
    readonly output: (options: SchemaTarget) => Record<string, unknown>;
  };
}

export interface SchemaTarget {
  readonly target: string;
}

export type ValidatedArguments<Arguments extends object> =
  { readonly value: Arguments; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong, or, at the end of the list and without a path, what to send instead. */
export interface SchemaIssue {
  readonly message: string;
  /** Indexes of lists are numbers. */
  readonly path?: readonly (string | number)[];
}

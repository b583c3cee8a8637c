import type { JsonValue } from '../json/value.ts';
import type { Constructor, ToolOptions } from '../tool/tool-contract.ts';
import { declare } from './declare.ts';
import type { AnyClassDecorator, AnyFieldDecorator, AnyMethodDecorator } from './types.ts';

/**
 * A method with `@Check()`. Returns true if the arguments are right. Otherwise the method returns
 * the sentence that the model reads.
 */
export type CheckMethod = () => true | string;

/**
 * A rule across fields. The method runs after all other validation, and returns true or the
 * sentence that the model reads. `this` has the arguments, with defaults and nested instances, but
 * no injected services. A method that returns a boolean, takes a parameter or is async does not
 * compile (TS1241); registration refuses it.
 *
 * @example
 * `@Check() ordered(): true | string { return this.from <= this.to || 'from must not be after to'; }`
 */
export const Check =
  (): CheckDecorator =>
  (...call: readonly unknown[]): void => {
    declare('@Check', call, {
      method: { check: true },
      instead: 'put it on a method that returns true or a sentence',
    });
  };

/** A decorator of `CheckMethod`s, experimental and standard. */
export interface CheckDecorator {
  (
    prototype: object,
    member: string | symbol,
    descriptor: TypedPropertyDescriptor<CheckMethod>,
  ): void;
  (method: CheckMethod, context: ClassMethodDecoratorContext): void;
}

/**
 * Adds a sentence to the end of the tool's description: on a class of all its tools, on a method of
 * that tool, on a field of the tools that have it. May be repeated.
 *
 * @example `@Contract('content is plain text, not fenced code')`
 */
export const Contract =
  (hint: string): AnyClassDecorator & AnyFieldDecorator & AnyMethodDecorator =>
  (...call: readonly unknown[]): void => {
    const instead = 'put it on a class, a field or a tool method';
    declare('@Contract', call, { class: { hint }, field: { hint }, method: { hint }, instead });
  };

/**
 * An example for the model: of the field's value, or on a class of all arguments. May be repeated.
 * Registration refuses an example that the tool refuses.
 *
 * @example `@Example('src/index.ts') @IsString() path!: string;`
 */
export const Example =
  (value: JsonValue): AnyClassDecorator & AnyFieldDecorator =>
  (...call: readonly unknown[]): void => {
    const example = { value };
    const instead = 'put it on a class or on a field';
    declare('@Example', call, { class: { example }, field: { example }, instead });
  };

/** What a class with `@Tool` has. */
export interface ToolClass {
  /** `context`: a `ToolContext`. */
  execute(...context: never[]): unknown;
}

/**
 * Makes a class a tool: its decorated fields are the arguments, and its method `execute(context)`
 * runs it. Default name: the class's in snake case, `read_files` for `ReadFiles`; a minified class
 * needs a `name`. A class without `execute` does not compile. `Values`: the arguments that a
 * `concurrency` key gets.
 *
 * @example `@Tool({ description: 'Read text files.', effects: 'read' }) class ReadFiles { … }`
 */
export const Tool =
  <Values extends object = Readonly<Record<string, unknown>>>(
    options: ToolOptions<Values>,
  ): ((Class: Constructor<ToolClass>) => void) =>
  (...call: readonly unknown[]): void => {
    const instead = 'put @Tool on the class, or write @ToolMethod on the method';
    declare('@Tool', call, { class: { tool: { options: { ...options } } }, instead });
  };

/** A decorator of methods whose first parameter takes these values, experimental and standard. */
export interface ToolMethodDecorator<Values> {
  <Method extends (values: Values, ...others: never[]) => unknown>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void;
  (
    method: (values: Values, ...others: never[]) => unknown,
    context: ClassMethodDecoratorContext,
  ): void;
}

/**
 * Makes a method of a service a tool: it is called with an instance of `Arguments` and the tool
 * context. Default name: the method's in snake case. A method whose first parameter has another
 * type does not compile.
 *
 * @example
 * `@ToolMethod(Refund, { description: 'Refund a payment.' }) refund(args: Refund, context: ToolContext) { … }`
 */
export const ToolMethod =
  <Values extends object>(
    Arguments: new (...parameters: never[]) => Values,
    options: ToolOptions<Values>,
  ): ToolMethodDecorator<Values> =>
  (...call: readonly unknown[]): void => {
    const method = { tool: { Arguments, options: { ...options } } };
    declare('@ToolMethod', call, { method, instead: 'put it on a method' });
  };

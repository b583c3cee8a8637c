import type { JsonValue } from '../json/value.ts';
import type { ToolOptions } from '../tool/tool-contract.ts';
import { declare } from './declare.ts';

/** A method of `@Check()`: returns true if the arguments are right, else the sentence that the model reads. */
export type CheckMethod = () => true | string;

/**
 * A rule across fields. The method reads the fields from `this`, with defaults filled and nested instances made, but with
 * nothing injected; it runs after everything else passed. It returns true, or the sentence that the model reads. A method
 * that returns a boolean, takes a parameter or is async does not compile (TS1241), and is refused at registration.
 *
 * @example
 * `@Check() ordered(): true | string { return this.from <= this.to || 'from must not be after to'; }`
 */
export const Check =
  () =>
  (prototype: object, member: string | symbol, descriptor: TypedPropertyDescriptor<CheckMethod>): void => {
    declare('@Check', [prototype, member, descriptor], {
      method: { check: true },
      instead: 'put it on a method that returns true or a sentence',
    });
  };

/**
 * Adds a sentence to the end of the tool's description: of a class all its tools', of a method its own. May be repeated.
 *
 * @example
 * `@Contract('content is plain text, not fenced code')`
 */
export const Contract =
  (hint: string): ClassDecorator & PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const instead = 'put it on a class, a field or a tool method';
    declare('@Contract', call, { class: { hint }, field: { hint }, method: { hint }, instead });
  };

/**
 * A value of the field, or on a class a whole set of arguments, that the model is shown. May be repeated. Registration
 * refuses a value that the tool itself would refuse.
 *
 * @example
 * `@Example('src/index.ts') @IsString() path!: string;`
 */
export const Example =
  (value: JsonValue): ClassDecorator & PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const example = { value };
    const instead = 'put it on a class or on a field';
    declare('@Example', call, { class: { example }, field: { example }, instead });
  };

/**
 * Makes a class a tool: its decorated fields are the arguments, and `execute(context)` runs it. Its name is the class's in
 * snake case, `read_files` for `ReadFiles`, unless `name` is given. `Values`: the arguments that a `concurrency` key is
 * made of.
 *
 * @example
 * `@Tool({ description: 'Read text files.', effects: 'read' }) class ReadFiles { … }`
 */
export const Tool =
  <Values extends object = Readonly<Record<string, unknown>>>(options: ToolOptions<Values>): ClassDecorator =>
  (...call: readonly unknown[]): void => {
    const instead = 'put @Tool on the class, or write @ToolMethod on the method';
    declare('@Tool', call, { class: { tool: { options: { ...options } } }, instead });
  };

/** A decorator of methods that take these values first. */
type MethodDecoratorOf<Values> = <Method extends (values: Values, ...others: never[]) => unknown>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Makes a method a tool, for services that a container makes: it is called with an instance of `Arguments` and the tool
 * context. Its name is the method's in snake case, unless `name` is given. A method whose first parameter is something
 * else does not compile.
 *
 * @example
 * `@ToolMethod(Refund, { description: 'Refund a payment.' }) refund(args: Refund, context: ToolContext) { … }`
 */
export const ToolMethod =
  <Values extends object>(
    Arguments: new (...parameters: never[]) => Values,
    options: ToolOptions<Values>,
  ): MethodDecoratorOf<Values> =>
  (...call: readonly unknown[]): void => {
    const method = { tool: { Arguments, options: { ...options } } };
    declare('@ToolMethod', call, { method, instead: 'put it on a method' });
  };

import type { DeclaredTool } from '../classes/declarations.ts';
import type { JsonValue } from '../json/value.ts';
import type { DeclaredExecution } from '../tool/tool-contract.ts';
import { declare, declareMisplaced, targetOf } from './declare.ts';

// What only code can say.
/** Takes nothing, waits for nothing. True if the arguments hold; else the sentence that the model reads, never false. */
export type CheckMethod = () => true | string;

/**
 * A rule across fields. The method sees the fields alone (defaults filled, nested instances made, nothing injected)
 * and runs after everything else passed. It returns true, or the sentence that the model reads: a method that returns a
 * boolean, takes a parameter or is async does not compile (TS1241), and without types is refused.
 */
export const Check =
  () =>
  (prototype: object, member: string | symbol, descriptor: TypedPropertyDescriptor<CheckMethod>): void => {
    const target = targetOf('@Check', [prototype, member, descriptor]);
    if (target.kind === 'method') declare('@Check', target, { about: 'check' });
    else declareMisplaced('@Check', target, 'put it on a method that returns true or a sentence');
  };

/** A sentence at the end of the tool's description: `@Contract('content is plain text, not fenced code')`. */
export const Contract =
  (hint: string): ClassDecorator & PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@Contract', call);
    if (target.kind === 'other')
      declareMisplaced('@Contract', target, 'put it on a class, a field or a tool method');
    else declare('@Contract', target, { about: 'hint', text: hint });
  };

/** A value of the field, or on a class a whole set of arguments, that the model is shown. May be repeated. */
export const Example =
  (value: JsonValue): ClassDecorator & PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@Example', call);
    if (target.kind === 'field' || target.kind === 'class')
      declare('@Example', target, { about: 'example', value });
    else declareMisplaced('@Example', target, 'put it on a class or on a field');
  };

// Its fields are the arguments, and `execute(context)` runs it.
/** `Values`: the arguments that a `concurrency` key is made of. */
export type ToolOptions<Values extends object = object> = Omit<DeclaredTool, keyof DeclaredExecution> &
  DeclaredExecution<Values>;

/** Makes a class a tool. Its name is the class's in snake case: `ReadFiles` is `read_files`. */
export const Tool =
  <Values extends object = Readonly<Record<string, unknown>>>(options: ToolOptions<Values>): ClassDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@Tool', call);
    if (target.kind === 'class') declare('@Tool', target, { about: 'tool', options: { ...options } });
    else declareMisplaced('@Tool', target, 'put @Tool on the class, or write @ToolMethod on the method');
  };

// For services that exist already and are made by a container.
/** A decorator of methods that take these values first, and whatever else. */
type MethodDecoratorOf<Values> = <Method extends (values: Values, ...others: never[]) => unknown>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Makes a method a tool: it is called with an instance of `Arguments` and the tool context. The tool's name is the
 * method's in snake case. A method that takes something else does not compile.
 */
export const ToolMethod =
  <Values extends object>(
    Arguments: new (...parameters: never[]) => Values,
    options: ToolOptions<Values>,
  ): MethodDecoratorOf<Values> =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@ToolMethod', call);
    if (target.kind === 'method') {
      declare('@ToolMethod', target, { about: 'method', Arguments, options: { ...options } });
    } else declareMisplaced('@ToolMethod', target, 'put it on a method');
  };

// Is this method of a provider a tool? For services that exist already and are made by a container.
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';
import type { ToolOptions } from './tool.decorator.ts';

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

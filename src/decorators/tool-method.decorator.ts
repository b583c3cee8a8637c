// Is this method of a provider a tool? For services that exist already and are made by a container.
import type { ArgumentClass } from '../metadata/declared-type.ts';
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';
import type { ToolOptions } from './tool.decorator.ts';

/**
 * Makes a method a tool: it is called with an instance of `Arguments` and the tool context. The tool's name is the
 * method's in snake case.
 */
export const ToolMethod =
  (Arguments: ArgumentClass, options: ToolOptions): MethodDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@ToolMethod', call);
    if (target.kind === 'method') {
      declare('@ToolMethod', target, { about: 'method', Arguments, options: { ...options } });
    } else declareMisplaced('@ToolMethod', target, 'put it on a method');
  };

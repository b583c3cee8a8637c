// Is this class a tool? Its fields are the arguments, and `execute(context)` runs it.
import type { DeclaredTool } from '../metadata/declaration.ts';
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';

export type ToolOptions = DeclaredTool;

/** Makes a class a tool. Its name is the class's in snake case: `ReadFiles` is `read_files`. */
export const Tool =
  (options: ToolOptions): ClassDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@Tool', call);
    if (target.kind === 'class') declare('@Tool', target, { about: 'tool', options: { ...options } });
    else declareMisplaced('@Tool', target, 'put @Tool on the class, or write @ToolMethod on the method');
  };

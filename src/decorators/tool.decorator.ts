// Is this class a tool? Its fields are the arguments, and `execute(context)` runs it.
import type { DeclaredTool } from '../metadata/declaration.ts';
import type { DeclaredExecution } from '../metadata/declared-execution.ts';
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';

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

// What can a program say of its registry?
import type { SchemaJudge } from '../contract/schema-judge.ts';
import type { ApplicationContext, MetaArgument } from '../contract/tool-contract.ts';
import type { CreateInstance, InvokeMethod } from '../execute/call-instances.ts';
import type { HintOptions } from '../hints/contract-hints.ts';
import type { CallTelemetry } from '../telemetry/call-telemetry.ts';
import type { ToolListener } from '../telemetry/tool-listener.ts';
import type { ApprovalOptions } from './approve/approval-setting.ts';
import type { Interceptor } from './intercept/interceptor.ts';
import type { Pins } from './trusted-definitions.ts';

export interface RegistryOptions {
  /**
   * Makes the object that runs a call: for a `@Tool` class a new one each time, for a class with tool
   * methods any. May return a promise. Default: `new Class()`.
   */
  readonly create?: CreateInstance;
  /** Stands around the methods of tools that are classes: returns what `run()` returns, or something else. Default: nothing. */
  readonly invoke?: InvokeMethod;
  /** Values for every call: for `@FromContext` fields, and in `ToolContext.values`. */
  readonly context?: ApplicationContext;
  /** Milliseconds a call may take where its tool says nothing. Default: no limit. */
  readonly timeLimit?: number;
  /** Calls that run at once; the others wait. Default: 8. */
  readonly concurrencyLimit?: number;
  /** Characters of a result that a model reads at once; it may ask for the rest with `_continuation`. Default: all. */
  readonly resultLimit?: number;
  /** Calls that wait; above it a call of whoever has most of them waiting is refused as `busy`. Default: 1000. */
  readonly queueLimit?: number;
  /** Told of every call. */
  readonly listeners?: readonly ToolListener[];
  /** Around every call whose arguments were accepted; the first one outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Switches on that somebody is asked before calls run: `{}` asks about destructive tools. Default: off. */
  readonly approval?: ApprovalOptions;
  /** Around every call, from its text to its end; `openTelemetry()` of `toolmend/opentelemetry` is one. Default: none. */
  readonly telemetry?: CallTelemetry;
  /** Arguments about the call, shown with every tool: `standardMetaArguments`, or others. Default: none. */
  readonly meta?: readonly MetaArgument[];
  /**
   * Digests of the definitions that were looked at, by tool name (`tools.digests()`). Then calls to any other definition
   * are rejected until `tools.accept`. Default: every definition may be called.
   */
  readonly pins?: Pins;
  /**
   * How much the descriptions say of the contracts beyond the authors' words, as "paths is a JSON list of strings."
   * Default: at most 300 characters a tool.
   */
  readonly hints?: 'off' | HintOptions;
  /** What judges by the tools' schemas, where a tool names none. Default: Ajv. */
  readonly judge?: SchemaJudge;
}

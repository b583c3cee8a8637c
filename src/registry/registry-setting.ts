// What did a program say of its registry? Copied, checked, and with its defaults.
import type { SchemaJudge } from '../contract/schema-judge.ts';
import type { ApplicationContext, MetaArgument } from '../contract/tool-contract.ts';
import { metaComplaints } from '../contract/meta/meta-complaints.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { CallInstances, type CreateInstance } from '../execute/call-instances.ts';
import type { ToolListener } from '../telemetry/tool-listener.ts';
import type { CallSetting } from './answer-call.ts';
import { type ApprovalOptions, approvalSetting } from './approve/approval-setting.ts';
import type { Interceptor } from './intercept/interceptor.ts';
import { type Pins, TrustedDefinitions } from './trusted-definitions.ts';

export interface RegistryOptions {
  /**
   * Makes the object that runs a call: for a `@Tool` class a new one each time, for a class with tool
   * methods any. May return a promise. Default: `new Class()`.
   */
  readonly create?: CreateInstance;
  /** Values for every call: for `@FromContext` fields, and in `ToolContext.values`. */
  readonly context?: ApplicationContext;
  /** Milliseconds a call may take where its tool says nothing. Default: no limit. */
  readonly timeLimit?: number;
  /** Told of every call. */
  readonly listeners?: readonly ToolListener[];
  /** Around every call whose arguments were accepted; the first one outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Switches on that somebody is asked before calls run: `{}` asks about destructive tools. Default: off. */
  readonly approval?: ApprovalOptions;
  /** Arguments about the call, shown with every tool: `standardMetaArguments`, or others. Default: none. */
  readonly meta?: readonly MetaArgument[];
  /**
   * Digests of the definitions that were looked at, by tool name (`tools.digests()`). Then calls to any other definition
   * are rejected until `tools.accept`. Default: every definition may be called.
   */
  readonly pins?: Pins;
  /** What judges by the tools' schemas, where a tool names none. Default: Ajv. */
  readonly judge?: SchemaJudge;
}

/** The options as a registry uses them. */
export interface RegistrySetting extends CallSetting {
  readonly meta: readonly MetaArgument[];
  readonly judge: SchemaJudge | undefined;
  readonly instancesMadeBy: 'application' | 'default';
}

export function readSetting(options: RegistryOptions): RegistrySetting {
  const { create, context, timeLimit, judge, pins, approval, listeners = [], meta = [] } = options;
  if (timeLimit !== undefined && !(timeLimit > 0 && Number.isFinite(timeLimit))) {
    const what = `has the timeLimit ${String(timeLimit)}`;
    throw new DefinitionError([{ where: 'ToolRegistry', what, instead: 'write milliseconds, more than 0' }]);
  }
  const complaints = metaComplaints(meta, 'ToolRegistry');
  if (complaints.length > 0) throw new DefinitionError(complaints);
  return {
    instances: new CallInstances(create),
    instancesMadeBy: create === undefined ? 'default' : 'application',
    context: { ...context },
    listeners: [...listeners],
    interceptors: [...(options.interceptors ?? [])],
    approval: approval === undefined ? undefined : approvalSetting(approval),
    meta: [...meta],
    timeLimit,
    judge,
    trusted: new TrustedDefinitions(pins),
  };
}

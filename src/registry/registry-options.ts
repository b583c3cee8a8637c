import {
  type OptionKinds,
  anyObject,
  callback,
  count,
  either,
  having,
  list,
  milliseconds,
  object,
  oneOf,
  optionProblems,
  record,
  string,
} from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { CallInstances, type CreateInstance, type InvokeMethod } from '../execute/call-instances.ts';
import { ConcurrencyLimiter } from '../execute/concurrency.ts';
import { type HintOptions, hintOptionKinds } from '../messages/describe-tool.ts';
import type { CallTelemetry } from '../telemetry/call-telemetry.ts';
import type { ToolListener } from '../telemetry/tool-event.ts';
import { metaArgumentKinds, metaProblems } from '../tool/meta-arguments.ts';
import {
  type ApplicationContext,
  type CreateValidator,
  type MetaArgument,
  validatorKind,
} from '../tool/tool-contract.ts';
import { type ApprovalOptions, approvalOptionKinds, approvalSettings } from './approve.ts';
import { contextValues } from './call-options.ts';
import type { Interceptor } from './intercept.ts';
import { type ToolSetSettings, hintOptions } from './tool-set.ts';
import { type Pins, TrustedDefinitions } from './trusted-definitions.ts';

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
  readonly timeoutMs?: number;
  /** Calls that run at once; the others wait. Default: 8. */
  readonly concurrencyLimit?: number;
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
  /** What validates against the tools' schemas, where a tool names none. Default: Ajv. */
  readonly validator?: CreateValidator;
}

export const registryOptionKinds: OptionKinds<RegistryOptions> = {
  create: callback('write a function that returns an instance, (Class) => new Class(…)'),
  invoke: callback('write a function that runs the method, (invocation, run) => run()'),
  context: anyObject('write an object of values by name'),
  timeoutMs: milliseconds,
  concurrencyLimit: count(1),
  queueLimit: count(0),
  listeners: list(anyObject('write a listener, { onEvent(event) { … } }'), 'write an array of listeners'),
  interceptors: list(
    callback('write an interceptor, (call, next) => next()'),
    'write an array of functions, [(call, next) => next()]',
  ),
  approval: object(approvalOptionKinds, 'write {} to ask about destructive tools, or { needed }'),
  telemetry: having('observe', "write openTelemetry() of 'toolmend/opentelemetry'"),
  meta: list(object(metaArgumentKinds), 'write standardMetaArguments, or an array of meta arguments'),
  pins: record(string, 'write what digests() returned'),
  hints: either(
    "write 'off', or { longest } with a number of characters",
    oneOf('off'),
    object(hintOptionKinds),
  ),
  validator: validatorKind,
};

/** Throws a DefinitionError with every problem. */
function checkRegistryOptions(options: RegistryOptions): void {
  const problems = optionProblems('ToolRegistry', options, registryOptionKinds);
  const { meta = [] } = problems.length > 0 ? {} : options;
  const all = [...problems, ...metaProblems(meta, 'ToolRegistry')];
  if (all.length > 0) throw new DefinitionError(all);
}

// Copied, checked, and with its defaults.
/** The options as a registry uses them. */
export interface RegistrySetting extends ToolSetSettings {
  readonly meta: readonly MetaArgument[];
  readonly validator: RegistryOptions['validator'];
  readonly instancesMadeBy: 'application' | 'default';
}

export function readSetting(options: RegistryOptions): RegistrySetting {
  checkRegistryOptions(options);
  const { create, invoke, context, validator, pins, approval, listeners = [], meta = [] } = options;
  const { timeoutMs, concurrencyLimit = 8, queueLimit = 1000 } = options;
  return {
    timeoutMs,
    limiter: new ConcurrencyLimiter({ concurrencyLimit, queueLimit }),
    instances: new CallInstances(create, invoke),
    instancesMadeBy: create === undefined ? 'default' : 'application',
    context: contextValues(context),
    listeners: [...listeners],
    interceptors: [...(options.interceptors ?? [])],
    telemetry: options.telemetry,
    approval: approval === undefined ? undefined : approvalSettings(approval),
    meta: [...meta],
    validator,
    hints: hintOptions(options.hints),
    trusted: new TrustedDefinitions(pins),
  };
}

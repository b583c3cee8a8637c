import {
  DefinitionError,
  type OptionKinds,
  countComplaints,
  functionKind,
  listKind,
  objectKind,
  optionComplaints,
  timeComplaints,
  unknownOptions,
} from '../errors/definition-error.ts';
import { CallInstances, type CreateInstance, type InvokeMethod } from '../execute/call-instances.ts';
import { Admission } from '../execute/concurrency.ts';
import { KeptResults } from '../execute/paging.ts';
import type { HintOptions } from '../messages/describe-tool.ts';
import type { CallTelemetry } from '../telemetry/call-telemetry.ts';
import type { ToolListener } from '../telemetry/tool-event.ts';
import { metaComplaints } from '../tool/meta-fields.ts';
import type { ApplicationContext, MetaArgument, CreateValidator } from '../tool/tool-contract.ts';
import { type ApprovalOptions, approvalSetting } from './approve.ts';
import { type CallSetting, contextValues } from './call-options.ts';
import type { Interceptor } from './intercept.ts';
import { type ShownSetting, hintOptions } from './show-tools.ts';
import type { DeskSetting } from './tool-set.ts';
import { type Pins, TrustedDefinitions } from './trusted-definitions.ts';

// Told all at once.
export interface WrittenSetting {
  readonly timeoutMs: number | undefined;
  readonly maxResultChars: number | undefined;
  readonly concurrencyLimit: number;
  readonly queueLimit: number;
  readonly meta: readonly MetaArgument[];
}

/** Throws a DefinitionError with every complaint. */
function checkSetting(written: WrittenSetting): void {
  const { timeoutMs, maxResultChars, concurrencyLimit, queueLimit, meta } = written;
  const complaints = [
    ...timeComplaints('ToolRegistry', { timeoutMs }),
    ...countComplaints('ToolRegistry', 100, { maxResultChars }),
    ...countComplaints('ToolRegistry', 1, { concurrencyLimit }),
    ...countComplaints('ToolRegistry', 0, { queueLimit }),
    ...metaComplaints(meta, 'ToolRegistry'),
  ];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

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
  /** Characters of a result that a model reads at once; it may ask for the rest with `_continuation`. Default: all. */
  readonly maxResultChars?: number;
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

// One row each; whether a limit is one is asked afterwards.
const isFunction = (element: unknown): boolean => typeof element === 'function';
const isObject = (element: unknown): boolean => typeof element === 'object' && element !== null;

const hints = "write 'off', or { longest } with a number of characters";

/** `off`, or an object with nothing in it but `longest`, from 0 on. */
function isHints(value: unknown): boolean {
  if (value === 'off') return true;
  if (!isObject(value) || Array.isArray(value)) return false;
  return Object.entries(Object(value)).every(
    ([option, longest]) =>
      option === 'longest' && (longest === undefined || (typeof longest === 'number' && longest >= 0)),
  );
}

const registryOptionKinds: OptionKinds = {
  create: functionKind('write a function that returns an instance, (Class) => new Class(…)'),
  invoke: functionKind('write a function that runs the method, (invocation, run) => run()'),
  context: objectKind('write an object of values by name'),
  listeners: listKind(isObject, 'write a list of listeners, [{ onEvent(event) { … } }]'),
  interceptors: listKind(isFunction, 'write a list of functions, [(call, next) => next()]'),
  approval: objectKind('write {} to be asked about destructive tools, or { needed }'),
  telemetry: objectKind("write openTelemetry() of 'toolmend/opentelemetry'"),
  meta: listKind(isObject, 'write standardMetaArguments, or a list of meta arguments'),
  pins: objectKind('write what digests() returned'),
  hints: { fits: isHints, instead: hints },
  validator: functionKind(
    'write a function that makes a validator of a schema, as interpretingValidator is one',
  ),
};

const registryOptions: Readonly<Record<keyof RegistryOptions, true>> = {
  create: true,
  context: true,
  timeoutMs: true,
  concurrencyLimit: true,
  maxResultChars: true,
  queueLimit: true,
  listeners: true,
  interceptors: true,
  approval: true,
  telemetry: true,
  meta: true,
  pins: true,
  hints: true,
  validator: true,
  invoke: true,
};

/** Throws a DefinitionError with every option of another kind, and every one that there is not. */
function checkRegistryOptions(options: RegistryOptions): void {
  const where = 'ToolRegistry';
  const misfits = optionComplaints(where, options, registryOptionKinds);
  const unknown = typeof options === 'object' ? unknownOptions(where, Object(options), registryOptions) : [];
  const complaints = [...misfits, ...unknown];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

type LimitSetting = Pick<CallSetting, 'timeoutMs' | 'maxResultChars' | 'results' | 'admission'>;

/** Throws a DefinitionError for options that are none. */
function limitSetting(options: RegistryOptions): LimitSetting {
  const { timeoutMs, maxResultChars, concurrencyLimit = 8, queueLimit = 1000, meta = [] } = options;
  checkSetting({ timeoutMs, maxResultChars, concurrencyLimit, queueLimit, meta });
  const admission = new Admission({ concurrencyLimit, queueLimit });
  return { timeoutMs, maxResultChars, results: new KeptResults(), admission };
}

// Copied, checked, and with its defaults.
/** The options as a registry uses them. */
export interface RegistrySetting extends DeskSetting, ShownSetting {
  readonly meta: readonly MetaArgument[];
  readonly validator: RegistryOptions['validator'];
  readonly instancesMadeBy: 'application' | 'default';
}

export function readSetting(options: RegistryOptions): RegistrySetting {
  checkRegistryOptions(options);
  const { create, invoke, context, validator, pins, approval, listeners = [], meta = [] } = options;
  return {
    ...limitSetting(options),
    instances: new CallInstances(create, invoke),
    instancesMadeBy: create === undefined ? 'default' : 'application',
    context: contextValues(context),
    listeners: [...listeners],
    interceptors: [...(options.interceptors ?? [])],
    telemetry: options.telemetry,
    approval: approval === undefined ? undefined : approvalSetting(approval),
    meta: [...meta],
    validator,
    hints: hintOptions(options.hints),
    trusted: new TrustedDefinitions(pins),
  };
}

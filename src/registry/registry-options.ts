import {
  type OptionKinds,
  anyObject,
  boolean,
  callback,
  count,
  either,
  objectWith,
  list,
  milliseconds,
  object,
  oneOfWords,
  optionProblems,
  record,
  required,
  kindWithHint,
  string,
} from '../options/check-options.ts';
import { DefinitionError, definitionProblems } from '../errors/definition-error.ts';
import { ConcurrencyLimiter } from '../run/concurrency.ts';
import type { CallStore, Journal } from '../store/call-store.ts';
import { LearnedHints, type LearningMode } from '../learning/learned-hints.ts';
import { type HintOptions, hintOptionKinds } from '../messages/describe-tool.ts';
import type { HintCounts } from '../store/hint-counts.ts';
import type { CallTelemetry, ToolListener } from '../telemetry/tool-event.ts';
import { metaProblems } from '../tool/meta-arguments.ts';
import type { OwnRule } from '../tool/own-rule.ts';
import type { RuleChoice } from '../tool/rule-choice.ts';
import { checkTimeLimits, toolKinds } from '../tool/tool-options.ts';
import {
  type RepairLevel,
  type ApplicationContext,
  type CreateValidator,
  type MetaArgument,
  validatorKind,
} from '../tool/tool-contract.ts';
import { BackgroundCalls } from '../run/background-calls.ts';
import { contextValues } from '../run/call-options.ts';
import { type Pins, TrustedDefinitions } from './interpret-call.ts';
import { OpenCalls } from '../run/open-calls.ts';
import { type ToolSetSettings, hintOptions } from './tool-set.ts';
import { type CreateInstance, type InvokeMethod, CallInstances } from '../run/call-instances.ts';
import { type BackgroundOptions, backgroundOptionKinds } from '../run/background-options.ts';
import type { Interceptor } from '../run/interceptor.ts';
import {
  type ApprovalOptions,
  approvalOptionKinds,
  approvalSettings,
} from '../run/approval-settings.ts';
import { memoize } from '../collections/memoize.ts';
import { toolSteps } from '../run/call-steps.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { randomId } from '../platform/random-id.ts';
import { digestOf } from '../outcomes/digests.ts';
import { maxEarlierResultLength } from '../messages/call-messages.ts';

/** How much toolmend adds to descriptions, and whether it learns what to add. */
export interface RegistryHintOptions extends HintOptions {
  /**
   * `report`: what each model gets wrong is counted, and `learnedHints()` says which sentences would
   * help. `on`: descriptions of selections with a `model` and a `conversation` have these sentences.
   * Default: `report`.
   */
  readonly learn?: 'off' | LearningMode;
  /**
   * Where the counts are kept, for example `await openHintFile('hints.json')` of `toolmend/journal`.
   * Default: in the journal, else in memory.
   */
  readonly counts?: HintCounts;
  /**
   * Further sentences by the name of a tool, in which `*` stands for any characters, for tools that
   * the program knows by name only. They come after the author's own.
   */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
}

const registryHintKinds: OptionKinds<RegistryHintOptions> = {
  ...hintOptionKinds,
  learn: oneOfWords('off', 'report', 'on'),
  counts: objectWith('exchange', "write await openHintFile('hints.json') of 'toolmend/journal'"),
  tools: record(
    list(string, 'write an array of sentences'),
    "write an object of sentences by name, { read_file: ['…'] }",
  ),
};

/** The options of `new ToolRegistry`. */
export interface RegistryOptions {
  /**
   * Makes the instance that runs a call: a new one for each call of a `@Tool` class, any instance
   * of a class with tool methods. May return a promise. Default: `new Class()`.
   */
  readonly create?: CreateInstance;
  /**
   * Wraps the methods of class tools: returns what `run()` returns, or another result. Default: no
   * wrapper.
   */
  readonly invoke?: InvokeMethod;
  /**
   * Application values for every call: for `@FromContext` fields and `ToolContext.values`. Default:
   * none.
   */
  readonly context?: ApplicationContext;
  /** Milliseconds, for tools without a `timeoutMs` of their own. Default: no limit. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds that a model may ask for with `_timeout_seconds`, for tools without a
   * `maxTimeoutMs` of their own. Default: the `timeoutMs` of the tool or the registry; without one,
   * any time.
   */
  readonly maxTimeoutMs?: number;
  /**
   * Calls that run at the same time, beside those in the background; further calls wait. Default:
   * 8.
   */
  readonly concurrencyLimit?: number;
  /**
   * Calls that wait; beyond it, a call of the tenant with the most waiting calls is refused as
   * `busy`. Default: 1000.
   */
  readonly queueLimit?: number;
  /** Receive the events of every call. Default: none. */
  readonly listeners?: readonly ToolListener[];
  /**
   * Events of repaired and of invalid calls have the arguments as the model sent them, secrets
   * included. Default: false.
   */
  readonly eventArguments?: boolean;
  /**
   * The version of the application, such as `process.env.VERSION`. A journal keeps it with each call,
   * so that releases can be compared. Default: none.
   */
  readonly release?: string;
  /** Wrap every call whose arguments were accepted; the first one is outermost. Default: none. */
  readonly interceptors?: readonly Interceptor[];
  /** Makes calls require approval: `{}` for calls of destructive tools. Default: no call does. */
  readonly approval?: ApprovalOptions;
  /**
   * Writes every call before it runs and when it has ended, for example
   * `await openJournal({ folder: 'journal' })` of `toolmend/journal`. Approvals are kept there, and
   * calls with the same id run once. Default: approvals are kept in memory.
   */
  readonly journal?: Journal;
  /** How calls run in the background. */
  readonly background?: BackgroundOptions;
  /**
   * Observes every call, interpretation included, for example `openTelemetry()` of
   * `toolmend/opentelemetry`. Default: none.
   */
  readonly telemetry?: CallTelemetry;
  /** Meta arguments of every tool: `standardMetaArguments`, or others. Default: none. */
  readonly meta?: readonly MetaArgument[];
  /**
   * Digests of the reviewed definitions, by tool name (`tools.digests()`). Calls of any other
   * definition are rejected until `tools.accept`. Default: every definition may be called.
   */
  readonly pins?: Pins;
  /**
   * Contract hints that are added to the authors' descriptions, such as "paths is a JSON array of
   * strings." Default: at most 300 characters a tool.
   */
  readonly hints?: 'off' | RegistryHintOptions;
  /** The most that repair may do for any tool; a tool's stricter level wins. Default: `all`. */
  readonly repair?: RepairLevel;
  /** Rules that are off for every tool: `{ wrap_in_array: false }`. Default: all are on. */
  readonly rules?: RuleChoice;
  /**
   * Rules of one's own for every tool, made by `defineRule`; they are tried after those of the
   * tool. Default: none.
   */
  readonly ownRules?: readonly OwnRule[];
  /** Makes the validators of tools without one of their own. Default: toolmend's own. */
  readonly validator?: CreateValidator;
}

const metaArgumentKinds: OptionKinds<MetaArgument> = {
  key: required(string),
  name: required(string),
  schema: required(anyObject('write a JSON Schema')),
  aliases: required(list(string)),
  isRequired: required(boolean),
  check: callback('write a function that returns what is wrong with a value'),
};

export const registryOptionKinds: OptionKinds<RegistryOptions> = {
  create: callback('write a function that returns an instance, (Class) => new Class(…)'),
  invoke: callback('write a function that runs the method, (invocation, run) => run()'),
  context: anyObject('write an object of values by name'),
  timeoutMs: milliseconds,
  maxTimeoutMs: milliseconds,
  concurrencyLimit: count(1),
  queueLimit: count(0),
  listeners: list(
    anyObject('write a listener, { onEvent(event) { … } }'),
    'write an array of listeners',
  ),
  eventArguments: boolean,
  release: kindWithHint(string, "write the version of the application, '1.8.0'"),
  interceptors: list(
    callback('write an interceptor, (call, next) => next()'),
    'write an array of functions, [(call, next) => next()]',
  ),
  approval: object(approvalOptionKinds, 'write {} to ask about destructive tools, or { needed }'),
  journal: objectWith('begin', "write await openJournal() of 'toolmend/journal'"),
  background: object(backgroundOptionKinds, 'write { onEnd: (call) => … }'),
  telemetry: objectWith('observe', "write openTelemetry() of 'toolmend/opentelemetry'"),
  meta: list(
    object(metaArgumentKinds),
    'write standardMetaArguments, or an array of meta arguments',
  ),
  pins: record(string, 'write what digests() returned'),
  hints: either(
    "write 'off', or { longest } with a number of characters",
    oneOfWords('off'),
    object(registryHintKinds),
  ),
  repair: toolKinds.repair,
  rules: toolKinds.rules,
  ownRules: toolKinds.ownRules,
  validator: validatorKind,
};

function checkRegistryOptions(options: RegistryOptions): void {
  const problems = optionProblems('ToolRegistry', options, registryOptionKinds);
  const sound = problems.length > 0 ? {} : options;
  const limits = definitionProblems();
  checkTimeLimits(sound, limits.at('ToolRegistry'));
  const all = [...problems, ...metaProblems(sound.meta ?? [], 'ToolRegistry'), ...limits.problems];
  if (all.length > 0) throw new DefinitionError(all);
}

export type RuleSetting = Required<Pick<RegistryOptions, 'repair' | 'rules' | 'ownRules'>>;

/** The checked options of a registry, with their defaults. */
export interface RegistrySetting extends ToolSetSettings {
  readonly meta: readonly MetaArgument[];
  readonly validator: RegistryOptions['validator'];
  readonly rules: RuleSetting;
  /** Sentences by the names of tools. */
  readonly toolHints: Readonly<Record<string, readonly string[]>>;
  readonly instancesMadeBy: 'application' | 'default';
}

/** The store of a registry without a journal: it ends with the process, and keeps what goes on. */
function storeOfProcess(): CallStore {
  // Workers refuse random values while a module is loaded, when registries are made.
  let salt: string | undefined;
  const secretDigest = (text: string): string => digestOf([(salt ??= randomId()), text]);
  return new MemoryStore({
    maxResultChars: maxEarlierResultLength + 1,
    secretDigest,
    keeps: 'open_calls',
  });
}

function learnedHintsOf(
  hints: RegistryOptions['hints'] = {},
  storedCounts: HintCounts,
): LearnedHints | undefined {
  if (hints === 'off' || hints.learn === 'off') return undefined;
  const { learn: mode = 'report', counts = storedCounts } = hints;
  return new LearnedHints({ ...hintOptions(hints), mode, counts });
}

export function readSetting(options: RegistryOptions): RegistrySetting {
  checkRegistryOptions(options);
  const {
    create,
    invoke,
    context,
    validator,
    pins,
    approval,
    journal,
    listeners = [],
    meta = [],
  } = options;
  const { timeoutMs, maxTimeoutMs, concurrencyLimit = 8, queueLimit = 1000 } = options;
  const { repair = 'all', rules = {}, ownRules = [] } = options;
  const { background = {} } = options;
  const store = journal ?? storeOfProcess();
  const recording = journal === undefined ? 'open_calls' : 'every_call';
  const openCalls = new OpenCalls();
  const slots = { foreground: concurrencyLimit, background: background.concurrencyLimit ?? 8 };
  const setting: RegistrySetting = {
    timeLimits: { timeoutMs, maxTimeoutMs },
    limiter: new ConcurrencyLimiter({ slots, queueLimit }),
    instances: new CallInstances(create, invoke),
    instancesMadeBy: create === undefined ? 'default' : 'application',
    context: contextValues(context),
    listeners: [...listeners],
    eventArguments: options.eventArguments ?? false,
    release: options.release,
    interceptors: [...(options.interceptors ?? [])],
    telemetry: options.telemetry,
    approval: approval === undefined ? undefined : approvalSettings(approval, recording),
    store,
    recording,
    background: new BackgroundCalls(background, openCalls, store, recording),
    queue: background.queue,
    openCalls,
    checkTool: background.checkTool ?? 'offered',
    meta: [...meta],
    validator,
    rules: { repair, rules, ownRules: [...ownRules] },
    hints: hintOptions(options.hints),
    learnedHints: learnedHintsOf(options.hints, store.hintCounts),
    toolHints: options.hints === 'off' ? {} : (options.hints?.tools ?? {}),
    pinnedDefinitions: new TrustedDefinitions(pins),
    stepsOf: memoize((contract) => toolSteps(contract, setting)),
  };
  return setting;
}

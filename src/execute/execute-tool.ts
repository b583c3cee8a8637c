import type { AcceptedToolCall } from '../interpret/records.ts';
import { newErrorId, signalTextOf, ToolmendError, ToolRetry } from '../errors/errors.ts';
import { argumentsText, rejectChecks } from '../interpret/interpretation.ts';
import type { ToolCall } from '../providers/tool-call.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import { defineKey } from '../collections/objects.ts';
import {
  type JsonObject,
  type JsonValue,
  copyJson,
  isJsonArray,
  isJsonObject,
} from '../json/value.ts';
import {
  commitUnknown,
  internalErrorMessage,
  notExecuted,
  whyNotExecuted,
} from '../messages/call-messages.ts';
import type { Validated } from '../schema/input-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import { notify } from '../telemetry/tool-event.ts';
import type {
  ApplicationContext,
  ClassBinding,
  Constructor,
  MethodBinding,
  ToolContract,
} from '../tool/tool-contract.ts';
import { validatorOf, viewsOf } from '../validate/validator.ts';
import type { ConcurrencyLimiter, Slot, SlotPool, SlotRequest } from './concurrency.ts';
import type { CallEntry, Journal } from './journal.ts';
import {
  type Ending,
  type Run,
  type Settled,
  type TimeLimit,
  runUntilEnded,
} from './run-until-ended.ts';
import { type CallTransaction, type ToolContext, RunContext } from './tool-context.ts';
import { type ExecutedOutcome, type LimitExceeded, hidingCause, refuse } from './tool-outcome.ts';
import { checkOutput, drainGenerator, isGenerator, partsOf, resultContent } from './tool-result.ts';
import { TransactionalRun } from './transactional-run.ts';

export interface ExecutableCall extends AcceptedToolCall {
  readonly contract: ToolContract;
}

/** How one call runs. */
export interface Execution {
  readonly values: ApplicationContext;
  readonly instances: CallInstances;
  readonly limiter: ConcurrencyLimiter;
  readonly pool: SlotPool;
  /** `parent`: the context of the call whose code makes this one. */
  readonly options: {
    readonly tenant?: string;
    readonly parent?: ToolContext;
    readonly progress?: (update: unknown) => void;
  };
  readonly signal: AbortSignal | undefined;
  readonly limit: TimeLimit | undefined;
  /** The call in the journal. */
  readonly entry: CallEntry | undefined;
  readonly journal: Journal | undefined;
  /**
   * Called when the call has its slot, right before its code runs. If it throws or rejects, nothing
   * runs.
   */
  readonly onStart: () => Promise<void> | void;
  /** Called if the call ends while the tool's code runs: `onLate` follows. */
  readonly onOverrun: () => void;
  /** Called if the tool's code ends after the call, when it ignored its signal. */
  readonly onLate: (late: Settled) => void;
}

/** Waits for a slot and runs the accepted arguments once, within the time limit. Never rejects. */
export async function executeTool(
  accepted: ExecutableCall,
  execution: Execution,
): Promise<ExecutedOutcome | LimitExceeded> {
  const { limiter, signal } = execution;
  const request = requestOf(accepted, execution);
  if ('error' in request) return failedBefore(accepted, request.error);
  const acquiring = limiter.acquire(request, signal);
  const acquired = 'kind' in acquiring ? acquiring : await acquiring;
  if (acquired.kind === 'rejected') return refuse(accepted, acquired.reason);
  if (acquired.kind === 'cancelled') return cancelledBefore(accepted, acquired.reason);
  const { slot } = acquired;
  try {
    const starting = execution.onStart();
    if (starting !== undefined) await starting;
  } catch (error) {
    limiter.release(slot);
    return failedBefore(accepted, error);
  }
  const start = performance.now();
  const outcomeNow = (ending: Ending): ExecutedOutcome =>
    outcomeOf(ending, accepted, { duration: performance.now() - start });
  const transactional = transactionalRun(accepted, execution, (value) =>
    outcomeNow({ kind: 'returned', value }),
  );
  const ending = await runTool(accepted, execution, slot, transactional);
  const committed = await transactional?.committed();
  limiter.release(slot);
  if (committed !== undefined) return committed;
  const failure = transactional?.failure;
  if (failure?.code === 'lease-lost') return failedBefore(accepted, failure);
  if (failure?.code === 'commit-unknown') return commitFailed(accepted, failure);
  return outcomeNow(ending);
}

function commitFailed(
  { call, tool, interpretation }: ExecutableCall,
  cause: ToolmendError,
): ExecutedOutcome {
  const facts = { call, tool, interpretation, duration: 0, message: commitUnknown(tool), cause };
  return hidingCause({ ...facts, status: 'failed', reason: 'in_doubt' });
}

function transactionalRun(
  { contract }: ExecutableCall,
  { journal, entry }: Execution,
  outcomeOfValue: (value: unknown) => ExecutedOutcome,
): TransactionalRun | undefined {
  if (contract.execution?.transactional !== true) return undefined;
  if (journal === undefined || entry === undefined) return undefined;
  return new TransactionalRun({ contract, journal, entry, outcomeOfValue });
}

/**
 * Runs the author's code with a context of its own. Progress is reported until the call has ended.
 * Never rejects.
 */
function runTool(
  accepted: ExecutableCall,
  execution: Execution,
  slot: Slot,
  transactional: TransactionalRun | undefined,
): Promise<Ending> {
  const { values, instances, limiter, signal, limit, options, entry } = execution;
  const { onLate, onOverrun } = execution;
  const { call, interpretation } = accepted;
  const code = async (run: Run): Promise<unknown> => {
    const progress = (update: unknown): void => {
      if (!run.isOver) notify(() => options.progress?.(update));
    };
    const { meta } = interpretation;
    const { idempotencyKey } = entry ?? {};
    const parts = { progress, meta, call, values, run, slot, idempotencyKey };
    const runOnce = async (transaction: CallTransaction | undefined): Promise<unknown> => {
      const context = new RunContext({ ...parts, transaction });
      const returned = await runBinding(accepted, { context, running: run, instances });
      return isGenerator(returned) ? drainGenerator(returned, run, progress) : returned;
    };
    return transactional === undefined ? runOnce(undefined) : transactional.run(run, runOnce);
  };
  return runUntilEnded(code, { signal, limit, limiter, onLate, onOverrun });
}

/** What the author's code gets from a run. */
interface RunParts {
  readonly context: ToolContext;
  readonly running: Run;
  readonly instances: CallInstances;
}

/**
 * Runs the author's code on a copy of the accepted arguments. May return a promise. Throws what
 * that code throws.
 */
function runBinding(accepted: ExecutableCall, parts: RunParts): unknown {
  const { contract, interpretation } = accepted;
  const { binding, validation } = contract;
  const { value: values } = interpretation;
  if (binding.kind === 'remote') return binding.send(argumentsText(interpretation), parts.context);
  if (binding.kind === 'function' && validation !== undefined) {
    const result = validation.take(values);
    const run = (validated: Validated): unknown =>
      binding.execute(validValue(accepted, validated), parts.context);
    return result instanceof Promise ? result.then(run) : run(result);
  }
  if (binding.kind === 'function')
    return binding.execute(applyDefaults(viewsOf(contract), values), parts.context);
  if (binding.kind !== 'none') return runMethod(contract, binding, values, parts);
  const message = `${contract.name} has nothing to execute: give it a function`;
  throw new ToolmendError('nothing-to-execute', message);
}

/**
 * Arguments that were valid when they were interpreted may not be any more: the model reads why.
 */
function validValue({ contract, interpretation }: ExecutableCall, validated: Validated): unknown {
  if (validated.kind === 'valid') return validated.value;
  const { message } = rejectChecks(validatorOf(contract), interpretation.meta, validated.failures);
  throw new ToolRetry(message);
}

async function runMethod(
  contract: ToolContract,
  binding: ClassBinding | MethodBinding,
  values: JsonObject,
  { context, running, instances }: RunParts,
): Promise<unknown> {
  const instance = await instances.of(binding, context.call, context.values);
  // The call may have ended while the instance was made.
  running.throwIfStopped();
  if (binding.kind === 'class') binding.fill(instance, values, context.values);
  const made = binding.kind === 'class' ? [] : [binding.makeArguments(values, context.values)];
  const { method } = binding;
  return instances.invoke({ contract, instance, method, parameters: [...made, context], context });
}

function requestOf(
  { contract, interpretation }: ExecutableCall,
  { values, pool, options, entry }: Execution,
): SlotRequest | { readonly error: unknown } {
  const { tenant = '', parent: outer } = options;
  try {
    const parent = outer && RunContext.slotOf(outer);
    const request = { tenant, pool, parent, entry: entry?.id };
    return { ...request, ...concurrencyOf(contract, interpretation.value, values) };
  } catch (error) {
    return { error };
  }
}

/** Throws what the author's key function throws, and a TypeError for a key without a JSON form. */
function concurrencyOf(
  contract: ToolContract,
  values: JsonObject,
  context: ApplicationContext,
): Pick<SlotRequest, 'mode' | 'locks'> {
  const { concurrency = 'parallel' } = contract.execution ?? {};
  if (typeof concurrency === 'string') return { mode: concurrency, locks: [] };
  const key = concurrency.key(valuesForKey(contract, values), context);
  if (key === undefined || key === null) return { mode: 'parallel', locks: [] };
  const parts: readonly unknown[] = Array.isArray(key) ? key : [key];
  return { mode: 'parallel', locks: [...new Set(parts.map(lockOf))] };
}

/**
 * The values of a schema that validates itself are known by now, unless the call was accepted in
 * another process.
 */
function valuesForKey(contract: ToolContract, values: JsonObject): object {
  const result = contract.validation?.resultOf(values);
  const value = result instanceof Promise || result?.kind !== 'valid' ? undefined : result.value;
  return typeof value === 'object' && value !== null
    ? value
    : applyDefaults(viewsOf(contract), values);
}

const lockOf = (part: unknown): string =>
  typeof part === 'string' ? part : canonicalJson(writeJson(part).value);

interface CallFacts extends Omit<ExecutableCall, 'contract'> {
  readonly duration: number;
  /** Present: nothing was executed. */
  readonly when?: 'before';
}

const notStarted = { duration: 0, when: 'before' } as const;

/**
 * The outcome of a call by how its run ended. The text of an exception reaches the model only from
 * ToolRetry and ToolFailure.
 */
export function outcomeOf(
  ending: Ending,
  { call, tool, interpretation, contract }: ExecutableCall,
  run: Pick<CallFacts, 'duration' | 'when'> = notStarted,
): ExecutedOutcome {
  const facts = { call, tool, interpretation, ...run };
  if (ending.kind === 'returned') return outcomeOfResult(ending.value, facts, contract);
  if (ending.kind === 'threw') return outcomeOfError(ending.error, facts);
  const isUndone = contract.execution?.transactional === true;
  const left = isUndone ? 'Its work was undone.' : 'Part of its work may be done.';
  if (ending.kind === 'timed_out') {
    const { milliseconds: timeoutMs, setBy } = ending.limit;
    const asked = setBy === 'model' ? ', which the call asked for,' : '';
    const message = `${tool} did not finish within its time limit of ${timeoutMs} ms${asked} and was told to stop. ${left}`;
    return Object.freeze({ ...facts, status: 'timed_out', timeoutMs, setBy, message });
  }
  const { when, reason } = ending;
  const message =
    when === 'before'
      ? notExecuted(tool, whyNotExecuted.cancelled)
      : `${tool} was cancelled while it was running. ${left}`;
  return hidingCause({ ...facts, status: 'cancelled', when, message, cause: reason });
}

export const failedBefore = (accepted: ExecutableCall, error: unknown): ExecutedOutcome =>
  outcomeOf({ kind: 'threw', error }, accepted);

export const cancelledBefore = (accepted: ExecutableCall, reason: unknown): ExecutedOutcome =>
  outcomeOf({ kind: 'cancelled', when: 'before', reason }, accepted);

function outcomeOfResult(
  returned: unknown,
  facts: CallFacts,
  contract: ToolContract,
): ExecutedOutcome {
  try {
    const parts = partsOf(returned);
    const { value: result, returnDirect = contract.execution?.returnDirect ?? false } = parts;
    const content = Object.freeze(resultContent(parts));
    checkOutput(contract, content.structured);
    const artifact = 'artifact' in parts ? { artifact: parts.artifact } : {};
    return Object.freeze({
      ...facts,
      status: 'completed',
      result,
      content,
      returnDirect,
      ...artifact,
    });
  } catch (cause) {
    const errorId = newErrorId();
    const { tool, when } = facts;
    const message =
      when === undefined
        ? `${tool} was ${contract.execution?.transactional === true ? 'undone, because' : 'executed, but'} its result cannot be shown (error ${errorId}).`
        : notExecuted(
            tool,
            `The result that was given in its place cannot be shown (error ${errorId}).`,
          );
    return hidingCause({ ...facts, status: 'failed', reason: 'result', message, errorId, cause });
  }
}

function outcomeOfError(cause: unknown, facts: CallFacts): ExecutedOutcome {
  const signal = signalTextOf(cause);
  if (signal === undefined) {
    const errorId = newErrorId();
    const message =
      facts.when === undefined
        ? `${facts.tool} failed with an internal error (error ${errorId}).`
        : internalErrorMessage(facts.tool, errorId);
    return hidingCause({
      ...facts,
      status: 'failed',
      reason: 'exception',
      message,
      errorId,
      cause,
    });
  }
  const message = signal.text;
  return signal.kind === 'retry'
    ? Object.freeze({ ...facts, status: 'retry', message })
    : hidingCause({ ...facts, status: 'failed', reason: 'declared', message, cause });
}

/**
 * A copy in which absent properties have the schema's defaults. Defaults in `properties`, elements,
 * `$ref` and `allOf` apply, those in branches of a union don't, as with Ajv's `useDefaults`
 * (https://ajv.js.org/guide/modifying-data.html#assigning-defaults).
 */
export function applyDefaults(views: SchemaViews, values: JsonObject): JsonObject {
  return filledObject(views, views.of(views.root), values);
}

function filled(views: SchemaViews, schema: JsonSchema, value: JsonValue): JsonValue {
  const view = views.of(schema);
  if (isJsonArray(value)) {
    return value.map((element, index) =>
      filled(views, view.prefixItems[index] ?? view.items, element),
    );
  }
  return isJsonObject(value) ? filledObject(views, view, value) : value;
}

function filledObject(views: SchemaViews, view: SchemaView, value: JsonObject): JsonObject {
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    const isScalar = typeof member !== 'object' || member === null;
    defineKey(copy, key, isScalar ? member : filled(views, memberSchema(view, key), member));
  }
  for (const [key, defaultValue] of views.defaultsOf(view)) {
    if (!Object.hasOwn(value, key)) defineKey(copy, key, copyJson(defaultValue));
  }
  return copy;
}

/** Makes the instance for one call: a dependency injection container, or `new Class(…)`. */
export type CreateInstance = (
  Class: Constructor,
  call: ToolCall,
  values: ApplicationContext,
) => object | Promise<object>;

/** A call of the author's method, right before it runs. */
export interface Invocation {
  readonly contract: ToolContract;
  /** The instance of a `@Tool` class, its fields filled; or the provider of a tool method. */
  readonly instance: object;
  /** The method's name. */
  readonly method: string;
  /**
   * The method's parameters: the context, preceded by the instance of its arguments class, if it
   * has one.
   */
  readonly parameters: readonly unknown[];
  readonly context: ToolContext;
}

/** Wraps the author's method, for frameworks with guards, pipes and interceptors of their own. */
export type InvokeMethod = (invocation: Invocation, run: () => unknown) => unknown;

/**
 * Makes the instances of one registry. The fields of a tool class are the arguments, so that two
 * calls never share an instance.
 */
export class CallInstances {
  readonly #create: CreateInstance;
  readonly #invoke: InvokeMethod | undefined;
  readonly #used = new WeakSet();

  constructor(create: CreateInstance = (Class) => new Class(), invoke?: InvokeMethod) {
    this.#create = create;
    this.#invoke = invoke;
  }

  invoke(invocation: Invocation): unknown {
    const { instance, method, parameters } = invocation;
    const code = methodOf(instance, method);
    const run = (): unknown => Reflect.apply(code, instance, parameters);
    return this.#invoke === undefined ? run() : this.#invoke(invocation, run);
  }

  /**
   * A new instance of a tool class, or the provider of a tool method. Throws for no object, and for
   * an instance of another call.
   */
  async of(
    binding: ClassBinding | MethodBinding,
    call: ToolCall,
    values: ApplicationContext,
  ): Promise<object> {
    const Class = binding.kind === 'class' ? binding.Class : binding.Owner;
    const instance: unknown = await this.#create(Class, call, values);
    if (typeof instance !== 'object' || instance === null)
      throw new ToolmendError('no-instance', `create gave no ${Class.name}: return an instance`);
    if (binding.kind === 'class' && this.#used.has(instance)) {
      const message = `create gave the same ${Class.name} to two calls: make one a call`;
      throw new ToolmendError('instance-reused', message);
    }
    if (binding.kind === 'class') this.#used.add(instance);
    return instance;
  }
}

export function methodOf(instance: object, name: string): (...parameters: unknown[]) => unknown {
  const method: unknown = Reflect.get(instance, name);
  if (isFunction(method)) return method;
  const message = `what create gave has no method ${name}: return an instance of the tool's class`;
  throw new ToolmendError('no-method', message);
}

const isFunction = (value: unknown): value is (...parameters: unknown[]) => unknown =>
  typeof value === 'function';

import type { AcceptedToolCall } from '../interpret/records.ts';
import { ToolmendError, ToolRetry } from '../errors/errors.ts';
import { argumentsText, rejectChecks } from '../interpret/interpretation.ts';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import type { JsonObject } from '../json/value.ts';
import type { Validated } from '../schema/input-schema.ts';
import { notify } from '../telemetry/tool-event.ts';
import type {
  ApplicationContext,
  ClassBinding,
  MethodBinding,
  ToolContract,
} from '../tool/tool-contract.ts';
import { validatorOf, viewsOf } from '../validate/validator.ts';
import type { ConcurrencyLimiter, Slot, SlotPool, SlotRequest } from './concurrency.ts';
import type { CallEntry, Journal } from '../store/journal.ts';
import { type Ending, type Run, type Settled, runUntilEnded } from './run-until-ended.ts';
import { type CallTransaction, type ToolContext, RunContext } from './tool-context.ts';
import { type ExecutedOutcome, type LimitExceeded, refuse } from '../execute/tool-outcome.ts';
import { TransactionalRun } from './transactional-run.ts';
import type { TimeLimit } from '../tool/time-limits.ts';
import { drainGenerator, isGenerator } from './drain-generator.ts';
import type { CallInstances } from './call-instances.ts';
import { failedBefore, cancelledBefore, outcomeOf, commitFailed } from './outcome-of-ending.ts';
import { applyDefaults } from './apply-defaults.ts';

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

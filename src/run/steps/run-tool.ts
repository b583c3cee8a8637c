import { ToolmendError, ToolRetry } from '../../errors/errors.ts';
import type { AcceptedOutcome, ExecutedOutcome } from '../../outcomes/tool-outcome.ts';
import { argumentsText, rejectChecks } from '../../interpret/interpretation.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Validated } from '../../schema/input-schema.ts';
import { emitEvent, notify } from '../../telemetry/tool-event.ts';
import type { ClassBinding, MethodBinding } from '../../tool/tool-contract.ts';
import { validatorOf, viewsOf } from '../../validate/validator.ts';
import { applyDefaults } from '../apply-defaults.ts';
import { lateEvent } from '../call-events.ts';
import { drainGenerator, isGenerator } from '../drain-generator.ts';
import type { AcceptedCall } from '../interpreted-call.ts';
import { openQuestion } from '../open-question.ts';
import { commitFailed, failedBefore, outcomeOf } from '../outcome-of-ending.ts';
import { type Ending, type Run, runUntilEnded } from '../run-until-ended.ts';
import type { RunningCall } from '../running-call.ts';
import { type CallTransaction, type ToolContext, RunContext } from '../tool-context.ts';
import { TransactionalRun } from '../transactional-run.ts';

/**
 * The last step: runs the tool once on the accepted arguments, within the time limit. Never
 * rejects.
 */
export async function runTool(call: RunningCall): Promise<AcceptedOutcome> {
  const { acceptedCall } = call;
  call.onStart?.();
  const start = performance.now();
  const outcomeNow = (ending: Ending): ExecutedOutcome =>
    outcomeOf(ending, acceptedCall, { duration: performance.now() - start });
  const transactional = transactionalRun(call, (value) => outcomeNow({ kind: 'returned', value }));
  const { whenEnded, contextNow } = runCode(call, transactional);
  const ending = await whenEnded;
  const context = contextNow();
  const question = context?.openQuestion;
  if (context !== undefined && question !== undefined && isSettled(ending)) {
    const { idempotencyKey } = context;
    return openQuestion(call, question, { idempotencyKey, duration: performance.now() - start });
  }
  if (transactional === undefined) return outcomeNow(ending);
  const committedOutcome = await transactional.commitOutcome();
  if (committedOutcome !== undefined) return committedOutcome;
  const { failure } = transactional;
  if (failure?.code === 'lease-lost') return failedBefore(acceptedCall, failure);
  if (failure?.code === 'commit-unknown') return commitFailed(acceptedCall, failure);
  return outcomeNow(ending);
}

const isSettled = ({ kind }: Ending): boolean => kind === 'returned' || kind === 'threw';

function transactionalRun(
  { acceptedCall: { contract }, entry, settings: { store } }: RunningCall,
  outcomeOfValue: (value: unknown) => ExecutedOutcome,
): TransactionalRun | undefined {
  if (contract.execution?.transactional !== true) return undefined;
  return entry && new TransactionalRun({ contract, store, entry, outcomeOfValue });
}

/**
 * Runs the author's code with a context of its own. Progress is reported until the call has ended.
 * Never rejects.
 */
function runCode(
  runningCall: RunningCall,
  transactional: TransactionalRun | undefined,
): { readonly whenEnded: Promise<Ending>; readonly contextNow: () => RunContext | undefined } {
  const {
    acceptedCall,
    values,
    signal,
    timeLimit: limit,
    options,
    entry,
    slot,
    overrun,
  } = runningCall;
  const { settings, listeners } = runningCall;
  const { call, interpretation, contract } = acceptedCall;
  let context: RunContext | undefined;
  const code = (run: Run): Promise<unknown> => {
    const progress = (update: unknown): void => {
      if (!run.isOver) notify(() => options.progress?.(update));
    };
    const { meta } = interpretation;
    const { idempotencyKey, answers } = entry ?? {};
    const storedFacts = { idempotencyKey, answers };
    const parts = { progress, meta, call, values, run, slot, contract, ...storedFacts };
    const runOnce = async (transaction: CallTransaction | undefined): Promise<unknown> => {
      context = new RunContext({ ...parts, transaction });
      const startedRun = await runBinding(runningCall, context, run);
      const returnedValue = isGenerator(startedRun)
        ? await drainGenerator(startedRun, run, progress)
        : startedRun;
      context.requireAnswers();
      return returnedValue;
    };
    return transactional === undefined ? runOnce(undefined) : transactional.run(run, runOnce);
  };
  const whenEnded = runUntilEnded(code, {
    signal,
    limit,
    limiter: settings.limiter,
    onOverrun: () => {
      // The work of a transactional tool is undone, whatever its code returns.
      if (contract.execution?.transactional !== true) overrun?.begin();
    },
    onLate: (late) => {
      overrun?.end(late);
      emitEvent(listeners, lateEvent(acceptedCall, late));
    },
  });
  return { whenEnded, contextNow: () => context };
}

/**
 * Runs the author's code on a copy of the accepted arguments. May return a promise. Throws what
 * that code throws.
 */
function runBinding(runningCall: RunningCall, context: ToolContext, run: Run): unknown {
  const { acceptedCall } = runningCall;
  const { contract, interpretation } = acceptedCall;
  const { binding, validation } = contract;
  const { value: values } = interpretation;
  if (binding.kind === 'remote') return binding.send(argumentsText(interpretation), context);
  if (binding.kind === 'function' && validation !== undefined) {
    const result = validation.take(values);
    const execute = (awaitedValidation: Validated): unknown =>
      binding.execute(validValue(acceptedCall, awaitedValidation), context);
    return result instanceof Promise ? result.then(execute) : execute(result);
  }
  if (binding.kind === 'function')
    return binding.execute(applyDefaults(viewsOf(contract), values), context);
  if (binding.kind !== 'none') return runMethod(runningCall, binding, context, run);
  const message = `${contract.name} has nothing to execute: give it a function`;
  throw new ToolmendError('nothing-to-execute', message);
}

/**
 * Arguments that were valid when they were interpreted may not be any more: the model reads why.
 */
function validValue(
  { contract, interpretation }: AcceptedCall,
  awaitedValidation: Validated,
): unknown {
  if (awaitedValidation.kind === 'valid') return awaitedValidation.value;
  const { message } = rejectChecks(
    validatorOf(contract),
    interpretation.meta,
    awaitedValidation.failures,
  );
  throw new ToolRetry(message);
}

async function runMethod(
  { acceptedCall, settings: { instances } }: RunningCall,
  binding: ClassBinding | MethodBinding,
  context: ToolContext,
  run: Run,
): Promise<unknown> {
  const { contract, interpretation } = acceptedCall;
  const values: JsonObject = interpretation.value;
  const instance = await instances.of(binding, context.call, context.values);
  // The call may have ended while the instance was made.
  run.throwIfStopped();
  if (binding.kind === 'class') binding.fill(instance, values, context.values);
  const methodArguments =
    binding.kind === 'class' ? [] : [binding.makeArguments(values, context.values)];
  const { method } = binding;
  return instances.invoke({
    contract,
    instance,
    method,
    parameters: [...methodArguments, context],
    context,
  });
}

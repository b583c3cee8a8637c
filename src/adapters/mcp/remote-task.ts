// Calls of remote tools as tasks:
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
import { memberOf } from '../../collections/objects.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, Progress } from '@modelcontextprotocol/client';
import { longestTimeout } from '../../options/check-options.ts';
import { ToolFailure } from '../../errors/errors.ts';
import { RunContext, type ToolContext } from '../../run/tool-context.ts';
import { printable } from '../../json/preview.ts';
import { internalError } from './call-result.ts';
import { type SentCall, type ToolClient, anyResult, readCallResult } from './first-sdk.ts';
import type { ListedTool } from './remote-options.ts';

/**
 * Whether a call is sent as a task: if the tool requires it, or if the tool takes tasks and the
 * call runs in the background.
 */
export function isSentAsTask(
  client: ToolClient,
  { execution }: ListedTool,
  context: ToolContext,
): boolean {
  const support = memberOf(execution, 'taskSupport');
  const takesTasks = memberOf(memberOf(taskCapabilities(client), 'requests'), 'tools');
  if (memberOf(takesTasks, 'call') === undefined || client.getProtocolEra() === 'modern')
    return false;
  const isInBackground = RunContext.slotOf(context)?.request.pool === 'background';
  return support === 'required' || (support === 'optional' && isInBackground);
}

const taskCapabilities = (client: ToolClient): unknown =>
  memberOf(client.getServerCapabilities(), 'tasks');

/** What a call as a task needs. `name`: of the tool in the registry. */
export interface TaskCall {
  readonly client: ToolClient;
  readonly name: string;
  readonly sentCall: SentCall;
  readonly isLost: (error: unknown) => boolean;
}

/**
 * Sends the call as a task, and waits for its result. If the signal fires, the task is cancelled.
 * Rejects with the client's error if there is no task, and after that with a ToolFailure.
 */
export async function callAsTask(call: TaskCall, context: ToolContext): Promise<CallToolResult> {
  const { client, sentCall } = call;
  const progress = new ReportedProgress(context.progress);
  const stop = new AbortController();
  const creation = client.request(
    { method: 'tools/call', params: { ...sentCall, task: {} } },
    anyResult,
    {
      signal: stop.signal,
      timeout: longestTimeout,
      onprogress: (update) => progress.report(update),
    },
  );
  const answer = await orAborted(creation, context.signal, () => {
    // The request itself is cancelled only after a while, so that the task of a late answer can be
    // cancelled.
    const timer = setTimeout(() => stop.abort(context.signal.reason), creationGraceMs);
    timer.unref();
    creation
      .then((creationResult) => cancelTask(client, taskIdOf(creationResult)))
      .catch(() => undefined);
  });
  const taskId = taskIdOf(answer);
  // The server has answered the call itself.
  if (taskId === undefined) return readCallResult(answer);
  const task = { ...call, taskId, progress, signal: context.signal };
  try {
    return await resultOfTask(task, memberOf(answer, 'task'));
  } catch (error) {
    if (!context.signal.aborted) throw error;
    cancelTask(client, taskId);
    throw context.signal.reason;
  }
}

const creationGraceMs = 5000;

function taskIdOf(answer: unknown): string | undefined {
  const id = memberOf(memberOf(answer, 'task'), 'taskId');
  return typeof id === 'string' ? id : undefined;
}

async function orAborted<Value>(
  value: Promise<Value>,
  signal: AbortSignal,
  onAbort: () => void,
): Promise<Value> {
  const abortReason = Promise.withResolvers<never>();
  const abort = (): void => {
    onAbort();
    abortReason.reject(signal.reason);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([value, abortReason.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Doesn't wait for the answer, because the call has ended. */
function cancelTask(client: ToolClient, taskId: string | undefined): void {
  if (taskId === undefined || memberOf(taskCapabilities(client), 'cancel') === undefined) return;
  const request = { method: 'tasks/cancel', params: { taskId } };
  client.request(request, anyResult, { timeout: requestMs }).catch(() => undefined);
}

interface RunningTask extends TaskCall {
  readonly taskId: string;
  readonly progress: ReportedProgress;
  readonly signal: AbortSignal;
}

/** Milliseconds for an answer about a task. */
const requestMs = 60_000;
/** Milliseconds between two requests for a task's state. */
const [defaultPause, shortestPause, longestPause] = [1000, 50, 60_000];
/** Requests for the state that may fail in a row. */
const maxFailures = 5;

const endStates = new Set<unknown>(['completed', 'failed', 'cancelled']);

/** Asks for the task's state until it has ended. `created`: the state in the answer to the call. */
async function resultOfTask(task: RunningTask, creationResult: unknown): Promise<CallToolResult> {
  let state = creationResult;
  for (;;) {
    const status = memberOf(state, 'status');
    task.progress.status(memberOf(state, 'statusMessage'));
    if (endStates.has(status)) return taskResult(task, requestMs);
    // The server asks the client of the application meanwhile, for example with
    // `elicitation/create`.
    if (status === 'input_required') return taskResult(task, longestTimeout);
    if (status !== 'working')
      throw failure(task, "the answer of its server can't be understood", state);
    await sleep(pauseOf(state), undefined, { signal: task.signal });
    state = await stateOf(task);
  }
}

function pauseOf(state: unknown): number {
  const pollInterval = memberOf(state, 'pollInterval');
  const pause =
    typeof pollInterval === 'number' && Number.isFinite(pollInterval) ? pollInterval : defaultPause;
  return Math.min(Math.max(pause, shortestPause), longestPause);
}

async function stateOf(task: RunningTask): Promise<unknown> {
  const { client, taskId, signal, isLost } = task;
  for (let failures = 1; ; failures += 1) {
    try {
      const request = { method: 'tasks/get', params: { taskId } };
      return await client.request(request, anyResult, { signal, timeout: requestMs });
    } catch (error) {
      signal.throwIfAborted();
      const code = memberOf(error, 'code');
      const hasFailed = code === internalError;
      if (typeof code === 'number' && !hasFailed)
        throw failure(task, 'its server no longer knows the call', error);
      if (!hasFailed && !isLost(error)) throw error;
      // A task outlives a request that fails, but not the process of a server.
      const isClosed =
        memberOf(error, 'code') === 'CONNECTION_CLOSED' || client.transport === undefined;
      if (isClosed || failures === maxFailures)
        throw failure(
          task,
          hasFailed ? 'its server fails' : 'the connection to its server was lost',
          error,
        );
      await sleep(defaultPause, undefined, { signal });
    }
  }
}

async function taskResult(task: RunningTask, timeout: number): Promise<CallToolResult> {
  const { client, taskId, signal, isLost, name } = task;
  try {
    const request = { method: 'tasks/result', params: { taskId } };
    return readCallResult(await client.request(request, anyResult, { signal, timeout }));
  } catch (error) {
    signal.throwIfAborted();
    const code = memberOf(error, 'code');
    if (code === 'INVALID_RESULT') throw error;
    if (isLost(error)) throw failure(task, 'the connection to its server was lost', error);
    if (typeof code !== 'number') throw error;
    const serverMessage = printable(String(memberOf(error, 'message')), maxStatusLength);
    throw new ToolFailure(`${name} was started, and failed: ${serverMessage}`, { cause: error });
  }
}

const maxStatusLength = 2000;

const failure = ({ name }: TaskCall, why: string, cause: unknown): ToolFailure =>
  new ToolFailure(`${name} has no result: ${why}. Part of its work may be done.`, { cause });

/** Progress and status messages, each once. */
class ReportedProgress {
  readonly #report: ToolContext['progress'];
  #last: unknown;

  constructor(report: ToolContext['progress']) {
    this.#report = report;
  }

  report(update: Progress): void {
    this.#last = update.message;
    this.#report(update);
  }

  status(message: unknown): void {
    if (typeof message !== 'string' || message === '' || message === this.#last) return;
    this.#last = message;
    this.#report({ message });
  }
}

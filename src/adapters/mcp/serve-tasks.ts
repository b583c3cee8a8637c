// Background calls as MCP tasks:
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
import { memberOf } from '../../collections/objects.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestTimeout } from '../../options/check-options.ts';
import type { BackgroundCall } from '../../outcomes/background-call.ts';
import { type ToolOutcome, toolMessage } from '../../outcomes/tool-outcome.ts';
import { waitedFor } from '../../messages/call-messages.ts';
import { printable, quote } from '../../json/preview.ts';
import { checkToolName } from '../../registry/check-background.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import type { ToolContract } from '../../tool/tool-contract.ts';
import {
  ProtocolError,
  callResult,
  invalidParams,
  methodNotFound,
  readUpdate,
} from './call-result.ts';
import type { RequestFacts, ServedRequest, ServerMethods } from './first-sdk.ts';

/** The state of a task, with times in ISO 8601 and milliseconds. */
interface Task {
  readonly taskId: string;
  readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds for which the task is kept; null: without a limit. */
  readonly ttl: number | null;
  readonly pollInterval: number;
}

/**
 * The answer to a call that was sent as a task. `content` is there because SDK 2 reads every answer
 * to `tools/call` as a result.
 */
export interface CreatedTask {
  readonly [key: string]: unknown;
  readonly content: [];
  readonly task: Task;
}

export const taskCapabilities = (isListed: boolean): object => ({
  ...(isListed ? { list: {} } : {}),
  cancel: {},
  requests: { tools: { call: {} } },
});

/**
 * Whether a tool may or must be called as a task; undefined: neither. `required` is only for a set
 * without the tool that checks background calls: most clients don't know tasks, and would get no
 * result.
 */
export function taskSupport(
  { execution }: ToolContract,
  tools: ToolSet,
): 'optional' | 'required' | undefined {
  const { background = 'never' } = execution ?? {};
  if (background === 'never') return undefined;
  return background === 'allowed' || tools.names().includes(checkToolName)
    ? 'optional'
    : 'required';
}

/** What tasks need of their server. */
export interface TaskServing extends Pick<ServerMethods, 'project'> {
  readonly tools: ToolSet;
  readonly tenantOf: (request: ServedRequest) => Promise<string | undefined>;
  readonly notify: RequestFacts['notify'];
}

type TaskHandler = (params: unknown, request: ServedRequest) => Promise<Record<string, unknown>>;

/** Milliseconds after which a client asks for the state again. */
const pollInterval = 1000;
const pageSize = 100;
const maxMessageLength = 1000;
export const relatedTask = 'io.modelcontextprotocol/related-task';

/**
 * The tasks of one server. Every server of the registry, and of its journal, knows the tasks of
 * background calls.
 */
export class ServedTasks {
  readonly #serving: TaskServing;
  readonly #answered: AnsweredCalls;
  /** By method. */
  readonly handlers: ReadonlyMap<string, TaskHandler> = new Map([
    ['tasks/get', async (params, request) => ({ ...(await this.#find(params, request)).task })],
    ['tasks/result', (params, request) => this.#result(params, request)],
    ['tasks/cancel', (params, request) => this.#cancel(params, request)],
    ['tasks/list', (params, request) => this.#list(params, request)],
  ]);

  constructor(serving: TaskServing) {
    this.#serving = serving;
    this.#answered = AnsweredCalls.of(serving.tools);
  }

  /**
   * Makes the task of a call. If the call has its outcome already, such as a rejected one, the task
   * has ended when it is first asked for.
   */
  async create(outcome: ToolOutcome, tenant: string | undefined = ''): Promise<CreatedTask> {
    if (outcome.status !== 'in_background') {
      const { id, at } = this.#answered.add(outcome, tenant);
      return { content: [], task: this.#taskAtStart(id, at, answeredMs) };
    }
    const { background } = this.#serving.tools;
    const { handle, message, notes = [] } = outcome;
    // The client fetches the result, so that the conversation needn't get it too.
    await background.markTaken(handle).catch(() => undefined);
    // The call goes on, even if its journal can't be read now.
    const call = await background.get(handle, { tenant }).catch(() => undefined);
    void this.#announceEnd(handle, tenant);
    return {
      content: [],
      task: this.#taskAtStart(handle, call?.since ?? Date.now()),
      _meta: { 'io.modelcontextprotocol/model-immediate-response': [message, ...notes].join('\n') },
    };
  }

  /** Notifies the client of the end of a call. A client that doesn't listen asks for the state. */
  async #announceEnd(handle: string, tenant: string): Promise<void> {
    const { tools, notify } = this.#serving;
    try {
      const end = tools.background.endOf(handle);
      if (end === undefined) return;
      await end;
      // The answer to the call goes first.
      await new Promise(setImmediate);
      const call = await tools.background.get(handle, { tenant });
      if (call === undefined) return;
      await notify({ method: 'notifications/tasks/status', params: { ...this.#taskOf(call) } });
    } catch {
      // The connection is closed.
    }
  }

  async #find(params: unknown, request: ServedRequest): Promise<FoundTask> {
    const { tools, tenantOf } = this.#serving;
    const id = memberOf(params, 'taskId');
    const tenant = (await tenantOf(request)) ?? '';
    if (typeof id !== 'string') throw new ProtocolError(invalidParams, 'taskId is not a string.');
    const answeredCall = this.#answered.get(id, tenant);
    if (answeredCall !== undefined)
      return { task: taskOfAnswer(answeredCall), tenant, outcome: answeredCall.outcome };
    const call = await tools.background.get(id, { tenant });
    if (call === undefined) throw unknownTask(id);
    return {
      task: this.#taskOf(call),
      tenant,
      outcome: call.state === 'ended' ? call.outcome : undefined,
    };
  }

  /** Waits for the end of the call. */
  async #result(params: unknown, request: ServedRequest): Promise<Record<string, unknown>> {
    const { tools, project } = this.#serving;
    const { signal } = request.mcpReq;
    let { task, tenant, outcome } = await this.#find(params, request);
    while (outcome === undefined) {
      await tools.background.wait(task.taskId, longestTimeout, { tenant, signal });
      signal.throwIfAborted();
      ({ task, tenant, outcome } = await this.#find(params, request));
      // A call that waits for an approval doesn't run, and has no result.
      if (outcome === undefined) await sleep(pollInterval, undefined, { signal });
    }
    return { ...project(callResult(outcome)), _meta: { [relatedTask]: { taskId: task.taskId } } };
  }

  async #cancel(params: unknown, request: ServedRequest): Promise<Record<string, unknown>> {
    const foundTask = await this.#find(params, request);
    const { tenant } = foundTask;
    const { taskId } = foundTask.task;
    if (foundTask.outcome !== undefined) throw hasEnded(foundTask.task);
    const reason = 'the client has cancelled the task';
    const call = await this.#serving.tools.background.cancel(taskId, { tenant, reason });
    if (call === undefined) throw unknownTask(taskId);
    const task = this.#taskOf(call);
    if (task.status !== 'cancelled') throw hasEnded(task);
    return { ...task };
  }

  /**
   * Lists the tenant's tasks, the newest first. Without a tenant, each client would see the tasks
   * of all others.
   */
  async #list(params: unknown, request: ServedRequest): Promise<Record<string, unknown>> {
    const { tools, tenantOf } = this.#serving;
    const tenant = (await tenantOf(request)) ?? '';
    if (tenant === '')
      throw new ProtocolError(
        methodNotFound,
        'This server lists the tasks of a tenant, and the request has none.',
      );
    const cursor = memberOf(params, 'cursor');
    const previousHandle = typeof cursor === 'string' ? cursor : undefined;
    const last =
      previousHandle === undefined
        ? undefined
        : await tools.background.get(previousHandle, { tenant });
    if (cursor !== undefined && last === undefined)
      throw new ProtocolError(invalidParams, 'The cursor is not one of this list.');
    const page = {
      tenant,
      limit: pageSize + 1,
      ...(previousHandle === undefined ? {} : { before: previousHandle }),
    };
    const calls = await tools.background.list(page);
    const answeredCall =
      previousHandle === undefined ? this.#answered.list(tenant).map(taskOfAnswer) : [];
    const shownCalls = calls.slice(0, pageSize);
    const next = calls.length > pageSize ? shownCalls.at(-1)?.handle : undefined;
    const tasks = [...answeredCall, ...shownCalls.map((call) => this.#taskOf(call))];
    return { tasks, ...(next === undefined ? {} : { nextCursor: next }) };
  }

  /** The state in which a task begins. */
  #taskAtStart(
    taskId: string,
    since: number,
    keepMs = this.#serving.tools.background.keepMs,
  ): Task {
    const [createdAt, ttl] = [isoTime(since), Number.isFinite(keepMs) ? keepMs : null];
    return { taskId, status: 'working', createdAt, lastUpdatedAt: createdAt, ttl, pollInterval };
  }

  #taskOf(call: BackgroundCall): Task {
    const task = this.#taskAtStart(call.handle, call.since);
    if (call.state === 'ended')
      return { ...task, ...endOf(call.outcome), lastUpdatedAt: isoTime(call.endedAt) };
    const message = progressMessage(call);
    return message === undefined
      ? task
      : { ...task, statusMessage: printable(message, maxMessageLength) };
  }
}

interface FoundTask {
  readonly task: Task;
  readonly tenant: string;
  /** Undefined while the call goes on. */
  readonly outcome: ToolOutcome | undefined;
}

const isoTime = (time: number): string => new Date(time).toISOString();

function endOf(outcome: ToolOutcome): Pick<Task, 'status' | 'statusMessage'> {
  const { text, isError } = toolMessage(outcome);
  if (!isError) return { status: 'completed' };
  const status = outcome.status === 'cancelled' ? 'cancelled' : 'failed';
  return { status, statusMessage: printable(text, maxMessageLength) };
}

function progressMessage(call: BackgroundCall): string | undefined {
  if (call.state === 'ended') return undefined;
  if (call.isAbandoned === true)
    return 'Its process has stopped answering. Another one takes it over.';
  if (call.state === 'running') return updateMessage(call.progress);
  const { waitsFor } = call;
  if (waitsFor === undefined) return 'It waits for other calls.';
  return `It waits for ${waitedFor[waitsFor]}.`;
}

/** Undefined for an update without a JSON form. */
function updateMessage(update: unknown): string | undefined {
  try {
    const { message, progress, total } = readUpdate(update);
    if (message !== undefined || progress === undefined) return message;
    return total === undefined ? `${progress}` : `${progress} of ${total}`;
  } catch {
    return undefined;
  }
}

const unknownTask = (id: string): ProtocolError =>
  new ProtocolError(invalidParams, `There is no task ${quote(id)}.`);

const hasEnded = ({ taskId, status }: Task): ProtocolError =>
  new ProtocolError(
    invalidParams,
    `The task ${quote(taskId)} can't be cancelled: it is ${status}.`,
  );

/** A call that had its outcome when its task was created. */
interface AnsweredCall {
  readonly id: string;
  readonly tenant: string;
  readonly outcome: ToolOutcome;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const answeredMs = 10 * 60_000;
const maxAnswers = 1000;

const taskOfAnswer = ({ id: taskId, outcome, at }: AnsweredCall): Task => {
  const createdAt = isoTime(at);
  return {
    taskId,
    ...endOf(outcome),
    createdAt,
    lastUpdatedAt: createdAt,
    ttl: answeredMs,
    pollInterval,
  };
};

/** Kept in memory for all servers of a tool set, because some servers live for one request only. */
class AnsweredCalls {
  static readonly #all = new WeakMap<ToolSet, AnsweredCalls>();
  readonly #calls = new Map<string, AnsweredCall>();

  static of(tools: ToolSet): AnsweredCalls {
    const ownCalls = this.#all.get(tools) ?? new AnsweredCalls();
    this.#all.set(tools, ownCalls);
    return ownCalls;
  }

  add(outcome: ToolOutcome, tenant: string): AnsweredCall {
    const call = { id: `answered_${randomUUID()}`, tenant, outcome, at: Date.now() };
    this.#calls.set(call.id, call);
    for (const { id, at } of this.#calls.values()) {
      if (this.#calls.size <= maxAnswers && at > call.at - answeredMs) break;
      this.#calls.delete(id);
    }
    return call;
  }

  get(id: string, tenant: string): AnsweredCall | undefined {
    const call = this.#calls.get(id);
    return call?.tenant === tenant ? call : undefined;
  }

  list(tenant: string): readonly AnsweredCall[] {
    return [...this.#calls.values()].filter((call) => call.tenant === tenant).toReversed();
  }
}

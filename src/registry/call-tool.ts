import { executeTool } from '../execute/execute-tool.ts';
import { timeLimitOf } from '../execute/limits.ts';
import { continuationArgument } from '../execute/paging.ts';
import type { Execution } from '../execute/tool-context.ts';
import {
  type AcceptedOutcome,
  type Continued,
  type ExecutedOutcome,
  type RefusableCall,
  type LimitExceeded,
  type ToolOutcome,
  refuse,
  withNotes,
} from '../execute/tool-outcome.ts';
import { repetitionAdvice, repetitionSentence } from '../messages/call-messages.ts';
import { type ToolListener, tellError, tellEvent } from '../telemetry/tool-event.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  continuedEvent,
  endedEvent,
  errorBehind,
  errorsOfChecks,
  invalidEvent,
  lateEvent,
  refusedEvent,
  repairedEvent,
} from './call-events.ts';
import { type CallOptions, type CallSetting, mergeContext } from './call-options.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';
import { runAccepted } from './run-accepted.ts';

type PagingSetting = Pick<CallSetting, 'results' | 'maxResultChars'>;

/**
 * The first part of a long text of a tool's, with a note that says how to go on: its result, or what it says of its failure.
 * A short one as it is.
 */
function firstPart(
  outcome: AcceptedOutcome,
  { execution }: ToolContract,
  { tenant = '' }: Pick<CallOptions, 'tenant'>,
  { results, maxResultChars }: PagingSetting,
): AcceptedOutcome {
  const limit = execution?.maxResultChars ?? maxResultChars;
  const text = limit === undefined ? undefined : textOfTool(outcome);
  if (limit === undefined || text === undefined) return outcome;
  const page = results.firstPage(text, limit, { tool: outcome.tool, tenant });
  return page === undefined ? outcome : withNotes(withText(outcome, page.text), [page.note]);
}

/** undefined: it is short, and ours. */
function textOfTool(outcome: AcceptedOutcome): string | undefined {
  if (outcome.status === 'completed') return outcome.content.text;
  const isTold = outcome.status === 'retry' || (outcome.status === 'failed' && !('errorId' in outcome));
  return isTold ? outcome.message.toWellFormed() : undefined;
}

function withText(outcome: AcceptedOutcome, text: string): AcceptedOutcome {
  if (outcome.status === 'failed') {
    const failed = { ...outcome, message: text, cause: outcome.cause };
    return Object.defineProperty(failed, 'cause', { enumerable: false });
  }
  if (outcome.status !== 'completed') return { ...outcome, message: text };
  const { structured: _whole, ...shown } = outcome.content;
  return { ...outcome, content: Object.freeze({ ...shown, text }) };
}

/** What a call gets that wants to read on: undefined for one that doesn't. */
function nextPart(
  refusable: RefusableCall & { readonly contract: ToolContract },
  { tenant = '' }: Pick<CallOptions, 'tenant'>,
  { results }: Pick<PagingSetting, 'results'>,
): Continued | LimitExceeded | undefined {
  const { contract, call, interpretation } = refusable;
  const tool = contract.name;
  const { name } = continuationArgument;
  const isOurs = contract.meta.some(({ key }) => key === continuationArgument.key);
  const asked = isOurs && Object.hasOwn(interpretation.meta, name) ? interpretation.meta[name] : undefined;
  if (typeof asked !== 'string') return undefined;
  const page = results.page(asked, { tool, tenant });
  if (page === undefined) return refuse(refusable, 'continuation');
  const content = Object.freeze({ text: page.text });
  const notes = Object.freeze([page.note]);
  return Object.freeze({ status: 'continued', call, tool, interpretation, content, notes });
}

// With the limits and the context of the registry and of whoever calls.
/** Never rejects. */
function executeCall(
  accepted: AcceptedCall,
  { values, onStart, signal }: Pick<Execution, 'values' | 'onStart' | 'signal'>,
  options: CallOptions,
  setting: CallSetting,
): Promise<ExecutedOutcome | LimitExceeded> {
  const { contract, call, interpretation } = accepted;
  const { progress, parent, tenant = '', timeoutMs } = options;
  const { meta } = interpretation;
  return executeTool({
    contract,
    call,
    interpretation,
    values,
    instances: setting.instances,
    admission: setting.admission,
    tenant,
    parent,
    progress,
    signal,
    limit: timeLimitOf({ tool: contract.timeoutMs, registry: setting.timeoutMs, call: timeoutMs, meta }),
    onStart,
    onLate: (late) => tellEvent(setting.listeners, lateEvent(accepted, late)),
  });
}

/** What cancels a call: its own signal, and the end of the call whose code makes it. undefined: nothing does. */
function signalOf({ signal, parent }: CallOptions): AbortSignal | undefined {
  if (signal === undefined) return parent?.signal;
  return parent === undefined ? signal : AbortSignal.any([signal, parent.signal]);
}

/** Runs a call that was accepted, and tells the listeners what becomes of it in any case. */
export function answerCall(
  interpreted: InterpretedCall,
  options: CallOptions,
  setting: CallSetting,
): Promise<ToolOutcome> {
  tellInterpreted(interpreted, setting.listeners);
  return interpreted.status === 'accepted'
    ? answerAccepted(interpreted, options, setting)
    : Promise.resolve(interpreted);
}

function tellInterpreted(interpreted: InterpretedCall, listeners: readonly ToolListener[]): void {
  if (listeners.length === 0) return;
  if (interpreted.status === 'accepted') {
    const repaired = repairedEvent(interpreted);
    if (repaired !== undefined) tellEvent(listeners, repaired);
    return;
  }
  for (const error of errorsOfChecks(interpreted)) tellError(listeners, error);
  tellEvent(listeners, invalidEvent(interpreted));
}

/** Runs an accepted call, and tells the listeners how it ended. `approved`: the digest of what somebody has said yes to. */
export async function answerAccepted(
  accepted: AcceptedCall,
  options: CallOptions,
  setting: CallSetting,
  approved?: string,
): Promise<AcceptedOutcome> {
  const values = mergeContext(setting.context, options.context);
  const signal = signalOf(options);
  const ended = await runAccepted(accepted, setting, {
    values,
    signal,
    parent: options.parent,
    approved,
    execute: (call, onStart) => executeCall(call, { values, onStart, signal }, options, setting),
  });
  tellEnded(accepted, ended, setting.listeners);
  return firstPart(ended, accepted.contract, options, setting);
}

/** Tells of the end of a call whose arguments were accepted. */
export function tellEnded(
  accepted: AcceptedCall,
  outcome: AcceptedOutcome,
  listeners: readonly ToolListener[],
): void {
  if (listeners.length === 0) return;
  if (outcome.status === 'limit_exceeded') {
    tellEvent(listeners, refusedEvent(outcome));
    return;
  }
  const error = errorBehind(outcome);
  if (error !== undefined) tellError(listeners, error);
  tellEvent(listeners, endedEvent(accepted, outcome));
}

/** A call of a known tool, and what counts for it. */
export interface CountedCall {
  readonly contract: ToolContract;
  readonly interpreted: Exclude<InterpretedCall, { readonly status: 'unknown_tool' }>;
  readonly options: Pick<CallOptions, 'run' | 'memory' | 'tenant'>;
}

/** Answers it unless a limit is reached; counts, and adds the notes that follow from it. */
function limitedCall(
  counted: CountedCall,
  setting: Pick<CallSetting, 'listeners' | 'results'>,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const instead = answerWithoutTool(counted, setting);
  if (instead !== undefined) {
    tellEvent(
      setting.listeners,
      instead.status === 'limit_exceeded' ? refusedEvent(instead) : continuedEvent(instead),
    );
    return Promise.resolve(instead);
  }
  const { run, memory } = counted.options;
  return run === undefined && memory === undefined ? answer() : countedAnswer(counted, answer);
}

/** The next part of a result, or that the call is not let in; undefined for a call that is. */
function answerWithoutTool(
  counted: CountedCall,
  setting: Pick<CallSetting, 'results'>,
): Continued | LimitExceeded | undefined {
  const { contract, interpreted, options } = counted;
  const refusable = { contract, call: interpreted.call, interpretation: interpreted.interpretation };
  const next = nextPart(refusable, options, setting);
  if (next !== undefined) return next;
  const reason = refusalOf(counted);
  return reason === undefined ? undefined : refuse(refusable, reason);
}

async function countedAnswer(counted: CountedCall, answer: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const { contract, interpreted, options } = counted;
  const isCounted = interpreted.status === 'accepted';
  const notes = isCounted ? (options.run?.count(contract) ?? []) : [];
  const outcome = await rememberedAnswer(counted, answer, notes);
  if (isCounted && isUnstarted(outcome)) options.run?.giveBack(contract);
  return outcome;
}

const isUnstarted = (outcome: ToolOutcome): boolean =>
  outcome.status === 'limit_exceeded' || (outcome.status === 'cancelled' && outcome.when === 'before');

/** Answers a call, remembers how it ended, and adds the notes: those given, and what follows from its end. */
export async function rememberedAnswer(
  counted: CountedCall,
  answer: () => Promise<ToolOutcome>,
  notes: readonly string[] = [],
): Promise<ToolOutcome> {
  const before = counted.options.run?.failuresOf(counted.contract) ?? 0;
  const outcome = await answer();
  rememberEnd(counted, outcome, before);
  return withNotes(outcome, [...notes, ...repetitionNotes(counted, outcome)]);
}

function refusalOf({ contract, interpreted, options }: CountedCall): LimitExceeded['reason'] | undefined {
  const { run, memory } = options;
  const reason = run?.refusalOf(contract, interpreted.status);
  if (reason !== undefined || memory === undefined || interpreted.status === 'invalid_arguments')
    return reason;
  const { name } = contract;
  return memory.endedBefore(name, interpreted.call.arguments) >= memory.failureLimit ? 'repeated' : undefined;
}

/** `before`: how many failures in a row there were when the call came. */
function rememberEnd(
  { contract, options: { run } }: CountedCall,
  { status }: ToolOutcome,
  before: number,
): void {
  if (status === 'retry' || status === 'invalid_arguments') run?.remember(contract, 'failure', before);
  if (status === 'completed') run?.remember(contract, 'result', before);
}

/** Tells the model that it has repeated a call, in the words of a rejection. */
function repetitionNotes(counted: CountedCall, outcome: ToolOutcome): readonly string[] {
  const { memory } = counted.options;
  if (memory === undefined || outcome.status === 'unknown_tool') return [];
  const times = memory.rememberEnding(counted.contract.name, outcome.call.arguments, wayOf(outcome));
  const repetition = { times, limit: memory.failureLimit };
  if (times < 2) return [];
  const issues = outcome.status === 'invalid_arguments' ? 'listed' : 'none';
  return [`${repetitionSentence(repetition)} ${repetitionAdvice(repetition, issues)}`];
}

/** undefined for what is no failure of the tool's. */
function wayOf(outcome: ToolOutcome): string | undefined {
  if (outcome.status === 'retry') return `retry: ${outcome.message}`;
  if (outcome.status === 'failed')
    return `failed: ${'errorId' in outcome ? outcome.reason : outcome.message}`;
  return outcome.status === 'timed_out' ? 'timed_out' : undefined;
}

// It is answered within the limits of its run.
/** Never rejects for what a model or a tool did. */
export function answerToolCall(
  tools: ReadonlyMap<string, ToolContract>,
  interpreted: InterpretedCall,
  options: CallOptions,
  setting: CallSetting,
): Promise<ToolOutcome> {
  const answer = (): Promise<ToolOutcome> => answerCall(interpreted, options, setting);
  if (interpreted.status === 'unknown_tool') return answer();
  const contract = tools.get(interpreted.tool);
  return contract === undefined ? answer() : limitedCall({ contract, interpreted, options }, setting, answer);
}

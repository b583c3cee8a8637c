import { executeTool } from '../execute/execute-tool.ts';
import { timeLimitOf } from '../execute/limits.ts';
import { continuationArgument } from '../execute/paging.ts';
import type { Execution } from '../execute/tool-context.ts';
import {
  type AcceptedOutcome,
  type Continued,
  type ExecutedOutcome,
  type RefusableCall,
  type RefusedCall,
  type ToolOutcome,
  refuse,
  withNotes,
} from '../execute/tool-outcome.ts';
import { closingOfRepetition, repetitionSentence } from '../messages/issue.ts';
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

type PagingSetting = Pick<CallSetting, 'results' | 'resultLimit'>;

/**
 * The first part of a long text of a tool's, with a note that says how to go on: its result, or what it says of its failure.
 * A short one as it is.
 */
function firstPart(
  outcome: AcceptedOutcome,
  { execution }: ToolContract,
  { caller = '' }: Pick<CallOptions, 'caller'>,
  { results, resultLimit }: PagingSetting,
): AcceptedOutcome {
  const limit = execution?.resultLimit ?? resultLimit;
  const text = limit === undefined ? undefined : textOfTool(outcome);
  if (limit === undefined || text === undefined) return outcome;
  const page = results.firstPage(text, limit, { tool: outcome.tool, caller });
  return page === undefined ? outcome : withNotes(withText(outcome, page.text), [page.note]);
}

/** undefined: it is short, and ours. */
function textOfTool(outcome: AcceptedOutcome): string | undefined {
  if (outcome.outcome === 'completed') return outcome.content.text;
  const isTold = outcome.outcome === 'retry' || (outcome.outcome === 'failed' && !('errorId' in outcome));
  return isTold ? outcome.message.toWellFormed() : undefined;
}

function withText(outcome: AcceptedOutcome, text: string): AcceptedOutcome {
  if (outcome.outcome === 'failed') {
    const failed = { ...outcome, message: text, cause: outcome.cause };
    return Object.defineProperty(failed, 'cause', { enumerable: false });
  }
  if (outcome.outcome !== 'completed') return { ...outcome, message: text };
  const { structured: _whole, ...shown } = outcome.content;
  return { ...outcome, content: Object.freeze({ ...shown, text }) };
}

/** What a call gets that wants to read on: undefined for one that doesn't. */
function nextPart(
  refusable: RefusableCall & { readonly contract: ToolContract },
  { caller = '' }: Pick<CallOptions, 'caller'>,
  { results }: Pick<PagingSetting, 'results'>,
): Continued | RefusedCall | undefined {
  const { contract, call, interpretation } = refusable;
  const tool = contract.name;
  const { name } = continuationArgument;
  const isOurs = contract.meta.some(({ key }) => key === continuationArgument.key);
  const asked = isOurs && Object.hasOwn(interpretation.meta, name) ? interpretation.meta[name] : undefined;
  if (typeof asked !== 'string') return undefined;
  const page = results.page(asked, { tool, caller });
  if (page === undefined) return refuse(refusable, 'continuation');
  const content = Object.freeze({ text: page.text });
  const notes = Object.freeze([page.note]);
  return Object.freeze({ outcome: 'continued', call, tool, interpretation, content, notes });
}

// With the limits and the context of the registry and of whoever calls.
/** Never rejects. */
function executeCall(
  accepted: AcceptedCall,
  { values, onStart, signal }: Pick<Execution, 'values' | 'onStart' | 'signal'>,
  options: CallOptions,
  setting: CallSetting,
): Promise<ExecutedOutcome | RefusedCall> {
  const { contract, call, interpretation } = accepted;
  const { progress, within, caller = '', timeLimit } = options;
  const { meta } = interpretation;
  return executeTool({
    contract,
    call,
    interpretation,
    values,
    instances: setting.instances,
    admission: setting.admission,
    caller,
    within,
    progress,
    signal,
    limit: timeLimitOf({ tool: contract.timeLimit, registry: setting.timeLimit, call: timeLimit, meta }),
    onStart,
    onLate: (late) => tellEvent(setting.listeners, lateEvent(accepted, late)),
  });
}

/** What cancels a call: its own signal, and the end of the call whose code makes it. undefined: nothing does. */
function signalOf({ signal, within }: CallOptions): AbortSignal | undefined {
  if (signal === undefined) return within?.signal;
  return within === undefined ? signal : AbortSignal.any([signal, within.signal]);
}

/** Runs a call that was accepted, and tells the listeners what becomes of it in any case. */
export function answerCall(
  interpreted: InterpretedCall,
  options: CallOptions,
  setting: CallSetting,
): Promise<ToolOutcome> {
  tellInterpreted(interpreted, setting.listeners);
  return interpreted.outcome === 'accepted'
    ? answerAccepted(interpreted, options, setting)
    : Promise.resolve(interpreted);
}

function tellInterpreted(interpreted: InterpretedCall, listeners: readonly ToolListener[]): void {
  if (listeners.length === 0) return;
  if (interpreted.outcome === 'accepted') {
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
    within: options.within,
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
  if (outcome.outcome === 'refused') {
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
  readonly interpreted: Exclude<InterpretedCall, { readonly outcome: 'unknown-tool' }>;
  readonly options: Pick<CallOptions, 'run' | 'memory' | 'caller'>;
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
      instead.outcome === 'refused' ? refusedEvent(instead) : continuedEvent(instead),
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
): Continued | RefusedCall | undefined {
  const { contract, interpreted, options } = counted;
  const refusable = { contract, call: interpreted.call, interpretation: interpreted.interpretation };
  const next = nextPart(refusable, options, setting);
  if (next !== undefined) return next;
  const reason = refusalOf(counted);
  return reason === undefined ? undefined : refuse(refusable, reason);
}

async function countedAnswer(counted: CountedCall, answer: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const { contract, interpreted, options } = counted;
  const isCounted = interpreted.outcome === 'accepted';
  const notes = isCounted ? (options.run?.count(contract) ?? []) : [];
  const outcome = await rememberedAnswer(counted, answer, notes);
  if (isCounted && isUnstarted(outcome)) options.run?.giveBack(contract);
  return outcome;
}

const isUnstarted = (outcome: ToolOutcome): boolean =>
  outcome.outcome === 'refused' || (outcome.outcome === 'cancelled' && outcome.when === 'before');

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

function refusalOf({ contract, interpreted, options }: CountedCall): RefusedCall['reason'] | undefined {
  const { run, memory } = options;
  const reason = run?.refusalOf(contract, interpreted.outcome);
  if (reason !== undefined || memory === undefined || interpreted.outcome === 'rejected') return reason;
  const { name } = contract;
  return memory.endedBefore(name, interpreted.call.arguments) >= memory.failureLimit ? 'repeated' : undefined;
}

/** `before`: how many failures in a row there were when the call came. */
function rememberEnd(
  { contract, options: { run } }: CountedCall,
  { outcome }: ToolOutcome,
  before: number,
): void {
  if (outcome === 'retry' || outcome === 'rejected') run?.remember(contract, 'failure', before);
  if (outcome === 'completed') run?.remember(contract, 'result', before);
}

/** The same call that ends in the same way again: said as it is said of rejected ones. */
function repetitionNotes(counted: CountedCall, outcome: ToolOutcome): readonly string[] {
  const { memory } = counted.options;
  if (memory === undefined || outcome.outcome === 'unknown-tool') return [];
  const times = memory.rememberEnding(counted.contract.name, outcome.call.arguments, wayOf(outcome));
  const repetition = { times, limit: memory.failureLimit };
  if (times < 2) return [];
  const listed = outcome.outcome === 'rejected' ? 'issues' : 'nothing';
  return [`${repetitionSentence(repetition)} ${closingOfRepetition(repetition, listed)}`];
}

/** undefined for what is no failure of the tool's. */
function wayOf(outcome: ToolOutcome): string | undefined {
  if (outcome.outcome === 'retry') return `retry: ${outcome.message}`;
  if (outcome.outcome === 'failed')
    return `failed: ${'errorId' in outcome ? outcome.reason : outcome.message}`;
  return outcome.outcome === 'timed-out' ? 'timed-out' : undefined;
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
  if (interpreted.outcome === 'unknown-tool') return answer();
  const contract = tools.get(interpreted.tool);
  return contract === undefined ? answer() : limitedCall({ contract, interpreted, options }, setting, answer);
}

// May this run of an agent make the call at all, and what is the model told of its limits beside the result?
import type { ToolContract } from '../../contract/tool-contract.ts';
import { refuse } from '../../execute/refuse.ts';
import type { Continued, RefusedCall, ToolOutcome } from '../../execute/tool-outcome.ts';
import { withNotes } from '../../execute/with-notes.ts';
import { closingOfRepetition, repetitionSentence } from '../../issues/repetition.ts';
import { tellEvent } from '../../telemetry/tool-listener.ts';
import type { InterpretedCall } from '../interpret-call.ts';
import type { CallOptions, CallSetting } from './call-options.ts';
import { continuedEvent, refusedEvent } from './dropped-events.ts';
import { nextPart } from './paged-result.ts';

/** A call of a known tool, and what counts for it. */
export interface CountedCall {
  readonly contract: ToolContract;
  readonly interpreted: Exclude<InterpretedCall, { readonly outcome: 'unknown-tool' }>;
  readonly options: Pick<CallOptions, 'run' | 'memory' | 'caller'>;
}

/** Answers it unless a limit is reached; counts, and adds the notes that follow from it. */
export function limitedCall(
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

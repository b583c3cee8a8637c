// How much of a result does the model read at once, and how does it read on?
import type { ToolContract } from '../../contract/tool-contract.ts';
import { type RefusableCall, refuse } from '../../execute/refuse.ts';
import { continuationArgument } from '../../execute/results/kept-results.ts';
import type { AcceptedOutcome, Continued, RefusedCall } from '../../execute/tool-outcome.ts';
import { withNotes } from '../../execute/with-notes.ts';
import type { CallOptions, CallSetting } from './call-options.ts';

type PagingSetting = Pick<CallSetting, 'results' | 'resultLimit'>;

/**
 * The first part of a long text of a tool's, with a note that says how to go on: its result, or what it says of its failure.
 * A short one as it is.
 */
export function firstPart(
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
export function nextPart(
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

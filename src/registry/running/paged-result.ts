// How much of a result does the model read at once, and how does it read on?
import type { ToolContract } from '../../contract/tool-contract.ts';
import { type RefusableCall, refuse } from '../../execute/refuse.ts';
import { continuationArgument } from '../../execute/results/kept-results.ts';
import type { Completed, Continued, RefusedCall } from '../../execute/tool-outcome.ts';
import type { CallOptions, CallSetting } from './call-options.ts';

type PagingSetting = Pick<CallSetting, 'results' | 'resultLimit'>;

/** The first part of a long result, with a note that says how to go on; a short one as it is. */
export function firstPart(
  completed: Completed,
  { execution }: ToolContract,
  { caller = '' }: Pick<CallOptions, 'caller'>,
  { results, resultLimit }: PagingSetting,
): Completed {
  const { tool, content } = completed;
  const limit = execution?.resultLimit ?? resultLimit;
  const page = limit === undefined ? undefined : results.firstPage(content.text, limit, { tool, caller });
  if (page === undefined) return completed;
  const { structured: _whole, ...shown } = content;
  const notes = Object.freeze([...(completed.notes ?? []), page.note]);
  return Object.freeze({ ...completed, content: Object.freeze({ ...shown, text: page.text }), notes });
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

// How did the text of a call end? Each provider has its own words for it.
import type { TextEnd } from './text-rule.ts';

const normal: ReadonlySet<string> = new Set([
  'stop',
  'tool_calls',
  'tool_use',
  'function_call',
  'end_turn',
  'tool-calls',
  'tool_call',
  'completed',
]);
const cut: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'content_filter',
  'content-filter',
  'content_filtered',
  'guardrail_intervened',
  'refusal',
  'safety',
  'model_length',
  'model_context_window_exceeded',
  'incomplete',
  'cancelled',
  'failed',
  'abort',
  'error',
]);

/** Any word that isn't known says nothing of the end. */
export function textEndOf(finishReason: string | undefined): TextEnd {
  if (finishReason === undefined) return 'unknown';
  const word = finishReason.toLowerCase();
  if (normal.has(word)) return 'normal';
  return cut.has(word) ? 'cut' : 'unknown';
}

/** What the end of a whole answer says of a call that another one follows: it had ended before. */
export const endOfEarlier = (finishReason: string | null | undefined): string | undefined =>
  textEndOf(finishReason ?? undefined) === 'cut' ? undefined : (finishReason ?? undefined);

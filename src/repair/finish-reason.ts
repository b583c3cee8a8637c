/**
 * How an answer ended, as its provider says. A rule completes text only after a `normal` end. `filtered`: cut off by a content filter,
 * or by the model's refusal.
 */
export type TextEnd = 'normal' | 'cut' | 'filtered' | 'unknown';

const normal: ReadonlySet<string> = new Set([
  'stop',
  'tool_calls',
  'tool_use',
  'function_call',
  'end_turn',
  'tool-calls',
  'tool_call',
  'completed',
  // Cohere, and text-generation-inference with Together.
  'complete',
  'eos',
  'eos_token',
]);
const cut: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'model_context_window_exceeded',
  'incomplete',
  'cancelled',
  'failed',
  'abort',
  'error',
]);

const filtered: ReadonlySet<string> = new Set([
  'content_filter',
  'content-filter',
  'content_filtered',
  'guardrail_intervened',
  'refusal',
  'safety',
]);

/** Reads the finish reasons of all providers, in any case; other words are `unknown`. */
export function textEndOf(finishReason: string | undefined): TextEnd {
  if (finishReason === undefined) return 'unknown';
  if (normal.has(finishReason)) return 'normal';
  const word = finishReason.toLowerCase();
  if (normal.has(word)) return 'normal';
  if (filtered.has(word)) return 'filtered';
  return cut.has(word) ? 'cut' : 'unknown';
}

/** Whether the answer ended before it was whole. */
export const endedEarly = (end: TextEnd): boolean => end === 'cut' || end === 'filtered';

/** The finish reason of a call that another call follows: an answer that was cut had finished it before. */
export const endOfEarlier = (finishReason: string | null | undefined): string | undefined =>
  endedEarly(textEndOf(finishReason ?? undefined)) ? undefined : (finishReason ?? undefined);

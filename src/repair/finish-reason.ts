/** How an answer ended, as its provider says. A rule completes text only after a `normal` end. */
export type TextEnd = 'normal' | 'cut' | 'unknown';

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

/** Reads the finish reasons of all providers, in any case; other words are `unknown`. */
export function textEndOf(finishReason: string | undefined): TextEnd {
  if (finishReason === undefined) return 'unknown';
  if (normal.has(finishReason)) return 'normal';
  const word = finishReason.toLowerCase();
  if (normal.has(word)) return 'normal';
  return cut.has(word) ? 'cut' : 'unknown';
}

/** The finish reason of a call that another call follows: an answer that was cut had finished it before. */
export const endOfEarlier = (finishReason: string | null | undefined): string | undefined =>
  textEndOf(finishReason ?? undefined) === 'cut' ? undefined : (finishReason ?? undefined);

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
  'model_length',
  'model_context_window_exceeded',
  'incomplete',
  'cancelled',
  'error',
]);

/** Any word that isn't known says nothing of the end. */
export function textEndOf(finishReason: string | undefined): TextEnd {
  if (finishReason === undefined) return 'unknown';
  const word = finishReason.toLowerCase();
  if (normal.has(word)) return 'normal';
  return cut.has(word) ? 'cut' : 'unknown';
}

// What does the model read of a call, whatever became of it? Every adapter makes its provider's form from this.
import type { JsonValue } from '../json/json-value.ts';
import type { ResultImage } from './results/tool-result.ts';
import type { ToolOutcome } from './tool-outcome.ts';

export interface ToolMessage {
  /** The result as text, or the sentence that says what went wrong. */
  readonly text: string;
  /** The result as data, where it was no text. */
  readonly structured?: JsonValue;
  /** Base64, for a model that sees. */
  readonly images?: readonly ResultImage[];
  /** What was done to the call's arguments, and what else the model should know. To be set beside the text, never into it. */
  readonly notes: readonly string[];
  readonly isError: boolean;
}

export function toolMessage(outcome: ToolOutcome): ToolMessage {
  const notes = notesOf(outcome);
  return outcome.outcome === 'completed' || outcome.outcome === 'continued'
    ? { ...outcome.content, notes, isError: false }
    : { text: outcome.message.toWellFormed(), notes, isError: true };
}

function notesOf(outcome: ToolOutcome): readonly string[] {
  const own = outcome.notes ?? [];
  if (outcome.outcome === 'unknown-tool') return own;
  return [...outcome.interpretation.notes.map(({ text }) => text.toWellFormed()), ...own];
}

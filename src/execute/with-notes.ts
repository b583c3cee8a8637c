// How is the model told something beside what became of its call? By notes, which never stand in the result itself.
import type { ToolOutcome } from './tool-outcome.ts';

/** The same outcome if there is nothing to say; else a frozen copy with more notes. */
export function withNotes<Outcome extends ToolOutcome>(outcome: Outcome, notes: readonly string[]): Outcome {
  if (notes.length === 0) return outcome;
  const copy = { ...outcome, notes: Object.freeze([...(outcome.notes ?? []), ...notes]) };
  // A cause is not enumerable, so that no copy has it by accident: this one is made on purpose.
  const cause = Object.getOwnPropertyDescriptor(outcome, 'cause');
  if (cause !== undefined) Object.defineProperty(copy, 'cause', cause);
  return Object.freeze(copy);
}

// How does another program's loop learn that a call gave no result? By an exception, whose message the model reads.
import { ToolmendError } from '../../errors/toolmend-error.ts';
import { toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';

/** A call that gave no result. Its message is what `toolMessage(outcome)` says, notes on lines of their own. */
export class ToolCallError extends ToolmendError {
  readonly #outcome: ToolOutcome;

  constructor(outcome: ToolOutcome) {
    const { text, notes } = toolMessage(outcome);
    super('tool-call', [text, ...notes].join('\n'));
    this.#outcome = outcome;
  }

  /** The message alone: the AI SDK shows a model what an exception's `toString` gives. */
  override toString(): string {
    return this.message;
  }

  /** What became of the call. Not enumerable, so that no copy or log has its arguments by accident. */
  get outcome(): ToolOutcome {
    return this.#outcome;
  }
}

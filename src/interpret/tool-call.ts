// What does a model's tool call look like, whoever the provider is?
import type { DialectName } from '../dialects/dialect-table.ts';

/** A tool call as it came; `arguments` is text, its bytes (UTF-8), or whatever value a provider has already parsed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** The model that sent it; only counted, never decided by. */
  readonly model?: string;
  /** What the provider said about the end: `stop`, `tool_calls`, `length`, … Absent: unknown. */
  readonly finishReason?: string;
  /** How the tools were shown to the model: the dialect of `schemas(dialect)`. Absent: as they are. */
  readonly dialect?: DialectName;
}

/** What of a call decides its meaning. */
export type SentArguments = Pick<ToolCall, 'arguments' | 'finishReason'>;

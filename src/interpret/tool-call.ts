// What does a model's tool call look like, whoever the provider is?

/** A tool call as it came; `arguments` is text, its bytes (UTF-8), or whatever value a provider has already parsed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** The model that sent it; only counted, never decided by. */
  readonly model?: string;
  /** What the provider said about the end: `stop`, `tool_calls`, `length`, … Absent: unknown. */
  readonly finishReason?: string;
}

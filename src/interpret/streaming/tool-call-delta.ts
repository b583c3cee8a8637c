// What does one part of a streamed answer say of a call, whoever the provider is?

/** One part of one call. Whatever a provider leaves out may be absent, null or empty. */
export interface ToolCallDelta {
  /** Which of the parallel calls it belongs to, as the provider counts them. Without it the id says so. */
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  /** The tool's name, or the next part of it. */
  readonly name?: string | null | undefined;
  /** The next piece of the argument text, or of its bytes (UTF-8, cut anywhere); or a value, as a whole. */
  readonly arguments?: unknown;
  /** OpenAI's nesting: pass what is in it, `{ index, id, ...part.function }`. */
  readonly function?: undefined;
}

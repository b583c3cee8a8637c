// What may be said of how tools are offered to OpenAI, or to a server that speaks like it?

export interface OpenAiOptions {
  /**
   * The provider holds the model to the schema: every argument is required there, null stands for what is left out, and maps
   * are lists. Default: false.
   */
  readonly strict?: boolean;
  /**
   * Where notes go that stand beside a result. `parts`: a text part of their own in the same message. `message`: a user
   * message behind all results, for servers that take nothing but text as a result. Default: `parts`.
   */
  readonly notes?: 'parts' | 'message';
}

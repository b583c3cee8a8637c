// How is a breach of the architecture told?

export interface Violation {
  /** The law that was broken, as `layer` or `import-cycle`. */
  readonly law: string;
  /** Path below src, with a line where there is one. */
  readonly where: string;
  readonly what: string;
}

// As much of `process` as it uses.
export interface Streams {
  readonly stdout: { write(text: string): unknown };
  /** Progress is shown only where a person looks on. */
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

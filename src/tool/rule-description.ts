/**
 * What a rule says of itself. The comment before it says what models send, what it becomes, and
 * when it does nothing: docs/reference/rules.md is made from these comments.
 */
export interface RuleDescription {
  /** snake_case; the file's name with underscores. */
  readonly id: string;
  /**
   * `lossless`: every key and every value of the arguments is kept, so that the rule acts on
   * destructive tools too.
   */
  readonly keeps: 'lossless' | 'lossy';
}

/** What a rule repairs is described at its id in `RuleChoice`. */
export interface RuleDescription {
  /** snake_case; the file's name with underscores. */
  readonly id: string;
  /**
   * `lossless`: every key and every value is kept, so that the rule acts on destructive tools too.
   */
  readonly keeps: 'lossless' | 'lossy';
}

// What can be wrong with arguments, as data? No sentence is made here, and none is ever read to decide.

/** One thing that is wrong with a call's arguments. */
export interface Issue {
  /**
   * JSON Schema's keyword (`type`, `required`, `enum`, …), or one of ours: `path`, `misspelt`, `duplicate_key`,
   * `unsafe_number`, `not_json`, `not_sent`, `truncated`, `too_large`, `too_deep`, `invalid_utf8`, `not_plain`, `budget_exceeded`, `check`,
   * `broken_check` (a check that threw: no mistake of the model's), `meta`.
   */
  readonly keyword: string;
  /** JSON Pointer (RFC 6901) of the value that fails; '' is the arguments as a whole. */
  readonly path: string;
  /** The key that is missing, unknown or double, where the issue is about one. */
  readonly key?: string;
  /** What was expected, in words made from the schema: "a list of strings". */
  readonly expected?: string;
  /** What came: its kind and a short excerpt, safe to show; never a secret. */
  readonly received?: string;
  /** The way out: the nearest declared key, the allowed values, the author's own sentence. */
  readonly advice?: string;
}

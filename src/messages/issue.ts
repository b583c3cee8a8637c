/** One problem of a call's arguments, as data. Messages are made from issues. */
export interface Issue {
  /**
   * JSON Schema's keyword (`type`, `required`, `enum`, …), or one of ours: `path`, `misspelt`,
   * `duplicate_key`, `unsafe_number`, `not_json`, `not_sent`, `truncated`, `too_large`, `too_deep`,
   * `invalid_utf8`, `not_plain`, `budget_exceeded`, `not_confirmed`, `meta`, `duplicate_meta`,
   * `misplaced_meta`, `check`, and `broken_check` for a check that threw, which is the developer's
   * mistake.
   */
  readonly keyword: string;
  /** JSON Pointer (RFC 6901) of the value that fails; '' for the arguments as a whole. */
  readonly path: string;
  /** The key that is missing, unknown or repeated, if the issue is about one. */
  readonly key?: string;
  /** What the schema expects, in words: `an array of strings`. */
  readonly expected?: string;
  /** A short description of the value: `the string "x"`. Never contains a secret. */
  readonly received?: string;
  /** What to do: `did you mean "path"?`, or the author's own sentence. */
  readonly advice?: string;
}

/**
 * Keywords of issues about meta arguments: a bad value, two spellings of one, one inside another
 * argument. `path` leads to what was sent, and `key` is its last part.
 */
const metaKeywords: ReadonlySet<string> = new Set(['meta', 'duplicate_meta', 'misplaced_meta']);

export const isAboutMeta = ({ keyword }: Issue): boolean => metaKeywords.has(keyword);

/** Whether an issue is about a key that the schema doesn't know. */
export const isUnknownKey = ({ keyword }: Pick<Issue, 'keyword'>): boolean =>
  keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';

/** The keyword of a check that threw, or that returned a promise. */
export const brokenCheckKeyword = 'broken_check';

/** Whether all issues are the developer's mistakes. */
export const isInternalError = (issues: readonly Issue[]): boolean =>
  issues.length > 0 && issues.every(({ keyword }) => keyword === brokenCheckKeyword);

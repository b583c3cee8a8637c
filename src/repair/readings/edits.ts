/** Kinds of edits, as bits: the edits of a path are those of its edges, combined with `|`. */
export const edit = {
  none: 0,
  /** A closer was left out, read as another one, or put in. */
  closer: 1,
  /** A closer that is missing was put in, at the end or before a key. */
  missingCloser: 2,
  /** Closers behind the root were left out. */
  closersBehind: 4,
  /** Two braces were read as one. */
  brace: 8,
  /** A list was put around objects. */
  listBracket: 16,
  /** An opening `[` was left out or put in. */
  opener: 32,
  comma: 64,
  colon: 128,
  keyQuote: 256,
  /** A quote is content. */
  content: 512,
  /**
   * Another reading is as likely, so that this one is a witness: a quote is content although the string could end there, or lies
   * between quotes that touch; a list goes on behind a closer that was left out, or behind an empty container that lacks a comma.
   */
  doubtful: 1024,
  bareWord: 2048,
  /** A wrong closer closes a container that holds nothing, or one opens behind a missing comma. */
  emptyContainer: 4096,
  /** A comma is missing behind a closer, which may be the surplus one. */
  commaBehindCloser: 8192,
  /** A closer comes behind a comma: the opener of an empty container may be missing between them. */
  trailingComma: 16_384,
  /** A comma is missing between `{}` and a key, which may belong into the braces. */
  commaBehindEmpty: 32_768,
} as const;

/** Edits of closers, braces and brackets: they can move members to another object. */
export const movingEdits = edit.closer | edit.missingCloser | edit.brace | edit.listBracket | edit.opener;

/** Edits of anything but closers, braces and brackets. */
export const contentEdits = edit.comma | edit.colon | edit.keyQuote | edit.content | edit.bareWord;

/** Edits that add or keep characters of a value by choice, so that a destructive tool must have them confirmed. */
export const lossyEdits = edit.content | edit.bareWord;

// Kinds of edits, as bits: the edits of a path are those of its edges, combined with `|`.

export const none = 0;
/** A closer was left out, read as another one, or put in. */
export const closer = 1;
/** A closer that is missing was put in, at the end or before a key. */
export const missingCloser = 2;
/** Closers behind the root were left out. */
export const closersBehind = 4;
/** Two braces were read as one. */
export const brace = 8;
/** A list was put around objects. */
export const listBracket = 16;
/** An opening `[` was left out or put in. */
export const opener = 32;
export const comma = 64;
export const colon = 128;
export const keyQuote = 256;
/** A quote is content. */
export const content = 512;
/**
 * Another reading is as likely, so that this one is a witness: a quote is content although the string could end there, or lies
 * between quotes that touch; a list goes on behind a closer that was left out, or behind an empty container that lacks a comma.
 */
export const doubtful = 1024;
export const bareWord = 2048;
/** A wrong closer closes a container that holds nothing, or one opens behind a missing comma. */
export const emptyContainer = 4096;
/** A comma is missing behind a closer, which may be the surplus one. */
export const commaBehindCloser = 8192;
/** A closer comes behind a comma: the opener of an empty container may be missing between them. */
export const trailingComma = 16_384;
/** A comma is missing between `{}` and a key, which may belong into the braces. */
export const commaBehindEmpty = 32_768;

/** Edits of closers, braces and brackets: they can move members to another object. */
export const movingEdits = closer | missingCloser | brace | listBracket | opener;

/** Edits of anything but closers, braces and brackets. */
export const contentEdits = comma | colon | keyQuote | content | bareWord;

/** Edits that add or keep characters of a value by choice, so that a destructive tool must have them confirmed. */
export const lossyEdits = content | bareWord;

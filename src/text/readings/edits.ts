// Kinds of edits, as bits: the edits of a reading are those of its edges, combined with `|`.

export const none = 0;
/**
 * A closer or an opener was left out, put in, or read as another one: members may have moved to
 * another object.
 */
export const moving = 1;
/** A closer that is missing was put in, at the end or before a key. */
export const missingCloser = 2;
/** Closers after the root were left out. */
export const closersAfterRoot = 4;
/** A closer comes after a comma: the opener of an empty container may be missing between them. */
export const trailingComma = 8;
/** A comma is missing after a closer, which may be the surplus one. */
export const commaAfterCloser = 16;
/** A comma, a colon or the opening quote of a key was put in. */
export const separator = 32;
/** A quote is content. */
export const content = 64;
export const bareWord = 128;
/** Another reading is as likely. */
export const doubtful = 256;

/** The text ends before the closers of what it has opened: more may have been meant to follow. */
export const missingEnd = 512;
/** It ends with a digit, so that the number may be the start of a longer one. */
export const openNumber = 1024;

/** Edits of anything but closers and openers. */
export const contentEdits = separator | content | bareWord;

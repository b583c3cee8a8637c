// When do two keys differ in spelling only? In letter case, blanks, `_`, `-`, `.` and quote marks.

const foldable = /^[\p{L}\p{N}\s_.\-'"`\u2018\u2019\u201c\u201d]*$/u;
const separators = /[\s_.\-'"`\u2018\u2019\u201c\u201d]/gu;

/**
 * The form that all spellings of a key share; undefined for a key with any other character, which is
 * no spelling of anything, and for one that has nothing but separators.
 */
export function foldKey(key: string): string | undefined {
  if (key.length > 128 || !foldable.test(key)) return undefined;
  const folded = key.replace(separators, '').toLowerCase();
  return folded === '' ? undefined : folded;
}

/** The same for any key: one that can't be folded is a spelling of itself alone. */
export const spellingOf = (key: string): string => foldKey(key) ?? key;

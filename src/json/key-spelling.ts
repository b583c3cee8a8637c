const normalizable = /^[\p{L}\p{N}\s_.\-'"`\u2018\u2019\u201c\u201d]*$/u;
const separators = /[\s_.\-'"`\u2018\u2019\u201c\u201d]/gu;

/**
 * The form that all spellings of a key share; undefined for one with other characters than letters,
 * digits and separators.
 */
export function normalizeKey(key: string): string | undefined {
  if (key.length > 128 || !normalizable.test(key)) return undefined;
  const spelling = key.replace(separators, '').toLowerCase();
  return spelling === '' ? undefined : spelling;
}

export const spellingOf = (key: string): string => normalizeKey(key) ?? key;

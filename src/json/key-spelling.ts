const normalizable = /^[\p{L}\p{N}\s_.\-'"`\u2018\u2019\u201c\u201d]*$/u;
const separators = /[\s_.\-'"`\u2018\u2019\u201c\u201d]/gu;

/** A dash or a point at an end: `-tag` may leave the tag out. `--tag` is an option of a command. */
const operatorAtEnd =
  /^[\s'"`\u2018\u2019\u201c\u201d]*(?:\.|-(?!-[\p{L}\p{N}]))|[.-][\s'"`\u2018\u2019\u201c\u201d]*$/u;

/** Whether a key has a character that may say something about it: `-tag`, `tag!=`, `+tag`. */
export const hasOperator = (key: string): boolean =>
  operatorAtEnd.test(key) || /[!~^<>=+*%&|?@]/.test(key);

/**
 * The form that all spellings of a key share; undefined for one with other characters than letters,
 * digits and separators, or with a dash or a point that separates nothing.
 */
export function normalizeKey(key: string): string | undefined {
  if (key.length > 128 || !normalizable.test(key) || operatorAtEnd.test(key)) return undefined;
  const spelling = key.replace(separators, '').toLowerCase();
  return spelling === '' ? undefined : spelling;
}

export const spellingOf = (key: string): string => normalizeKey(key) ?? key;

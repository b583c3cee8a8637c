// How is a place shown to a model? As a path: `edits[0].find`.
import { quote } from './excerpt.ts';

/** Keys that are shown, at most; the innermost ones. */
const mostKeys = 6;

/** Names as they are where they are plain, else quoted and cut. */
export const shownPath = (keys: readonly string[]): string => keys.slice(-mostKeys).reduce(joinKey, '');

function joinKey(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  const name = /^[\w$-]{1,64}$/.test(key) ? key : quote(key);
  return path === '' ? name : `${path}.${name}`;
}

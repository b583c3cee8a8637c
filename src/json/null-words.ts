// Words that models write where they send no value.
import type { JsonValue } from './value.ts';

/** null, None or undefined, in exactly these spellings: the literals of JSON, Python and JavaScript. */
export const isNullWord = (value: JsonValue): boolean =>
  typeof value === 'string' && nullWords.has(value.trim());

const nullWords: ReadonlySet<string> = new Set(['null', 'None', 'undefined']);

/**
 * Whether text is blank or a word for nothing, however it is written. Those that are no literals are
 * no null either, because they may be a value: `limit: none` may be no limit, or none at all.
 */
export const saysNothing = (text: string): boolean =>
  /^(?:null|none|nil|undefined|n\/a)?[\s.]*$/i.test(text.trimStart());

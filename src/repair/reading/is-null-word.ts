// Which words do models write for null?

/** null, None or undefined, trimmed, in exactly these spellings. */
export const isNullWord = (text: string): boolean => /^\s*(?:null|None|undefined)\s*$/.test(text);

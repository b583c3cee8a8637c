/** The words of a text, so that a long list of short strings takes few lines. */
export const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

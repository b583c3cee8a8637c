/** The words of a text, so that a long list of short strings takes few lines. */
export const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The pairs of a text, each written as `one/other`. */
export const pairsOf = (text: string): readonly (readonly [string, string])[] =>
  wordsOf(text).map((pair) => {
    const [one = '', other = ''] = pair.split('/');
    return [one, other];
  });

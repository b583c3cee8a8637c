// Which spellings of an enum's member are the same?

/** Case, quotes around, blanks, underscores and hyphens fold; between or beside digits a separator stays one. */
export const foldMember = (text: string): string =>
  text
    .trim()
    .replace(/^(["'`])([^]*)\1$/, '$2')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, (separators, at: number, whole: string) =>
      isDigit(whole[at - 1]) || isDigit(whole[at + separators.length]) ? '-' : '',
    );

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character);

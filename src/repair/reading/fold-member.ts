// Which spellings of an enum's member are the same?
import type { JsonValue } from '../../json/json-value.ts';

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

const isDigit = (character = ''): boolean => /\d/.test(character);

/** True if text is a member but for its spelling. */
export const spellsMember = (value: JsonValue, members: readonly JsonValue[] | undefined): boolean =>
  typeof value === 'string' &&
  members?.some((member) => typeof member === 'string' && foldMember(member) === foldMember(value)) === true;

// Which texts are no element of a list on their own? What starts like a container, says nothing, or looks like several.
import { pathInLink } from '../../json/markdown-link.ts';
import { startsLikeContainer } from './container-text.ts';
import { isNullWord } from './is-null-word.ts';

/** A link that stands for a path starts like a list and is none. */
export function isNoElement(text: string, isPath: boolean): boolean {
  if (text.trim() === '' || isNullWord(text) || looksLikeSeveral(text)) return true;
  if (isPath && pathInLink(text) !== undefined) return false;
  return startsLikeContainer(text) || wrappedContainer.test(text);
}

/** A list or an object once more in quotes, or in a fence: it is read where it can be, and else it is none. */
const wrappedContainer = /^\s*(?:(["'`])\s*[[{][^]*\1\s*$|[`~]{3}[^\n]{0,20}\n\s*[[{])/;

/** Two or more parts without blanks inside, set apart by commas, semicolons, bars or line breaks. */
function looksLikeSeveral(text: string): boolean {
  const parts = text
    .split(/[,;|\r\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => !/\s/.test(part));
}

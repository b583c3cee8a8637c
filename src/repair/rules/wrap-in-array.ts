// May one value stand for the list of it? Models send the element where the list has one.
// Leaves alone: text that starts like a container, says nothing, or looks like several values.
import { isJsonArray, type JsonValue } from '../../json/json-value.ts';
import { pathInLink } from '../../json/markdown-link.ts';
import { startsLikeContainer } from '../reading/container-text.ts';
import { isNullWord } from '../reading/is-null-word.ts';
import { type Place, refused, replaceBy, silent, type ValueRule } from '../repair-rule.ts';

export const wrapInArray: ValueRule = {
  id: 'wrap_in_array',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'one value where a list of such values is declared',
  becomes: 'a list of it',
  notWhen:
    'text that starts like a container; blank text or a null word; text that looks like several (two or more parts without blanks inside, set apart by `,` `;` `|` or line breaks)',
  propose(place) {
    const { value, view, ask } = place;
    if (!view.types.has('array') || isJsonArray(value)) return silent;
    // What is a member as it stands can't be several.
    if (ask.view(view.items).members?.includes(value) === true) return replaceBy([value]);
    return value === null || isNoElement(place, value) ? refused : replaceBy([value]);
  },
};

function isNoElement({ isPath }: Place, value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  if (value.trim() === '' || isNullWord(value) || looksLikeSeveral(value)) return true;
  return startsLikeContainer(value) && !(isPath && pathInLink(value) !== undefined);
}

function looksLikeSeveral(text: string): boolean {
  const parts = text
    .split(/[,;|\r\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => !/\s/.test(part));
}

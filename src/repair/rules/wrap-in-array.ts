import { isContainer } from '../../collections/objects.ts';
import { isJsonObject, isAnyType } from '../../json/value.ts';
import { isMember } from '../../schema/keywords.ts';
import {
  declaresAnyKey,
  declaresKeys,
  isContainerText,
  cannotBeElement,
  isPlaceholder,
  looksLikeSeveral,
  separatedParts,
} from '../read-text.ts';
import { partsWithoutSeparators } from '../parts-without-separators.ts';
import {
  type Proposal,
  type RuleContext,
  type ValueRule,
  refuse,
  refuseBetween,
  replaceWith,
} from '../repair-rule.ts';

/**
 * Models send one value instead of an array of such values.
 * Becomes an array of it.
 * Not when: a string that starts like an array or object, in quotes or in a fence too (`[a-z]*.ts`
 * and `[GitHub] fix` don’t); a blank string or a word for nothing (null, none, n/a), also if the
 * elements’ enum has that word; a string that looks like several values: it has `,` `;` `|`, such a
 * separator of another script, a tab or a line break outside quotes, brackets and the only address,
 * unless each part after a separator goes on the sentence with a word such as “and”, “but” or “if”;
 * a comma at either end; an address with `;` or `|`; several addresses, names after `@` or `#`, or
 * whole paths with blanks between them (`ada@x.org bob@x.org`, `Ada <ada@x.org> Bob <bob@x.org>`;
 * in an array of paths also `a.txt b.txt`), codes of one form (`A12 B13`) or texts in quotes; names
 * that a conjunction joins (`Paris and London`); parts that are counted (`1) a 2) b`), or that
 * bullets, arrows, `<br>` or a line break written out set apart; text in elements
 * (`<item>a</item>`); a name before an array or object (`tags: ["a"]`); a command with its
 * arguments in an array named argv, args, arguments, command, cmd or cmdline; an object with an
 * array or object in it and without any key that the elements declare, or with a key of another
 * branch, if the elements declare none; an element of an array that this rule has just made; a
 * number for an array of strings, if a string is allowed, too; any value for an array of anything,
 * if other types are allowed, too.
 */
export const wrapInArray: ValueRule = {
  id: 'wrap_in_array',
  level: 'value',
  answers: ['type'],
  declaredTypes: ['array'],
  keeps: 'lossless',
  acceptsAlmostAnything: true,
  isOnce: true,
  propose(context) {
    const { value, view, types } = context;
    const items = context.viewOf(view.items);
    // A member of the elements' enum is one element, even if it looks like several.
    if (items.members !== undefined && isMember(items.members, value))
      return isPlaceholder(value) ? refuse : replaceWith([value]);
    // If both strings and lists of strings are allowed, 5 may be meant as "5" or as ["5"].
    const takesNumbers = items.types.has('number') || items.types.has('integer');
    if (typeof value === 'number' && types.has('string') && !takesNumbers) return refuse;
    // If the elements may be anything, they don't show that an array is meant and no other type.
    const allowsOtherTypes = [...types].some((type) => type !== 'array' && type !== 'null');
    if (allowsOtherTypes && isAnyType(items.types)) return refuse;
    if (typeof value === 'string') {
      const parts = partsWithoutSeparators(context, value);
      if (parts !== undefined) return refuseParts(context, value, parts);
      if (cannotBeElement(value, context.isPath())) return refuseSeveral(context, value);
    }
    return value === null || isOtherObject(context) ? refuse : replaceWith([value]);
  },
};

/** Refuses text that can't be one element. If it may be several, the message shows both lists. */
function refuseSeveral(context: RuleContext, text: string): Proposal {
  const parts = separatedParts(text);
  return !isContainerText(text) && looksLikeSeveral(text)
    ? refuseParts(context, text, parts)
    : refuse;
}

/** Refuses text. If both its parts and the whole of it would fit as a list, the message shows both. */
function refuseParts(context: RuleContext, text: string, parts: readonly string[]): Proposal {
  const fitsBoth = [parts, [text]].every((list) => context.accepts(context.view.schema, list));
  return fitsBoth ? refuseBetween(parts, [text]) : refuse;
}

/**
 * Whether an object is perhaps no element: it has no key that the elements declare, but a list or an
 * object in it, which may be the elements. If the elements declare no keys, it may be the object that
 * another branch allows.
 */
function isOtherObject(context: RuleContext): boolean {
  const { value, view } = context;
  if (!isJsonObject(value)) return false;
  if (!declaresAnyKey(context, view.items))
    return Object.keys(value).some((key) => declaresKeys(context, context.place, [key]));
  const isForeign = Object.keys(value).every((key) => !declaresKeys(context, view.items, [key]));
  const isMisspelt = context.misspelt(context.viewOf(view.items), value).length > 0;
  return isForeign && !isMisspelt && Object.values(value).some(isContainer);
}

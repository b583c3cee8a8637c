import type { JsonValue } from '../../json/value.ts';
import { isMember } from '../../schema/keywords.ts';
import type { SchemaView } from '../../schema/schema-view.ts';
import { membersSpelled } from '../read-text.ts';
import {
  type Proposal,
  type RuleContext,
  type ValueRule,
  refuse,
  replaceWith,
  skip,
} from '../repair-rule.ts';

/**
 * Models send a comma-separated string, each part a member, or another spelling of exactly one,
 * instead of an array of that enum; a string with blanks or separators, each part in the format or
 * pattern that the elements have, and the whole not (`ada@x.org bob@x.org`).
 * Becomes the array.
 * Not when: any other string; a format or pattern that a word or a digit has, too; a pattern that
 * the string without its separators has (`+43 664 1234567`).
 */
export const splitEnumList: ValueRule = {
  id: 'split_enum_list',
  level: 'value',
  answers: ['type'],
  declaredTypes: ['array'],
  keeps: 'lossy',
  propose(context) {
    const { value, view } = context;
    if (typeof value !== 'string') return skip;
    const items = context.viewOf(view.items);
    const { members } = items;
    if (members === undefined) return splitByForm(context, value, items);
    // A member may have a comma itself.
    if (!value.includes(',') || isMember(members, value)) return skip;
    if (membersSpelled(value, members).length > 0) return skip;
    const parts = value.split(',').map((part) => memberOf(members, part.trim()));
    return parts.every((part) => part !== undefined) ? replaceWith(parts) : refuse;
  },
};

/** The member that a part is, or whose only spelling it is. */
function memberOf(members: readonly JsonValue[], part: string): string | undefined {
  if (isMember(members, part)) return part;
  const [only, ...others] = membersSpelled(part, members);
  return others.length === 0 ? only : undefined;
}

/** Only the elements' format or pattern shows where text that is several ends and begins. */
function splitByForm(context: RuleContext, text: string, items: SchemaView): Proposal {
  const { format, pattern } = items.mergedSchema;
  const isText = items.types.size === 1 && items.types.has('string');
  if (!isText || (format === undefined && pattern === undefined)) return skip;
  const isElement = (part: string): boolean => context.accepts(context.view.items, part);
  if (isElement(text) || anyWords.some(isElement)) return skip;
  const parts = text.split(/[\s,;|]+/).filter((part) => part !== '');
  // A format says where an element ends. In a pattern, blanks may group one: `+43 664 1234567`.
  if (format === undefined && isElement(parts.join(''))) return skip;
  return parts.length > 1 && parts.every(isElement) ? replaceWith(parts) : skip;
}

/** What has a format or pattern that says nothing about where a text ends. */
const anyWords: readonly string[] = ['word', 'Word', '1'];

import type { JsonValue } from '../../json/value.ts';
import { isMember } from '../../schema/keywords.ts';
import { booleanInText, digitsOf, membersSpelled, numberInText } from '../read-text.ts';
import {
  type Proposal,
  type RuleContext,
  type ValueRule,
  refuse,
  replaceWith,
  skip,
} from '../repair-rule.ts';

/**
 * Models send text that is a member but for blanks or quotes around it; else text that equals
 * exactly one member but for case, and blanks, underscores and hyphens inside; a number or boolean
 * member as text, or a text member (`"1.10"`, `"true"`) as number or boolean.
 * Becomes the member.
 * Not when: two members fit; synonyms; signs at either end: `-created_at` is not `created_at`;
 * beside a digit separators are exchanged, never left out: `1-0` is not `10`.
 */
export const enumSpelling: ValueRule = {
  id: 'enum_spelling',
  level: 'value',
  answers: ['type', 'value'],
  sentTypes: ['string', 'number', 'boolean'],
  keeps: 'lossy',
  plainReading(text, { members = [] }) {
    const [only, second] = meantMembers(text, members);
    return second === undefined ? only : undefined;
  },
  propose(context) {
    const {
      value,
      view: { members },
    } = context;
    if (members === undefined) return skip;
    if (typeof value !== 'string') return proposeText(context, members);
    const [only, second] = meantMembers(value, members);
    return second === undefined ? replaceWith(only) : refuse;
  },
};

/** The member that is the text of a number, with its own digits, or of a boolean. */
function proposeText(context: RuleContext, members: readonly JsonValue[]): Proposal {
  const { value } = context;
  const text =
    typeof value === 'number' ? digitsOf(value, context.literal()) : JSON.stringify(value);
  return text !== undefined && isMember(members, text) ? replaceWith(text) : skip;
}

function meantMembers(text: string, members: readonly JsonValue[]): readonly JsonValue[] {
  const read = [numberInText(text), booleanInText(text)].filter((other) => other !== undefined);
  const others = read.filter((other) => isMember(members, other));
  return [...new Set([...others, ...membersSpelled(text, members)])];
}

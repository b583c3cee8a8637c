import { isMember } from '../../schema/keywords.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send a comma-separated string, each part exactly a member, instead of an array of that
 * enum.
 * Becomes the array.
 * Not when: any other string.
 */
export const splitEnumList: ValueRule = {
  id: 'split_enum_list',
  level: 'value',
  answers: ['type'],
  declaredTypes: ['array'],
  keeps: 'lossy',
  propose(context) {
    const { value, view } = context;
    if (typeof value !== 'string' || !value.includes(',')) return skip;
    const { members } = context.viewOf(view.items);
    // A member may have a comma itself.
    if (members === undefined || isMember(members, value)) return skip;
    const parts = value.split(',').map((part) => part.trim());
    return parts.every((part) => isMember(members, part)) ? replaceWith(parts) : refuse;
  },
};

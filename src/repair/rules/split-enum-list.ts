// Only where every part is exactly a member; no other text is ever split. Leaves alone: lists of anything but an
// enum, and text with one part that is no member.
import { type ValueRule, refused, replaceBy, silent } from '../repair-rule.ts';

export const splitEnumList: ValueRule = {
  id: 'split_enum_list',
  level: 'value',
  answers: ['type'],
  keeps: 'lossy',
  sends: 'comma-separated text, each part exactly a member, for a list of that enum',
  becomes: 'the list',
  notWhen: 'any other text',
  propose({ value, view, ask }) {
    if (typeof value !== 'string' || !view.types.has('array') || !value.includes(',')) return silent;
    const { members } = ask.view(view.items);
    // A member that has a comma itself is no list.
    if (members === undefined || members.includes(value)) return silent;
    const parts = value.split(',').map((part) => part.trim());
    return parts.every((part) => members.includes(part)) ? replaceBy(parts) : refused;
  },
};

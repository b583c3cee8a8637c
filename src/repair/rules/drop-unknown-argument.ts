import { isDeclaredKey } from '../read-text.ts';
import type { KeyEdit, ObjectRule } from '../repair-rule.ts';

export const dropUnknownArgument: ObjectRule = {
  id: 'drop_unknown_argument',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  hidesMovedClosers: true,
  notes: true,
  propose({ value, view, contract }) {
    const strips = view.strips || contract.unknownArguments === 'strip';
    if (!strips || view.additionalProperties !== false) return [];
    return Object.keys(value)
      .filter((key) => !isDeclaredKey(view, key))
      .map((key): KeyEdit => ({ op: 'remove', key }));
  },
};

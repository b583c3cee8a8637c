import type { KeyEdit, ObjectRule } from '../repair-rule.ts';
import { mayBeTooDeep } from './hoist-member.ts';

export const fillDefault: ObjectRule = {
  id: 'fill_default',
  level: 'object',
  answers: ['missing'],
  keeps: 'lossy',
  hidesMovedClosers: true,
  propose(context) {
    const { value, view } = context;
    const edits: KeyEdit[] = [];
    for (const key of view.required) {
      const schema = view.properties.get(key);
      if (schema === undefined || Object.hasOwn(value, key)) continue;
      const declared = context.viewOf(schema).defaultValue;
      // The default would replace a value that was sent, one level too deep.
      if (declared !== undefined && !mayBeTooDeep(context, key))
        edits.push({ op: 'set', key, value: structuredClone(declared) });
    }
    return edits;
  },
};

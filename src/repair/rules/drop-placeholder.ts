import { ownValue } from '../../collections/objects.ts';
import { isNullWord, isPlaceholder, mayBeMember } from '../read-text.ts';
import type { KeyEdit, ObjectRule } from '../repair-rule.ts';

export const dropPlaceholder: ObjectRule = {
  id: 'drop_placeholder',
  level: 'object',
  answers: ['empty'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view } = context;
    const edits: KeyEdit[] = [];
    for (const [key, schema] of view.properties) {
      const sent = ownValue(value, key);
      if (view.required.has(key) || !isPlaceholder(sent)) continue;
      if (context.viewOf(schema).isVerbatim || context.accepts(schema, sent)) continue;
      if (mayBeMember(context, schema, sent)) continue;
      // If a list is allowed here, `{}` is an empty list.
      if (typeof sent === 'object' && context.typesOf(schema).has('array')) continue;
      const meansNull = isNullWord(sent) && context.accepts(schema, null);
      if (!meansNull) edits.push({ op: 'remove', key });
    }
    return edits;
  },
};

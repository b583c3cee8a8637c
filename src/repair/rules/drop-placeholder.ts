import { ownValue } from '../../collections/objects.ts';
import { isNullWord } from '../../json/null-words.ts';
import { isPlaceholder, mayBeMember } from '../read-text.ts';
import type { KeyEdit, ObjectRule } from '../repair-rule.ts';

/**
 * Models send a blank string, `{}`, or the words null, None, undefined (trimmed) in an optional
 * declared key that doesn’t allow them.
 * Becomes nothing: the key is left out.
 * Not when: the string is valid there; the field is verbatim; an array is allowed and `{}` was
 * sent; null is allowed and the string is a null word; the word spells a member, also of an array’s
 * elements.
 */
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
      const sentValue = ownValue(value, key);
      if (view.required.has(key) || !isPlaceholder(sentValue)) continue;
      if (context.viewOf(schema).isVerbatim || context.accepts(schema, sentValue)) continue;
      if (mayBeMember(context, schema, sentValue)) continue;
      // If a list is allowed here, `{}` is an empty list.
      if (typeof sentValue === 'object' && context.typesOf(schema).has('array')) continue;
      const meansNull = isNullWord(sentValue) && context.accepts(schema, null);
      if (!meansNull) edits.push({ op: 'remove', key });
    }
    return edits;
  },
};

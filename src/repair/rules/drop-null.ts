import type { KeyEdit, ObjectRule } from '../repair-rule.ts';

/**
 * Models send null where null is not allowed, at a declared key that is optional, or required with
 * a default.
 * Becomes nothing: the key is left out (a required one gets its default).
 * Not when: the key is required and has no default; the field is verbatim; inside an array.
 */
export const dropNull: ObjectRule = {
  id: 'drop_null',
  level: 'object',
  answers: ['empty'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view } = context;
    const edits: KeyEdit[] = [];
    for (const [key, schema] of view.properties) {
      if (!Object.hasOwn(value, key) || value[key] !== null || context.accepts(schema, null))
        continue;
      const { defaultValue, isVerbatim } = context.viewOf(schema);
      const canBeAbsent = !view.required.has(key) || defaultValue !== undefined;
      if (canBeAbsent && !isVerbatim) edits.push({ op: 'remove', key });
    }
    return edits;
  },
};

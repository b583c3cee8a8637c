import { isMap } from '../../validate/strict-checks.ts';
import type { ObjectRule } from '../repair-rule.ts';

/**
 * Models send in a tool with `effects: read`: exactly one undeclared key, exactly one absent
 * required key, and the value passes there.
 * Becomes the declared key; the model gets a note.
 * Not when: an absent optional key would take the value; anything else.
 */
export const renameOnlyCandidate: ObjectRule = {
  id: 'rename_only_candidate',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  notes: true,
  propose(context) {
    const { value, view } = context;
    if (context.contract.effects !== 'read' || isMap(view)) return [];
    const [unknownKey, ...moreUnknown] = Object.keys(value).filter(
      (key) => !view.properties.has(key),
    );
    const absent = [...view.properties].filter(([key]) => !Object.hasOwn(value, key));
    const [missingMember, ...moreMissing] = absent.filter(([key]) => view.required.has(key));
    if (unknownKey === undefined || missingMember === undefined) return [];
    if (moreUnknown.length > 0 || moreMissing.length > 0) return [];
    const sentValue = value[unknownKey] ?? null;
    const isTakenElsewhere = absent.some(
      ([key, schema]) => !view.required.has(key) && context.accepts(schema, sentValue),
    );
    const [to, schema] = missingMember;
    return isTakenElsewhere || !context.accepts(schema, sentValue)
      ? []
      : [{ op: 'rename', key: unknownKey, to }];
  },
};

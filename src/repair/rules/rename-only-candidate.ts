import { hasOperator } from '../../json/key-spelling.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isMap } from '../../validate/strict-checks.ts';
import { isContainerText } from '../read-text.ts';
import type { ObjectRule, RuleContext } from '../repair-rule.ts';
import { mayHoldSeveral } from './rename-related.ts';
import { speaksOfCall } from './unwrap-outer-key.ts';

/**
 * Models send in a tool with `effects: read`: exactly one undeclared key, exactly one absent
 * required key, and the value passes there.
 * Becomes the declared key; the model gets a note.
 * Not when: an absent optional key would take the value; the key speaks about a call (error,
 * reason, result, exclude and the like) or has a dash or a point at an end, or a comparison, a
 * negation or another operator in it (`-tag`, `tag!=`); the text may be the arguments themselves: it starts like
 * an object or array, is a call of the tool, or holds a declared name before a colon or `=`; text
 * that looks like several under the singular for the plural; anything else.
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
    if (hasOperator(unknownKey) || speaksOfCall(unknownKey) || mayBeArguments(context, sentValue))
      return [];
    const isTakenElsewhere = absent.some(
      ([key, schema]) => !view.required.has(key) && context.accepts(schema, sentValue),
    );
    const [to, schema] = missingMember;
    if (mayHoldSeveral(unknownKey, to, sentValue)) return [];
    return isTakenElsewhere || !context.accepts(schema, sentValue)
      ? []
      : [{ op: 'rename', key: unknownKey, to }];
  },
};

/** Whether text holds arguments, so that it is no argument itself. */
function mayBeArguments({ contract, view }: RuleContext<JsonObject>, value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  if (isContainerText(value) || value.trimStart().startsWith(`${contract.name}(`)) return true;
  const names = value.matchAll(/(?<![\p{L}\p{N}_-])([\p{L}_][\p{L}\p{N}_-]{0,63})["'`*]*\s*[:=]/gu);
  return [...names].some(([, name = '']) => view.properties.has(name));
}

import { wordsIn, wordsInName } from '../../json/nearest-name.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isMap } from '../../validate/strict-checks.ts';
import { isContainerText } from '../read-text.ts';
import type { ObjectRule, RuleContext } from '../repair-rule.ts';
import { isDistinguishing, mayHoldSeveral } from './rename-related.ts';

/**
 * Models send in a tool with `effects: read`: exactly one undeclared key, exactly one absent
 * required key, and the value passes there. The title or description of the absent key has all
 * words of the sent one, or the value is a member of its enum.
 * Becomes the declared key; the model gets a note.
 * Not when: the key may name something else, as `note` and `message` for any text; an absent optional
 * key would take the value; opposites, negations, units or single letters; the key speaks about a call (error, reason,
 * result, exclude and the like); the text may be the arguments themselves: it starts like an object
 * or array, is a call of the tool, or holds a declared name before a colon or `=`; anything else.
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
    if (speaksOfCall(unknownKey) || mayBeArguments(context, sentValue)) return [];
    if (!isNamedBy(context, unknownKey, missingMember[1])) return [];
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

/**
 * Whether a parameter's schema shows that the key means it. That the value passes shows nothing where
 * any text or number does.
 */
function isNamedBy(context: RuleContext, key: string, schema: JsonSchema): boolean {
  const words = wordsInName(key);
  if (words.length === 0 || words.some(isDistinguishing)) return false;
  const { members, mergedSchema } = context.viewOf(schema);
  const description = new Set(
    wordsIn(`${mergedSchema.title ?? ''} ${mergedSchema.description ?? ''}`),
  );
  return members !== undefined || words.every((word) => description.has(word));
}

/** What is said about a call is no call. */
const aboutKeys: readonly string[] = [
  // What came back from one.
  'result response output error return answer observation status log history',
  // One that is only shown.
  'example sample schema template default expected test dry mock demo draft',
  // One of another time.
  'previous last old original before next later',
  // One that is denied, or must be undone.
  'not never no without instead cancel undo fail invalid reject abort stop revert rollback wrong',
  'bad skip exclude ignore avoid deny denied forbid forbidden blocked disable prevent',
  // One that depends on something, or awaits a decision.
  'if unless pending suggest propose proposal preview simulate simulation',
  // Why it is made.
  'reason thought thinking rationale explanation',
].flatMap((words) => words.split(' '));

const endings = '(?:s|es|ed|led|d|ing|ion|ure|ures)?';
const aboutWord = new RegExp(`^(?:${aboutKeys.join('|')})${endings}$`);

/** Whether a key names what is said about a call, and not what goes into it. */
const speaksOfCall = (key: string): boolean =>
  wordsInName(key).some((word) => aboutWord.test(word));

/** Whether text holds arguments, so that it is no argument itself. */
function mayBeArguments({ contract, view }: RuleContext<JsonObject>, value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  if (isContainerText(value) || value.trimStart().startsWith(`${contract.name}(`)) return true;
  const names = value.matchAll(/(?<![\p{L}\p{N}_-])([\p{L}_][\p{L}\p{N}_-]{0,63})["'`*]*\s*[:=]/gu);
  return [...names].some(([, name = '']) => view.properties.has(name));
}

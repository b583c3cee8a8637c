import { wordsInName } from '../../json/nearest-name.ts';
import { pointerTo } from '../../json/pointers.ts';
import { type JsonObject, isJsonObject } from '../../json/value.ts';
import { isMap } from '../../validate/strict-checks.ts';
import { type RuleContext, type ValueRule, keyEdits, skip } from '../repair-rule.ts';

/**
 * Models send a root whose only key is not declared (config, payload, request, options and other
 * names) around an object, or its JSON text, all of whose keys are declared.
 * Becomes the inner object, if it passes with no key renamed, filled in, moved or left out; the
 * model gets a note.
 * Not when: the root passes; the key speaks about a call (result, example, previous, cancel and the
 * like); it has two words, as names of tools have, or would be valid at a parameter that is absent,
 * except for data, payload, request, body, `_`, query, call, config, settings, options, object,
 * fields, values, content, message, record; a destructive tool, except for the first five of these.
 */
export const unwrapOuterKey: ValueRule = {
  id: 'unwrap_outer_key',
  level: 'value',
  answers: ['root'],
  sentTypes: ['object'],
  keys: ['undeclared'],
  keeps: 'lossless',
  acceptsAlmostAnything: true,
  notes: true,
  notBeside: keyEdits,
  propose(context) {
    const { value, view } = context;
    if (!isJsonObject(value) || isMap(view)) return skip;
    const [key = '', ...others] = Object.keys(value);
    if (others.length > 0 || !isPlainName.test(key)) return skip;
    if (view.properties.has(key) || view.conditionalKeys.has(key)) return skip;
    if (context.misspelt(view, value).length > 0) return skip;
    const sentValue = value[key] ?? null;
    const isText = typeof sentValue === 'string' && /^\s*\{/.test(sentValue);
    const inner = isText ? context.read(sentValue) : sentValue;
    if (!isJsonObject(inner) || !mayHoldArguments(context, key, inner)) return skip;
    return {
      kind: isText ? 'decode' : 'replace',
      value: inner,
      from: pointerTo('', key),
      onlyIfFits: true,
      ...(certain.has(key.toLowerCase()) ? {} : { isLossy: true }),
    };
  },
};

const isPlainName = /^(?:[\p{L}_][\p{L}\p{N}_-]{0,63})$/u;

/** What carries the arguments of any call. */
const certain: ReadonlySet<string> = new Set('data payload request body _'.split(' '));

/** What a call, or what it is about, is called in general; no parameter's value and no tool. */
const general: ReadonlySet<string> = new Set([
  ...certain,
  ...'query call config settings options object fields values content message record'.split(' '),
]);

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
export const speaksOfCall = (key: string): boolean =>
  wordsInName(key).some((word) => aboutWord.test(word));

function mayHoldArguments(context: RuleContext, key: string, inner: JsonObject): boolean {
  const { view } = context;
  const keys = Object.keys(inner);
  if (keys.length === 0 || !keys.every((one) => view.properties.has(one))) return false;
  if (general.has(key.toLowerCase())) return true;
  if (speaksOfCall(key)) return false;
  // Names of two words are those of tools, and the key may be a value: `{"retries": {"value": 3}}`.
  return (
    wordsInName(key).length === 1 &&
    [...view.properties].every(
      ([name, schema]) => Object.hasOwn(inner, name) || !context.accepts(schema, key),
    )
  );
}

import { wordsInName } from '../../json/nearest-name.ts';
import { pointerTo } from '../../json/pointers.ts';
import { type JsonObject, isJsonObject } from '../../json/value.ts';
import { isMap } from '../../validate/strict-checks.ts';
import { type RuleContext, type ValueRule, keyEdits, skip } from '../repair-rule.ts';
import { isSameWord } from './rename-related.ts';

/**
 * Models send a root whose only key is not declared, around an object, or its JSON text, all of
 * whose keys are declared. The key is data, payload, request, body, `_`, query, call, config,
 * settings, options, object, fields, values, content, message or record, or one word of the tool’s
 * name: `{"task": {…}}` for `create_task`.
 * Becomes the inner object, if it passes with no key renamed, filled in, moved or left out; the
 * model gets a note.
 * Not when: the root passes; any other key, because it may say something about the call (result,
 * example, forbidden); a word of the tool’s name that would be valid at a parameter that is absent;
 * a destructive tool, except for the first five of these keys.
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

/** What carries the arguments of any call, also of a destructive tool. */
const certain: ReadonlySet<string> = new Set('data payload request body _'.split(' '));

/** What a call, or what it is about, is called in general. */
const general: ReadonlySet<string> = new Set([
  ...certain,
  ...'query call config settings options object fields values content message record'.split(' '),
]);

/**
 * Whether the key says that it holds arguments: what carries those of any call, or a word of this
 * tool's name. Any other key may be about the call, and its object the arguments of one that is
 * shown, denied or put off.
 */
function mayHoldArguments(context: RuleContext, key: string, inner: JsonObject): boolean {
  const { view, contract } = context;
  const keys = Object.keys(inner);
  if (keys.length === 0 || !keys.every((one) => view.properties.has(one))) return false;
  if (general.has(key.toLowerCase())) return true;
  const [word = '', ...furtherWords] = wordsInName(key);
  if (furtherWords.length > 0 || contract.isUnnamed === true) return false;
  return (
    wordsInName(contract.name).some((one) => isSameWord(one, word)) &&
    // The key may be a value: `{"retries": {"value": 3}}`.
    [...view.properties].every(
      ([name, schema]) => Object.hasOwn(inner, name) || !context.accepts(schema, key),
    )
  );
}

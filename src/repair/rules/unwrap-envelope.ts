import { pointerTo } from '../../json/json-pointer.ts';
import { type JsonObject, type JsonValue, isJsonObject, spellingOf } from '../../json/value.ts';
import type { SchemaView } from '../../schema/schema-view.ts';
import { isNullWord, startsLikeContainer, startsLikeQuotedContainer } from '../read-text.ts';
import { type Proposal, type RuleContext, type ValueRule, replaceWith, skip } from '../repair-rule.ts';

const envelopeKeys: ReadonlySet<string> = new Set([
  'arguments',
  'args',
  'input',
  'parameters',
  'params',
  'kwargs',
  'properties',
]);

export const unwrapEnvelope: ValueRule = {
  id: 'unwrap_envelope',
  level: 'value',
  answers: ['root'],
  sent: ['object'],
  keeps: 'lossless',
  sends:
    'a root whose only key is the undeclared arguments, args, input, parameters, params, kwargs or properties, or a call envelope `{name, arguments}`, also with its `id` and `type`, or as a `function`',
  becomes:
    'the inner object (or its JSON text; or, for a tool with exactly one parameter, which takes a string, a string that does not start like an object or array)',
  notWhen:
    'the tool declares that key; `name` is another tool’s; the string is blank, a null word, or arguments in a fence, in markup or encoded twice',
  propose(context) {
    if (!isJsonObject(context.value)) return skip;
    const envelope = envelopeIn(context, context.value);
    if (envelope === undefined) return skip;
    const { inner, from } = envelope;
    if (isJsonObject(inner)) return { kind: 'replace', value: inner, from };
    return typeof inner === 'string' ? proposeText(context, inner, from) : skip;
  },
};

interface Envelope {
  readonly inner: JsonValue;
  /** JSON Pointer of it. */
  readonly from: string;
}

function envelopeIn({ view, contract }: RuleContext, root: JsonObject): Envelope | undefined {
  const { call, at } = functionCallIn(view, root);
  const keys = Object.keys(call);
  const key = keys.find((name) => envelopeKeys.has(name) && !view.properties.has(name));
  if (key === undefined) return undefined;
  // The tool's own name marks an envelope even if a parameter is called `name`.
  const name = call['name'];
  const isOwnName = typeof name === 'string' && spellingOf(name) === spellingOf(contract.name);
  const isCall =
    isOwnName && keys.every((other) => other === key || other === 'name' || isCallDetail(call, other));
  return keys.length === 1 || isCall ? { inner: call[key] ?? null, from: pointerTo(at, key) } : undefined;
}

/** OpenAI's calls have their name and arguments under `function`. */
function functionCallIn(view: SchemaView, root: JsonObject): { call: JsonObject; at: string } {
  const called = view.properties.has('function') ? undefined : root['function'];
  const isCall =
    isJsonObject(called) &&
    Object.hasOwn(called, 'name') &&
    Object.keys(root).every((key) => key === 'function' || isCallDetail(root, key));
  return isCall ? { call: called, at: '/function' } : { call: root, at: '' };
}

/** Providers put an id and a type beside a call's name and arguments. */
const isCallDetail = (root: JsonObject, key: string): boolean =>
  (key === 'type' && callTypes.has(root[key])) ||
  ((key === 'id' || key === 'call_id') && typeof root[key] === 'string');

const callTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'function',
  'function_call',
  'tool_call',
  'tool_use',
]);

function proposeText(context: RuleContext, text: string, from: string): Proposal {
  if (startsLikeContainer(text)) {
    const read = context.read(text);
    return isJsonObject(read) ? { kind: 'decode', value: read, from } : skip;
  }
  // Blank text and null words stand for no arguments, and a written call for all of them.
  if (text.trim() === '' || isNullWord(text) || isWrittenCall(text)) return skip;
  const [only, ...others] = context.view.properties;
  const takesText = only !== undefined && others.length === 0 && context.viewOf(only[1]).types.has('string');
  return takesText ? replaceWith({ [only[0]]: text }) : skip;
}

/** Arguments that were encoded once more, fenced, or written in markup. */
const isWrittenCall = (text: string): boolean =>
  startsLikeQuotedContainer(text) ||
  /^\s*(?:[`~]{3}[^\n]{0,20}\s*[[{]|<(?:[\w-]+:|[|｜]DSML[|｜])?(?:tool_call|function|invoke|parameter|arg_key)[\s=>s_])/u.test(
    text,
  );

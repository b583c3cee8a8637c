import { isNullWord } from '../../json/null-words.ts';
import { pointerTo } from '../../json/pointers.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import { callEnvelopeIn, envelopeKeys } from '../../notations/call-envelope.ts';
import { isSameName } from '../../notations/read-notation.ts';
import { declaresKeys, startsLikeContainer, startsLikeQuotedContainer } from '../read-text.ts';
import { hasTypeName, looksLikeEcho } from './echoed-schema.ts';
import {
  type Proposal,
  type Refusal,
  type RuleContext,
  type ValueRule,
  refuse,
  replaceWith,
  skip,
} from '../repair-rule.ts';

const mayHoldAll = (key: string): boolean => envelopeKeys.has(key) || key === 'properties';

/**
 * Models send one of three. (1) A root whose only key is the undeclared arguments, args, input,
 * parameters, params, kwargs or properties, or whose keys are type (`object`) and properties. (2) A
 * call envelope: its name is under name, function, tool, tool_name, toolName, functionName,
 * function_name, method, action or recipient_name, and its arguments are under one of the keys of
 * (1), action_input, tool_input or tool_args. It may also have a plain type, id, call_id,
 * tool_call_id, index or jsonrpc, or a thought (also thoughts, reasoning) or be inside what an API
 * has around a call: function, function_call, functionCall, tool_call, tool_use, toolUse,
 * tool_calls with one element, params of the method tools/call (in text that is not JSON of an
 * object, also if an open schema would take it). (3) A root whose only key is a template’s
 * placeholder (starts with `$`, `<` or `{`), this tool’s name, or a parameter that takes no object,
 * over declared keys.
 * Becomes the inner object (or its JSON text; or, for a tool with exactly one parameter, which
 * takes a string, a string that does not start like an object or array).
 * Not when: the tool declares that key; `name` is another tool’s; properties holds schemas; under a
 * parameter the object may be its value, as `{value}` or `{type, value}`; the string is blank, a
 * null word, or arguments in a fence, in markup or encoded twice.
 */
export const unwrapEnvelope: ValueRule = {
  id: 'unwrap_envelope',
  level: 'value',
  answers: ['root'],
  sentTypes: ['object'],
  keys: ['undeclared', 'alone'],
  keeps: 'lossless',
  propose(context) {
    if (!isJsonObject(context.value)) return skip;
    const envelope = envelopeIn(context, context.value);
    if (envelope === undefined) return skip;
    if ('kind' in envelope) return envelope;
    const { inner, from, isCertain, isLossy } = envelope;
    const proposal = isJsonObject(inner)
      ? ({ kind: 'replace', value: inner, from } as const)
      : undefined;
    const innerProposal =
      proposal ?? (typeof inner === 'string' ? proposeText(context, inner, from) : skip);
    if (isLossy === true) return { ...innerProposal, isLossy: true };
    return isCertain ? innerProposal : { ...innerProposal, onlyIfFits: true };
  },
};

interface Envelope {
  readonly inner: JsonValue;
  /** JSON Pointer of the value. */
  readonly from: string;
  /** The key says that it holds arguments. Any other key holds them only if they fit. */
  readonly isCertain: boolean;
  /** More than the call was sent: what the model thinks, which may be that it won't. */
  readonly isLossy?: boolean;
}

function envelopeIn(context: RuleContext, root: JsonObject): Envelope | Refusal | undefined {
  const { view, contract } = context;
  const keys = Object.keys(root);
  const [only = ''] = keys;
  const looksLikeSchema = isCopiedSchema(context, root);
  const holder = looksLikeSchema && Object.hasOwn(root, 'properties') ? 'properties' : only;
  if (
    (looksLikeSchema || keys.length === 1) &&
    mayHoldAll(holder) &&
    !view.properties.has(holder)
  ) {
    const inner = root[holder] ?? null;
    if (holder === 'properties' && isJsonObject(inner) && holdsSchemas(context, inner))
      return refuse;
    return { inner, from: pointerTo('', holder), isCertain: true };
  }
  if (
    keys.length === 1 &&
    mayStandForArguments(context, only) &&
    holdsArguments(context, root[only] ?? null, only)
  ) {
    const inner = root[only] ?? null;
    // Under a parameter, it may be the schema of that parameter with its value.
    const mayBeValue =
      isJsonObject(inner) && (looksLikeEcho(inner) || Object.keys(inner).join() === 'value');
    if (view.properties.has(only) && mayBeValue) return refuse;
    return { inner, from: pointerTo('', only), isCertain: false };
  }
  const call = callEnvelopeIn(root, (key) => view.properties.has(key));
  if (call === undefined || view.properties.has(call.argumentsKey)) return undefined;
  if (isSameName(call.name, contract.name))
    return { inner: call.inner, from: call.from, isCertain: true, isLossy: call.hasThought };
  // A parameter of the tool may have the same name as an envelope key.
  return view.properties.has(call.nameKey) ? undefined : refuse;
}

/**
 * Whether an object has the form of the tool's schema: `{type: 'object', properties: {…}}`, also with
 * what else a schema says of its keys, and none of these keywords is declared.
 */
function isCopiedSchema({ view }: RuleContext, root: JsonObject): boolean {
  const { type, required, additionalProperties, ...others } = root;
  const names = required ?? [];
  return (
    type === 'object' &&
    Object.keys(others).join() === 'properties' &&
    isJsonArray(names) &&
    names.every((name) => typeof name === 'string' && view.properties.has(name)) &&
    (additionalProperties ?? false) === false &&
    !Object.keys(root).some((keyword) => view.properties.has(keyword))
  );
}

/** Whether the properties of the tool's schema were copied, so that their values are schemas. */
const holdsSchemas = (context: RuleContext, properties: JsonObject): boolean =>
  Object.entries(properties).some(([key, value]) => {
    const schema = context.view.properties.get(key) ?? true;
    return isJsonObject(value) && hasTypeName(value) && !declaresKeys(context, schema, ['type']);
  });

/** A placeholder of a template, the tool's own name, or a parameter that takes no object. */
function mayStandForArguments(context: RuleContext, key: string): boolean {
  const { view, contract } = context;
  const schema = view.properties.get(key);
  if (schema === undefined) return /^[$<{]/.test(key) || isSameName(key, contract.name);
  return !context.typesOf(schema).has('object');
}

/**
 * Whether a value is an object, or its JSON text, all of whose keys are declared; not one with
 * nothing but its own key.
 */
function holdsArguments(context: RuleContext, value: JsonValue, outerKey: string): boolean {
  const read = typeof value === 'string' && /^\s*\{/.test(value) ? context.read(value) : value;
  const keys = isJsonObject(read) ? Object.keys(read) : [];
  const isRepeated = keys.length === 1 && keys[0] === outerKey;
  return keys.length > 0 && !isRepeated && keys.every((key) => context.view.properties.has(key));
}

function proposeText(context: RuleContext, text: string, from: string): Proposal {
  if (startsLikeContainer(text)) {
    const read = context.read(text);
    return isJsonObject(read) ? { kind: 'decode', value: read, from } : skip;
  }
  // Blank text and null words mean that there are no arguments; a call in a notation has all of
  // them.
  if (text.trim() === '' || isNullWord(text) || isWrittenCall(text)) return skip;
  const [only, ...others] = context.view.properties;
  const takesText =
    only !== undefined && others.length === 0 && context.viewOf(only[1]).types.has('string');
  return takesText ? replaceWith({ [only[0]]: text }) : skip;
}

/** Arguments that were encoded once more, fenced, or written in markup. */
const isWrittenCall = (text: string): boolean =>
  startsLikeQuotedContainer(text) ||
  /^\s*(?:[`~]{3}[^\n]{0,20}\s*[[{]|<(?:[\w-]+:|[|｜]DSML[|｜])?(?:tool_call|function|invoke|parameter|arg_key)[\s=>s_])/u.test(
    text,
  );

import { readJsonPrefix } from '../json/lenient-parser.ts';
import { isContainer } from '../collections/objects.ts';
import { pointerTo } from '../json/pointers.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  maxTextDepth,
} from '../json/value.ts';

/** Keys under which a call has its tool's name. */
export const nameKeys: ReadonlySet<string> = new Set(
  'name function tool tool_name functionName toolName function_name action method recipient_name'.split(
    ' ',
  ),
);
/** Keys that hold all arguments, whether or not the tool's name is beside them. */
export const envelopeKeys: ReadonlySet<string> = new Set(
  'arguments args input parameters params kwargs'.split(' '),
);
/** Keys under which a call with a name has its arguments. */
export const argumentKeys: ReadonlySet<string> = new Set([
  ...envelopeKeys,
  'action_input',
  'tool_input',
  'tool_args',
]);
/**
 * Keys that hold a whole call, or a list with one, in the messages of OpenAI, Anthropic, Bedrock
 * and Gemini.
 */
const callKeys: ReadonlySet<string> = new Set(
  'function function_call functionCall tool_call tool_calls tool_use toolUse'.split(' '),
);
/**
 * Keys that providers and protocols put beside a call's name and arguments, or beside the whole
 * call.
 */
export const companions: ReadonlySet<string> = new Set(
  'type id jsonrpc index call_id tool_call_id toolUseId role'.split(' '),
);

/** Keys under which agents' prompts ask for what a model thinks before its call. */
const thoughtKeys: ReadonlySet<string> = new Set('thought thoughts reasoning'.split(' '));

/** Matches the beginning of an object that has one key, the tool's name, over its arguments. */
export const onlyKey = /^\[?\s{0,64}\{\s{0,64}["'“]?([\w.-]{1,128})["'”]?\s{0,64}:?\s{0,64}\{/;

/** Whether an object whose first key this is may be a call. */
export const mayBeginEnvelope = (key: string): boolean =>
  [nameKeys, argumentKeys, callKeys, companions, thoughtKeys].some((keys) => keys.has(key));

/** A call as JSON: its name and its arguments, and no other key with a meaning. */
export interface CallEnvelope {
  readonly name: string;
  readonly nameKey: string;
  readonly argumentsKey: string;
  /** An object, or its JSON text. */
  readonly inner: JsonObject | string;
  /** JSON Pointer of `inner`. */
  readonly from: string;
  /** What the model thinks is beside them. */
  readonly hasThought: boolean;
}

/** Reads an object as a call envelope; undefined if it isn't one. */
export function callEnvelopeIn(
  root: JsonObject,
  isDeclared: (key: string) => boolean,
): CallEnvelope | undefined {
  if (!namesCall(root)) return undefined;
  const { call, at } = functionIn(root, isDeclared);
  const isThought = (key: string): boolean =>
    thoughtKeys.has(key) && isWords(call[key]) && !isDeclared(key);
  const entries = Object.entries(call).filter(
    ([key, value]) => !isCompanion(key, value, isDeclared) && !isThought(key),
  );
  const nameEntry = entries.find(([key]) => nameKeys.has(key));
  const argumentsEntry = entries.find(([key]) => argumentKeys.has(key));
  if (nameEntry === undefined || argumentsEntry === undefined || entries.length > 2)
    return undefined;
  const [nameKey, nameValue] = nameEntry;
  const name = nameKey === 'function' ? nameIn(nameValue, isDeclared) : nameValue;
  const [argumentsKey, inner] = argumentsEntry;
  if (typeof name !== 'string' || (typeof inner !== 'string' && !isJsonObject(inner)))
    return undefined;
  const hasThought = Object.keys(call).some(isThought);
  return { name, nameKey, argumentsKey, inner, from: pointerTo(at, argumentsKey), hasThought };
}

/** A string, or a list of them. */
const isWords = (value: JsonValue | undefined): boolean =>
  isJsonArray(value ?? null)
    ? [value].flat().every((one) => typeof one === 'string')
    : typeof value === 'string';

/** The name in `{"name": …}`, whose arguments are beside the object. */
function nameIn(value: JsonValue, isDeclared: (key: string) => boolean): JsonValue {
  if (!isJsonObject(value)) return value;
  const { name = null, ...others } = value;
  const isAlone = Object.entries(others).every(([key, other]) =>
    isCompanion(key, other, isDeclared),
  );
  return isAlone ? name : value;
}

/** Whether an object has a key that a call needs. Most arguments have none. */
function namesCall(root: JsonObject): boolean {
  for (const key in root) if (nameKeys.has(key) || callKeys.has(key)) return true;
  return false;
}

/** A call envelope, also one whose arguments are null or absent. */
export function bareEnvelopeIn(
  root: JsonObject,
  isDeclared: (key: string) => boolean,
): CallEnvelope | undefined {
  const envelope = callEnvelopeIn(root, isDeclared);
  if (envelope !== undefined) return envelope;
  const lacking = Object.keys(root).find((key) => argumentKeys.has(key)) ?? 'arguments';
  if ((root[lacking] ?? null) !== null) return undefined;
  const filledEnvelope = callEnvelopeIn({ ...root, [lacking]: {} }, isDeclared);
  return filledEnvelope === undefined || isDeclared(filledEnvelope.nameKey)
    ? undefined
    : filledEnvelope;
}

/**
 * Whether an object with a name and arguments, none of them declared, may be a call that is no
 * envelope.
 */
export function mayBeCall(root: JsonObject, isDeclared: (key: string) => boolean): boolean {
  const keys = Object.keys(root);
  const isNamed = keys.some((key) => nameKeys.has(key) && typeof root[key] === 'string');
  return (
    isNamed &&
    keys.some((key) => argumentKeys.has(key) && isContainer(root[key] ?? null)) &&
    !keys.some(isDeclared)
  );
}

/**
 * The object with a call's name and arguments, which may be inside the object that a provider's API
 * has for a call.
 */
function functionIn(
  root: JsonObject,
  isDeclared: (key: string) => boolean,
  at = '',
): { readonly call: JsonObject; readonly at: string } {
  const key = Object.keys(root).find((name) => !isDeclared(name) && holdsCall(root, name));
  const value = key === undefined ? undefined : root[key];
  const isOne = isJsonArray(value) && value.length === 1;
  const call = isOne ? value[0] : value;
  if (key === undefined || !isJsonObject(call) || !isAlone(root, key, isDeclared))
    return { call: root, at };
  const pointer = pointerTo(at, key);
  return functionIn(call, isDeclared, isOne ? pointerTo(pointer, 0) : pointer);
}

/** The method of a request to an MCP server, whose call is under `params`. */
const requestMethod = 'tools/call';

const holdsCall = (root: JsonObject, key: string): boolean =>
  isContainer(root[key] ?? null) &&
  (callKeys.has(key) || (key === 'params' && root['method'] === requestMethod));

/** Whether nothing with a meaning is beside a whole call. */
const isAlone = (root: JsonObject, key: string, isDeclared: (key: string) => boolean): boolean =>
  Object.entries(root).every(
    ([name, value]) =>
      name === key ||
      isCompanion(name, value, isDeclared) ||
      (name === 'content' && value === null && !isDeclared(name)) ||
      (name === 'method' && key === 'params'),
  );

const isCompanion = (
  key: string,
  value: JsonValue,
  isDeclared: (key: string) => boolean,
): boolean => companions.has(key) && !isDeclared(key) && !isContainer(value);

/**
 * The calls in an answer that consists of calls as JSON: one, a list, or those under `tool_calls`.
 */
export function callsIn(answer: JsonValue): readonly JsonValue[] {
  if (isJsonArray(answer)) return answer;
  if (!isJsonObject(answer)) return [answer];
  const toolCalls = answer['tool_calls'];
  return isJsonArray(toolCalls) && isAlone(answer, 'tool_calls', () => false)
    ? toolCalls
    : [answer];
}

/** The source of a pattern for one of some keys in quotes, with its colon. */
const anyOf = (keys: ReadonlySet<string>): string =>
  `["'](?:${[...keys].join('|')})["']\\s{0,64}:\\s{0,64}`;
const envelopeHead = new RegExp(
  `^\\{\\s{0,64}(?:"type"\\s{0,64}:\\s{0,64}"function"\\s{0,64},\\s{0,64})?${anyOf(nameKeys)}(["'])([^"'\\\\]{1,128})\\1\\s{0,64},\\s{0,64}${anyOf(argumentKeys)}(?=\\{)`,
);
/** A key after a closer: of the envelope, if the closer is that of the arguments. */
const keyAfterCloser = /[\]}]\s*,\s*["']?(\w{1,64})["']?\s*:/g;

/**
 * The name and the argument text of a call envelope that is not JSON. Its own closer may be
 * missing. Undefined if another key of an envelope may be after the arguments.
 */
export function brokenEnvelopeIn(
  text: string,
): { readonly name: string; readonly inner: string } | undefined {
  const [head = '', , name] = envelopeHead.exec(text) ?? [];
  if (name === undefined) return undefined;
  const inner = text.slice(head.length).trimEnd();
  const read = readJsonPrefix(inner, 0, 'loose', maxTextDepth);
  const isWhole = read.kind === 'read' && read.end === inner.length && isJsonObject(read.value);
  // A closer is missing: that of the envelope, or that of the arguments before the last key.
  const keys = isWhole
    ? Object.keys(read.value).slice(-1)
    : [...inner.matchAll(keyAfterCloser)].map(([, key = '']) => key);
  if (keys.some(mayBeginEnvelope)) return undefined;
  return { name, inner: isWhole ? inner : inner.replace(/\}$/, '') };
}

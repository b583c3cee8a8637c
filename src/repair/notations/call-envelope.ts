import { type JsonObject, type JsonValue, pointerTo, isJsonObject, isContainer } from '../../json/value.ts';

/** Keys under which a call has its tool's name. */
export const nameKeys: ReadonlySet<string> = new Set(
  'name function tool tool_name functionName toolName function_name action method recipient_name'.split(' '),
);
/** Keys that hold all arguments, whether or not the tool's name is beside them. */
export const envelopeKeys: ReadonlySet<string> = new Set(
  'arguments args input parameters params kwargs'.split(' '),
);
/** Keys under which a call with a name has its arguments. */
export const argumentKeys: ReadonlySet<string> = new Set([...envelopeKeys, 'action_input', 'tool_input']);
/** Keys that providers and protocols put beside a call's name and arguments. */
const companions: ReadonlySet<string> = new Set(['type', 'id', 'jsonrpc', 'index', 'call_id']);

/** A call as JSON: its name and its arguments, and no other key with a meaning. */
export interface CallEnvelope {
  readonly name: string;
  readonly nameKey: string;
  readonly argumentsKey: string;
  /** An object, or its JSON text. */
  readonly inner: JsonObject | string;
  /** JSON Pointer of `inner`. */
  readonly from: string;
}

/** Reads an object as a call envelope; undefined if it isn't one. */
export function callEnvelopeIn(
  root: JsonObject,
  isDeclared: (key: string) => boolean,
): CallEnvelope | undefined {
  const { call, at } = functionIn(root, isDeclared);
  let nameKey: string | undefined;
  let argumentsKey: string | undefined;
  for (const [key, value] of Object.entries(call)) {
    if (nameKeys.has(key) && typeof value === 'string' && nameKey === undefined) nameKey = key;
    else if (argumentKeys.has(key) && argumentsKey === undefined) argumentsKey = key;
    else if (!isCompanion(key, value, isDeclared)) return undefined;
  }
  if (nameKey === undefined || argumentsKey === undefined) return undefined;
  const [name, inner] = [call[nameKey], call[argumentsKey]];
  if (typeof name !== 'string' || (typeof inner !== 'string' && !isJsonObject(inner))) return undefined;
  return { name, nameKey, argumentsKey, inner, from: pointerTo(at, argumentsKey) };
}

/** A call envelope, also one whose arguments are null or absent. */
export function bareEnvelopeIn(
  root: JsonObject,
  isDeclared: (key: string) => boolean,
): CallEnvelope | undefined {
  const envelope = callEnvelopeIn(root, isDeclared);
  if (envelope !== undefined) return envelope;
  const lacking = Object.keys(root).find((key) => argumentKeys.has(key) && root[key] === null);
  if (lacking === undefined && Object.keys(root).some((key) => argumentKeys.has(key))) return undefined;
  const named = callEnvelopeIn({ ...root, [lacking ?? 'arguments']: {} }, isDeclared);
  return named === undefined || isDeclared(named.nameKey) ? undefined : named;
}

/** OpenAI's calls have their name and arguments under `function`. */
function functionIn(
  root: JsonObject,
  isDeclared: (key: string) => boolean,
): { readonly call: JsonObject; readonly at: string } {
  const called = isDeclared('function') ? undefined : root['function'];
  const isCall =
    isJsonObject(called) &&
    Object.entries(root).every(([key, value]) => key === 'function' || isCompanion(key, value, isDeclared));
  return isCall ? { call: called, at: '/function' } : { call: root, at: '' };
}

const isCompanion = (key: string, value: JsonValue, isDeclared: (key: string) => boolean): boolean =>
  companions.has(key) && !isDeclared(key) && !isContainer(value);

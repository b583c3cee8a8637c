// Models repeat the call around them: {"arguments": {…}}, {name, arguments}. Leaves alone: tools that declare such a
// key, and envelopes that name another tool.
import { pointerTo } from '../../json/json-pointer.ts';
import { type JsonObject, type JsonValue, isJsonObject, spellingOf } from '../../json/value.ts';
import { isNullWord, startsLikeContainer, startsLikeQuotedContainer } from '../read-text.ts';
import { type Place, type Proposal, type ValueRule, replaceBy, silent } from '../repair-rule.ts';

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
  keeps: 'lossless',
  sends:
    'a root whose only key is the undeclared arguments, args, input, parameters, params, kwargs or properties, or a call envelope `{name, arguments}`, also with its `id` and `type`, or as a `function`',
  becomes:
    'the inner object (or its JSON text; or, for a tool with exactly one parameter that takes text, text that starts like no container)',
  notWhen:
    'the tool declares that key; `name` is another tool’s; the text is blank, a word for null, or arguments in a fence, in markup or encoded twice',
  propose(place) {
    const inner = isJsonObject(place.value) ? innerOf(place, calledIn(place, place.value)) : undefined;
    if (inner === undefined) return silent;
    if (isJsonObject(inner)) return replaceBy(inner);
    return typeof inner === 'string' ? proposeText(place, inner) : silent;
  },
};

/** OpenAI's calls have their name and arguments under `function`. */
function calledIn({ view }: Place, root: JsonObject): JsonObject {
  const called = view.properties.has('function') ? undefined : root['function'];
  const isCall =
    isJsonObject(called) && Object.keys(root).every((key) => key === 'function' || isFact(root, key));
  return isCall && Object.hasOwn(called, 'name') ? called : root;
}

/** Where the arguments would stand in an envelope, as a JSON Pointer; undefined if there is no such key. */
export function envelopePlace(root: JsonObject, isDeclared: (key: string) => boolean): string | undefined {
  const key = envelopeKeyIn(root, isDeclared);
  if (key !== undefined) return pointerTo('', key);
  const called = isDeclared('function') ? undefined : root['function'];
  const inner = isJsonObject(called) ? envelopeKeyIn(called, isDeclared) : undefined;
  return inner === undefined ? undefined : pointerTo('/function', inner);
}

const envelopeKeyIn = (root: JsonObject, isDeclared: (key: string) => boolean): string | undefined =>
  Object.keys(root).find((name) => envelopeKeys.has(name) && !isDeclared(name));

function innerOf({ view, ask }: Place, root: JsonObject): JsonValue | undefined {
  const keys = Object.keys(root);
  const key = envelopeKeyIn(root, (name) => view.properties.has(name));
  if (key === undefined) return undefined;
  // The tool's own name marks the envelope, also where a parameter is called name.
  const named = root['name'];
  const isOwn = typeof named === 'string' && spellingOf(named) === spellingOf(ask.toolName);
  const isCall = isOwn && keys.every((other) => other === key || other === 'name' || isFact(root, other));
  return keys.length === 1 || isCall ? root[key] : undefined;
}

/** What providers put beside a call's name and arguments: which call it is, and that it is one. */
const isFact = (root: JsonObject, key: string): boolean =>
  (key === 'type' && callTypes.has(root[key])) ||
  ((key === 'id' || key === 'call_id') && typeof root[key] === 'string');

const callTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'function',
  'function_call',
  'tool_call',
  'tool_use',
]);

function proposeText({ view, ask }: Place, text: string): Proposal {
  if (startsLikeContainer(text)) {
    const read = ask.read(text);
    return isJsonObject(read) ? { kind: 'decode', value: read } : silent;
  }
  // It says that there are no arguments, or all of them, not what the one argument is.
  if (text.trim() === '' || isNullWord(text) || isWrittenCall(text)) return silent;
  const [only, ...others] = view.properties;
  const takesText = only !== undefined && others.length === 0 && ask.view(only[1]).types.has('string');
  return takesText ? replaceBy({ [only[0]]: text }) : silent;
}

/** Arguments encoded once more, in a fence or in markup. */
const isWrittenCall = (text: string): boolean =>
  startsLikeQuotedContainer(text) ||
  /^\s*(?:[`~]{3}[^\n]{0,20}\s*[[{]|<(?:[\w-]+:|[|｜]DSML[|｜])?(?:tool_call|function|invoke|parameter|arg_key)[\s=>s_])/u.test(
    text,
  );

// OpenAI's Chat Completions, and the servers that are compatible with it.
import type { HistoryCall } from '../interpret/records.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import { type JsonEdit, type JsonPath, JsonSlices } from '../json/json-edits.ts';
import { type ModelTurn, type UnsentCall, inTurnOrder } from './model-turn.ts';
import { mergedMessage, withoutNulls } from '../wire/merged-message.ts';
import {
  type CallPart,
  type GroupEnd,
  type OfferedTool,
  type PartIdentity,
  type PastCall,
  type Place,
  type Protocol,
  type ProtocolError,
  type Reading,
  addedMessages,
  plainJoin,
} from './protocol.ts';
import { chatText } from './text-shapes.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';

export const chatCompletions: Protocol = {
  name: 'chat_completions',
  framing: 'sse',
  matches: (path) => path.endsWith('/chat/completions'),
  tools,
  pastCalls,
  readAnswer: (answer, text) => readChoices(answer, text, 'message'),
  eventReader: () => (event, text) => readChoices(event, text, 'delta'),
  text: chatText,
  callAnswer,
  modelTurn,
  retryEdits,
  streamJoin: plainJoin,
  errorBody: openAiError,
  errorEvent: (error) => `data: ${openAiError(error)}\n\n`,
};

function callAnswer(model: string, { id, name, arguments: text }: HistoryCall, index = 0) {
  const tool_calls = [{ id, type: 'function', function: { name, arguments: text } }];
  const message = { role: 'assistant', content: null, tool_calls };
  const head = { id: `chatcmpl-${id}`, created: Math.floor(Date.now() / 1_000), model };
  const delta = { ...message, tool_calls: tool_calls.map((call) => ({ index, ...call })) };
  const chunk = (part: object, finish_reason: string | null): string => {
    const choices = [{ index: 0, delta: part, finish_reason }];
    return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`;
  };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  return {
    whole: JSON.stringify({ ...head, object: 'chat.completion', choices }),
    events: `${chunk(delta, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
  };
}

/** https://platform.openai.com/docs/guides/error-codes */
export function openAiError({ status, code, message }: ProtocolError): string {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code } });
}

/** `functions` is what `tools` was called before. */
function tools(request: JsonObject): readonly OfferedTool[] {
  const declared = [
    ...arrayAt(request, 'tools').map(
      (tool, at) => [objectAt(tool, 'function'), ['tools', at, 'function']] as const,
    ),
    ...arrayAt(request, 'functions').map((tool, at) => [tool, ['functions', at]] as const),
  ];
  return declared.flatMap(([tool, path]) =>
    tool === undefined ? [] : offeredTool(tool, path, 'parameters'),
  );
}

/** A tool without a schema takes no arguments. */
export function offeredTool(
  tool: JsonObject,
  path: JsonPath,
  schemaKey: OfferedTool['schemaKey'],
): readonly OfferedTool[] {
  const name = textAt(tool, 'name');
  if (name === undefined) return [];
  const schema = objectAt(tool, schemaKey) ?? { type: 'object', properties: {} };
  return [{ name, description: textAt(tool, 'description') ?? '', schema, path, schemaKey }];
}

/** The message as it came: servers have members of their own for thoughts and their signatures. */
function modelTurn(): ModelTurn {
  let message: JsonObject = {};
  return {
    add(event) {
      for (const choice of arrayAt(event, 'choices').slice(0, 1))
        message = mergedMessage(
          message,
          objectAt(choice, 'message') ?? objectAt(choice, 'delta') ?? {},
        );
    },
    items: (calls) =>
      [assistantMessage(message, calls), ...calls.map(resultOf)].map((item) =>
        JSON.stringify(item),
      ),
  };
}

const resultOf = ({ id, message }: UnsentCall) => ({
  role: 'tool',
  tool_call_id: id,
  content: message,
});

/** Custom tools have no schema: their calls are left out, as the model sends all calls again. */
function assistantMessage(message: JsonObject, calls: readonly UnsentCall[]) {
  const { tool_calls: _calls, function_call: _call, ...said } = withoutNulls(message);
  const sent = arrayAt(message, 'tool_calls').filter(
    (call) => objectAt(call, 'function') !== undefined,
  );
  const order = inTurnOrder(
    sent.map((call) => textAt(call, 'id')),
    calls,
  );
  const tool_calls = (order ?? calls).map(({ id, name, arguments: text }, at) => {
    const { index: _index, ...own } = withoutNulls(
      (order === undefined ? undefined : sent[at]) ?? {},
    );
    return {
      ...own,
      id,
      type: 'function',
      function: { ...objectAt(own, 'function'), name, arguments: text },
    };
  });
  return { role: 'assistant', content: null, ...said, tool_calls };
}

function retryEdits(
  request: JsonObject,
  items: readonly string[],
): readonly JsonEdit[] | undefined {
  const isOne = (numberAt(request, 'n') ?? 1) <= 1 && arrayAt(request, 'tools').length > 0;
  return isOne ? addedMessages(request, items) : undefined;
}

function readChoices(answer: JsonObject, text: string, member: 'message' | 'delta'): Reading {
  const parts: CallPart[] = [];
  const ends: GroupEnd[] = [];
  const otherIndexes: { readonly group: string; readonly index: number }[] = [];
  const slices = new JsonSlices(text);
  for (const [at, choice] of arrayAt(answer, 'choices').entries()) {
    const group = String(numberAt(choice, 'index') ?? at);
    const said = objectAt(choice, member);
    if (said !== undefined) parts.push(...partsOf(said, slices, group, ['choices', at, member]));
    for (const call of arrayAt(said ?? {}, 'tool_calls')) {
      const index = isCustom(call) ? numberAt(call, 'index') : undefined;
      if (index !== undefined) otherIndexes.push({ group, index });
    }
    const reason = textAt(choice, 'finish_reason');
    if ((reason !== undefined && reason !== '') || member === 'message')
      ends.push({ group, finishReason: reason }, { group: legacy(group), finishReason: reason });
  }
  return { parts, ends, otherIndexes, model: textAt(answer, 'model') };
}

const isCustom = (call: JsonObject): boolean =>
  textAt(call, 'type') === 'custom' || objectAt(call, 'custom') !== undefined;

const legacy = (group: string): string => `${group} function_call`;

function partsOf(
  said: JsonObject,
  slices: JsonSlices,
  group: string,
  path: JsonPath,
): readonly CallPart[] {
  const isWhole = path.at(-1) === 'message';
  const parts = arrayAt(said, 'tool_calls').flatMap((call, at): readonly CallPart[] => {
    if (isCustom(call)) return [];
    const called = objectAt(call, 'function');
    const below = [...path, 'tool_calls', at];
    const index = isWhole ? at : numberAt(call, 'index');
    const id = textAt(call, 'id');
    const identity = identityOf(below, called, isWhole);
    if (called !== undefined)
      return [partOf(called, { slices, group, path: [...below, 'function'], index, id, identity })];
    // A part may have nothing but the id, or members that belong to the call.
    return isWhole ? [] : [{ group, delta: { index, id }, places: [], identity }];
  });
  const called = objectAt(said, 'function_call');
  if (called === undefined) return parts;
  const below = [...path, 'function_call'];
  const only = { index: 0, id: undefined, identity: undefined };
  return [...parts, partOf(called, { slices, group: legacy(group), path: below, ...only })];
}

/** The edits may add the members. */
const identityOf = (
  path: JsonPath,
  called: JsonObject | undefined,
  isWhole: boolean,
): PartIdentity => ({
  setIndex: isWhole ? undefined : (index) => ({ path: [...path, 'index'], text: String(index) }),
  setId: (id) => ({ path: [...path, 'id'], text: JSON.stringify(id) }),
  setName: (name) =>
    called === undefined
      ? { path: [...path, 'function'], text: JSON.stringify({ name }) }
      : { path: [...path, 'function', 'name'], text: JSON.stringify(name) },
});

interface PartSource {
  readonly slices: JsonSlices;
  readonly group: string;
  readonly path: JsonPath;
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly identity: PartIdentity | undefined;
}

function partOf(
  called: JsonObject,
  { slices, group, path, index, id, identity }: PartSource,
): CallPart {
  const name = textAt(called, 'name');
  const argumentsPath = [...path, 'arguments'];
  const sent = sentAt(called, 'arguments', slices, argumentsPath);
  const isMisshaped = sent.kind === 'value';
  const places: Place[] = [{ kind: isMisshaped ? 'whole' : sent.kind, path: argumentsPath }];
  if (name !== undefined && name !== '') places.push({ kind: 'name', path: [...path, 'name'] });
  const delta = { index, id, name, arguments: sent.arguments };
  return { group, delta, places, identity, isMisshaped };
}

/**
 * The arguments as text: those that are a value have the text of the event, which keeps the digits
 * of numbers.
 */
export function sentAt(
  called: JsonObject,
  key: string,
  slices: JsonSlices,
  path: JsonPath,
): { readonly kind: 'piece' | 'value' | 'absent'; readonly arguments: unknown } {
  const sent: JsonValue | undefined = ownValue(called, key);
  if (typeof sent === 'string') return { kind: 'piece', arguments: sent };
  if (sent === undefined || sent === null) return { kind: 'absent', arguments: undefined };
  const isEmpty = isJsonObject(sent) && Object.keys(sent).length === 0;
  return { kind: 'value', arguments: isEmpty ? sent : (slices.at(path) ?? sent) };
}

function pastCalls(request: JsonObject): readonly PastCall[] {
  return arrayAt(request, 'messages').flatMap((message, at) => {
    const path = ['messages', at];
    const calls = arrayAt(message, 'tool_calls').flatMap((call, index) => {
      const called = objectAt(call, 'function');
      return called === undefined
        ? []
        : [pastCall(called, [...path, 'tool_calls', index, 'function', 'arguments'])];
    });
    const called = objectAt(message, 'function_call');
    return called === undefined
      ? calls
      : [...calls, pastCall(called, [...path, 'function_call', 'arguments'])];
  });
}

const pastCall = (called: JsonObject, path: JsonPath): PastCall => ({
  name: textAt(called, 'name') ?? '',
  arguments: ownValue(called, 'arguments'),
  isText: true,
  edit: (text) => ({ path, text: JSON.stringify(text) }),
});

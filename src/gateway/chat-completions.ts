// OpenAI's Chat Completions, and the servers that are compatible with it.
import { type JsonObject, type JsonValue, isJsonObject, ownValue } from '../json/value.ts';
import { type JsonEdit, type JsonPath, jsonSlice } from '../json/json-edits.ts';
import { type ModelTurn, type UnsentCall, inTurnOrder, mergedMessage, withoutNulls } from './model-turn.ts';
import {
  type CallPart,
  type GroupEnd,
  type OfferedTool,
  type PastCall,
  type Place,
  type Protocol,
  type ProtocolError,
  type Reading,
  addedMessages,
  plainJoin,
} from './protocol.ts';
import { chatText } from './text-shapes.ts';
import { arrayAt, numberAt, objectAt, textAt } from './read-members.ts';

export const chatCompletions: Protocol = {
  name: 'chat_completions',
  framing: 'sse',
  matches: (path) => path.endsWith('/chat/completions'),
  tools,
  pastCalls,
  readAnswer: (answer, text) => readChoices(answer, text, 'message'),
  eventReader: () => (event, text) => readChoices(event, text, 'delta'),
  text: chatText,
  modelTurn,
  retryEdits,
  streamJoin: plainJoin,
  errorBody: openAiError,
  errorEvent: (error) => `data: ${openAiError(error)}\n\n`,
};

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
        message = mergedMessage(message, objectAt(choice, 'message') ?? objectAt(choice, 'delta') ?? {});
    },
    items: (calls) =>
      [assistantMessage(message, calls), ...calls.map(resultOf)].map((item) => JSON.stringify(item)),
  };
}

const resultOf = ({ id, message }: UnsentCall) => ({ role: 'tool', tool_call_id: id, content: message });

/** Custom tools have no schema: their calls are left out, as the model sends all calls again. */
function assistantMessage(message: JsonObject, calls: readonly UnsentCall[]) {
  const { tool_calls: _calls, function_call: _call, ...said } = withoutNulls(message);
  const sent = arrayAt(message, 'tool_calls').filter((call) => objectAt(call, 'function') !== undefined);
  const order = inTurnOrder(
    sent.map((call) => textAt(call, 'id')),
    calls,
  );
  const tool_calls = (order ?? calls).map(({ id, name, arguments: text }, at) => {
    const { index: _index, ...own } = withoutNulls((order === undefined ? undefined : sent[at]) ?? {});
    return {
      ...own,
      id,
      type: 'function',
      function: { ...objectAt(own, 'function'), name, arguments: text },
    };
  });
  return { role: 'assistant', content: null, ...said, tool_calls };
}

function retryEdits(request: JsonObject, items: readonly string[]): readonly JsonEdit[] | undefined {
  const isOne = (numberAt(request, 'n') ?? 1) <= 1 && arrayAt(request, 'tools').length > 0;
  return isOne ? addedMessages(request, items) : undefined;
}

function readChoices(answer: JsonObject, text: string, member: 'message' | 'delta'): Reading {
  const parts: CallPart[] = [];
  const ends: GroupEnd[] = [];
  for (const [at, choice] of arrayAt(answer, 'choices').entries()) {
    const group = String(numberAt(choice, 'index') ?? at);
    const said = objectAt(choice, member);
    if (said !== undefined) parts.push(...partsOf(said, text, group, ['choices', at, member]));
    const reason = textAt(choice, 'finish_reason');
    if ((reason !== undefined && reason !== '') || member === 'message')
      ends.push({ group, finishReason: reason }, { group: legacy(group), finishReason: reason });
  }
  return { parts, ends, model: textAt(answer, 'model') };
}

const legacy = (group: string): string => `${group} function_call`;

function partsOf(said: JsonObject, text: string, group: string, path: JsonPath): readonly CallPart[] {
  const parts = arrayAt(said, 'tool_calls').flatMap((call, at): readonly CallPart[] => {
    const called = objectAt(call, 'function');
    if (called === undefined || textAt(call, 'type') === 'custom') return [];
    const below = [...path, 'tool_calls', at, 'function'];
    const index = path.at(-1) === 'message' ? at : numberAt(call, 'index');
    return [partOf(called, { text, group, path: below, index, id: textAt(call, 'id') })];
  });
  const called = objectAt(said, 'function_call');
  if (called === undefined) return parts;
  const below = [...path, 'function_call'];
  return [...parts, partOf(called, { text, group: legacy(group), path: below, index: 0, id: undefined })];
}

interface PartSource {
  readonly text: string;
  readonly group: string;
  readonly path: JsonPath;
  readonly index: number | undefined;
  readonly id: string | undefined;
}

function partOf(called: JsonObject, { text, group, path, index, id }: PartSource): CallPart {
  const name = textAt(called, 'name');
  const argumentsPath = [...path, 'arguments'];
  const sent = sentAt(called, 'arguments', text, argumentsPath);
  const isMisshaped = sent.kind === 'value';
  const places: Place[] = [{ kind: isMisshaped ? 'whole' : sent.kind, path: argumentsPath }];
  if (name !== undefined && name !== '') places.push({ kind: 'name', path: [...path, 'name'] });
  return { group, delta: { index, id, name, arguments: sent.arguments }, places, isMisshaped };
}

/** The arguments as text: those that are a value have the text of the event, which keeps the digits of numbers. */
export function sentAt(
  called: JsonObject,
  key: string,
  text: string,
  path: JsonPath,
): { readonly kind: 'piece' | 'value' | 'absent'; readonly arguments: unknown } {
  const sent: JsonValue | undefined = ownValue(called, key);
  if (typeof sent === 'string') return { kind: 'piece', arguments: sent };
  if (sent === undefined || sent === null) return { kind: 'absent', arguments: undefined };
  const isEmpty = isJsonObject(sent) && Object.keys(sent).length === 0;
  return { kind: 'value', arguments: isEmpty ? sent : (jsonSlice(text, path) ?? sent) };
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

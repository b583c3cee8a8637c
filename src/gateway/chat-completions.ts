// OpenAI's Chat Completions, and the servers that are compatible with it.
import type { HistoryCall } from '../interpret/records.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonEdit, type JsonPath, JsonSlices, editJson } from '../json/json-edits.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';
import { type JsonObject, isJsonObject, withoutKey } from '../json/value.ts';
import {
  chatCompletions as wire,
  functionCall,
  isCustomCall,
  legacyCall,
} from '../wire/chat-completions.ts';
import { mergedMessage, withoutNulls } from '../wire/merged-message.ts';
import {
  type AnswerPlaces,
  type PlacedCall,
  textAtPath,
  valuesAt,
  withParts,
} from '../wire/wire-api.ts';
import { callPart } from './call-part.ts';
import { type ModelTurn, type UnsentCall, turnTexts } from './model-turn.ts';
import {
  type CallPart,
  type GroupEnd,
  type PartIdentity,
  type Protocol,
  type ApiError,
  type Reading,
  addedMessages,
  plainJoin,
} from './protocol.ts';
import { offeredTools } from './request-places.ts';
import { type TextEvents, textShape } from './text-shapes.ts';

export const chatCompletions: Protocol = {
  name: 'chat_completions',
  framing: 'sse',
  matches: (path) => path.endsWith('/chat/completions'),
  wire,
  tools: (request) => offeredTools(wire.tools, request),
  readAnswer: (answer, text) => readChoices(answer, text, wire.answer),
  eventReader: () => (event, text) => readChoices(event, text, wire.event),
  text: textShape({
    wire,
    ends: { withoutCall: 'stop', withCall: 'tool_calls' },
    newEvents,
  }),
  callAnswer,
  modelTurn,
  retryEdits,
  pinnedTool,
  withPinnedTool: {
    readAnswer: (answer, text) =>
      withCallEnds(answer, readChoices(answer, text, wire.answer), new Set()),
    eventReader() {
      const groups = new Set<string>();
      return (event, text) => withCallEnds(event, readChoices(event, text, wire.event), groups);
    },
  },
  streamJoin: plainJoin,
  errorBody: openAiError,
  errorEvent: (error) => `data: ${openAiError(error)}\n\n`,
};

function newEvents(): TextEvents {
  /** New events are written like it. */
  let lastEvent: JsonObject = {};
  /** The index of the next call, by choice. */
  const nextIndexes = new Map<string, number>();
  return {
    add(event) {
      lastEvent = event;
      for (const [at, choice] of arrayAt(event, 'choices').entries()) {
        const group = String(numberAt(choice, 'index') ?? at);
        for (const call of arrayAt(objectAt(choice, 'delta') ?? {}, 'tool_calls'))
          nextIndexes.set(
            group,
            Math.max(nextIndexes.get(group) ?? 0, (numberAt(call, 'index') ?? 0) + 1),
          );
      }
    },
    callEvents(group, calls) {
      const firstIndex = nextIndexes.get(group) ?? 0;
      const tool_calls = calls.map((call, index) => ({
        index: firstIndex + index,
        ...withParts(functionCall, {}, call),
      }));
      const choices = [{ index: Number(group), delta: { tool_calls }, finish_reason: null }];
      return [`data: ${JSON.stringify({ ...withoutKey(lastEvent, 'usage'), choices })}\n\n`];
    },
  };
}

function callAnswer(model: string, call: HistoryCall, index = 0) {
  const callObject = withParts(functionCall, {}, call);
  const message = { role: 'assistant', content: null };
  const head = { id: `chatcmpl-${call.id}`, created: Math.floor(Date.now() / 1_000), model };
  const chunk = (delta: object, finish_reason: string | null): string => {
    const choices = [{ index: 0, delta, finish_reason }];
    return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`;
  };
  const whole = { ...message, tool_calls: [callObject] };
  const firstMessage = { ...message, tool_calls: [{ index, ...callObject }] };
  const choices = [{ index: 0, message: whole, finish_reason: 'tool_calls' }];
  return {
    whole: JSON.stringify({ ...head, object: 'chat.completion', choices }),
    events: `${chunk(firstMessage, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
  };
}

/** https://platform.openai.com/docs/guides/error-codes */
export function openAiError({ status, code, message }: ApiError): string {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code } });
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
    items: (calls) => [
      assistantMessage(message, calls),
      ...calls.map(({ id, message: content }) =>
        JSON.stringify({ role: 'tool', tool_call_id: id, content }),
      ),
    ],
  };
}

/** Custom tools have no schema: their calls are left out, as the model sends all calls again. */
function assistantMessage(message: JsonObject, calls: readonly UnsentCall[]): string {
  const { tool_calls: _calls, function_call: _call, ...members } = withoutNulls(message);
  const functionCalls = arrayAt(message, 'tool_calls')
    .filter((call) => functionCall.isCall(call) && hasFunction(call))
    .map(({ index: _index, ...call }) => withoutNulls(call));
  const text = JSON.stringify({ role: 'assistant', content: null, ...members, tool_calls: [] });
  const tool_calls = turnTexts(functionCall, functionCalls, calls);
  return editJson(text, [{ path: ['tool_calls'], text: `[${tool_calls.join(',')}]` }]);
}

function retryEdits(
  request: JsonObject,
  items: readonly string[],
): readonly JsonEdit[] | undefined {
  const isOne = (numberAt(request, 'n') ?? 1) <= 1 && arrayAt(request, 'tools').length > 0;
  return isOne ? addedMessages(request, items) : undefined;
}

/**
 * A choice of the client stays. Which servers refuse a named tool while the model thinks, only
 * their answers say: https://github.com/QwenLM/qwen-code/issues/7659
 */
function pinnedTool(request: JsonObject, name: string): JsonEdit | undefined {
  if (!['auto', 'required', undefined].includes(toolChoiceIn(request))) return undefined;
  const choice = { type: 'function', function: { name } };
  return { path: ['tool_choice'], text: JSON.stringify(choice) };
}

/** The request's `tool_choice`. `other`: one that is neither a word nor absent. */
export function toolChoiceIn(request: JsonObject): string | undefined {
  const choice = ownValue(request, 'tool_choice') ?? undefined;
  return choice === undefined || typeof choice === 'string' ? choice : 'other';
}

/**
 * An answer to a request that names a tool ends with `stop`. The client has not named one.
 * `groups`: those that have had a call. https://github.com/vllm-project/vllm/pull/25054 has what
 * OpenAI answers.
 */
function withCallEnds(answer: JsonObject, reading: Reading, groups: Set<string>): Reading {
  for (const { group } of reading.parts) groups.add(group);
  const edits = valuesAt(answer, wire.answer.choices).flatMap(({ value, path }) =>
    isJsonObject(value) &&
    groups.has(groupOf(value, path)) &&
    textAtPath(value, wire.answer.finishReason) === 'stop'
      ? [{ path: [...path, ...wire.answer.finishReason], text: '"tool_calls"' }]
      : [],
  );
  return { ...reading, edits: [...(reading.edits ?? []), ...edits] };
}

function readChoices(answer: JsonObject, text: string, places: AnswerPlaces): Reading {
  const parts: CallPart[] = [];
  const ends: GroupEnd[] = [];
  const otherIndexes: { readonly group: string; readonly index: number }[] = [];
  const slices = new JsonSlices(text);
  for (const { value: choice, path } of valuesAt(answer, places.choices)) {
    if (!isJsonObject(choice)) continue;
    const group = groupOf(choice, path);
    for (const { at, form } of places.calls)
      for (const { value: call, path: callPath } of valuesAt(choice, at)) {
        if (!isJsonObject(call)) continue;
        const placedCall = { call, path: [...path, ...callPath], form };
        const index = numberAt(call, 'index');
        if (form === functionCall && isCustomCall(call)) {
          if (index !== undefined) otherIndexes.push({ group, index });
        } else parts.push(...partOf(placedCall, slices, group, places));
      }
    const reason = textAtPath(choice, places.finishReason);
    if ((reason !== undefined && reason !== '') || places === wire.answer)
      ends.push(
        { group, finishReason: reason },
        { group: legacyGroup(group), finishReason: reason },
      );
  }
  return { parts, ends, otherIndexes, model: textAtPath(answer, places.model) };
}

const groupOf = (choice: JsonObject, path: JsonPath): string =>
  String(numberAt(choice, 'index') ?? path.at(-1));

/** The group of a choice's `function_call`, beside the group of its `tool_calls`. */
const legacyGroup = (group: string): string => `${group} function_call`;

function partOf(
  placedCall: PlacedCall,
  slices: JsonSlices,
  group: string,
  places: AnswerPlaces,
): readonly CallPart[] {
  const { call, path, form } = placedCall;
  if (form === legacyCall) {
    const place = { group: legacyGroup(group), index: 0, identity: undefined };
    return [callPart(placedCall, slices, place)];
  }
  const isWhole = places === wire.answer;
  const index = isWhole ? Number(path.at(-1)) : numberAt(call, 'index');
  const identity = identityOf(placedCall, isWhole);
  if (hasFunction(call)) return [callPart(placedCall, slices, { group, index, identity })];
  // A part may have nothing but the id, or members that belong to the call.
  return isWhole ? [] : [{ group, delta: { index, id: textAt(call, 'id') }, places: [], identity }];
}

const hasFunction = (call: JsonObject): boolean => objectAt(call, 'function') !== undefined;

/** The edits may add the members. */
const identityOf = ({ call, path, form }: PlacedCall, isWhole: boolean): PartIdentity => ({
  setIndex: isWhole ? undefined : (index) => ({ path: [...path, 'index'], text: String(index) }),
  setId: (id) => ({ path: [...path, 'id'], text: JSON.stringify(id) }),
  setName: (name) =>
    hasFunction(call)
      ? { path: [...path, ...form.name], text: JSON.stringify(name) }
      : { path: [...path, 'function'], text: JSON.stringify({ name }) },
});

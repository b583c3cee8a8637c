// OpenAI's Responses API.
import { BlockNumbers } from '../wire/block-numbers.ts';
import type { JsonEdit, JsonPath } from '../json/json-edits.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { type ToolPlace, textAtPath, valuesAt } from '../wire/wire-api.ts';
import { earlierFinishReason } from '../text/decode-arguments.ts';
import { toolChoiceIn, openAiError } from './chat-completions.ts';
import { offeredTool } from './request-places.ts';
import { type ModelTurn, turnTexts } from './model-turn.ts';
import {
  type CallPart,
  type EventReader,
  type GroupEnd,
  type RequestTool,
  type Place,
  type Protocol,
  type Reading,
  nothingRead,
} from './protocol.ts';
import { functionCallItem, responses as wire } from '../wire/responses.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';
import { ResponsesJoin } from './responses-join.ts';
import { responsesText } from './responses-text.ts';

export const responses: Protocol = {
  name: 'responses',
  framing: 'sse',
  matches: (path) => path.endsWith('/responses'),
  tools: offeredIn,
  wire,
  readAnswer: (answer) => readOutput(answer, []),
  eventReader,
  text: responsesText,
  modelTurn,
  retryEdits,
  pinnedTool,
  streamJoin: () => new ResponsesJoin(),
  errorBody: openAiError,
  errorEvent: ({ code, message }) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param: null })}\n\n`,
};

/** Tools of the provider and custom tools have no schema. A namespace holds functions. */
function offeredIn(request: JsonObject): readonly RequestTool[] {
  return wire.tools.flatMap((place) =>
    valuesAt(request, place.at).flatMap(({ value, path }) =>
      isJsonObject(value) ? toolsIn(value, path, place) : [],
    ),
  );
}

function toolsIn(tool: JsonObject, path: JsonPath, place: ToolPlace): readonly RequestTool[] {
  const type = textAt(tool, 'type');
  if (type === 'function') return offeredTool(tool, path, place);
  const inner = type === 'namespace' ? arrayAt(tool, 'tools') : [];
  return inner.flatMap((one, at) => toolsIn(one, [...path, 'tools', at], place));
}

/** An input that is text becomes a list. */
function retryEdits(request: JsonObject, items: readonly string[]): readonly JsonEdit[] {
  const input = textAt(request, 'input');
  if (input !== undefined) {
    const first = JSON.stringify({ role: 'user', content: input });
    return [{ path: ['input'], text: `[${[first, ...items].join(',')}]` }];
  }
  const at = arrayAt(request, 'input').length;
  return items.map((text, index) => ({ path: ['input', at + index], text }));
}

/** Functions of a namespace can't be named. */
function pinnedTool(request: JsonObject, name: string): JsonEdit | undefined {
  const isFree = ['auto', 'required', undefined].includes(toolChoiceIn(request));
  const isFunction = arrayAt(request, 'tools').some(
    (tool) => textAt(tool, 'type') === 'function' && textAt(tool, 'name') === name,
  );
  if (!isFree || !isFunction) return undefined;
  return { path: ['tool_choice'], text: JSON.stringify({ type: 'function', name }) };
}

/** The items as they came: a call is refused without the reasoning before it. */
function modelTurn(request: JsonObject): ModelTurn {
  const items = new Map<number, JsonObject>();
  return {
    add(event) {
      const item = objectAt(event, 'item');
      if (item !== undefined && textAt(event, 'type') === 'response.output_item.done')
        items.set(numberAt(event, 'output_index') ?? items.size, item);
      const output = arrayAt(objectAt(event, 'response') ?? event, 'output');
      for (const [at, whole] of output.entries()) items.set(at, whole);
    },
    items(calls) {
      const sortedItems = [...items]
        .toSorted(([one], [other]) => one - other)
        .map(([, item]) => item);
      const repeatedItems = sortedItems
        .filter((item) => isRepeatable(item, request))
        .map((item) => withoutIds(item, request));
      const outputs = calls.map(({ id, message }) => ({
        type: 'function_call_output',
        call_id: id,
        output: message,
      }));
      return [
        ...turnTexts(functionCallItem, repeatedItems, calls),
        ...outputs.map((item) => JSON.stringify(item)),
      ];
    },
  };
}

/**
 * Calls of other kinds need results that only the client can give: the model sends all calls again.
 */
const withoutSchema: ReadonlySet<string> = new Set([
  'apply_patch_call',
  'computer_call',
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
]);

/**
 * Reasoning that the server neither keeps nor sent is an id alone, which the server does not know.
 */
function isRepeatable(item: JsonObject, request: JsonObject): boolean {
  const type = textAt(item, 'type') ?? '';
  if (type !== 'reasoning') return !withoutSchema.has(type);
  return (
    isStored(request) ||
    textAt(item, 'encrypted_content') !== undefined ||
    arrayAt(item, 'content').length > 0
  );
}

const isStored = (request: JsonObject): boolean => ownValue(request, 'store') !== false;

/** Ids of items are those of the server's store. */
function withoutIds(item: JsonObject, request: JsonObject): JsonObject {
  if (isStored(request)) return item;
  const { id: _id, ...rest } = item;
  return rest;
}

/** The items of a response at `path` of an answer or an event. */
function readOutput(response: JsonObject, path: JsonPath): Reading {
  const status = textAt(response, 'status');
  const items = arrayAt(response, 'output');
  const parts: CallPart[] = [];
  const ends: GroupEnd[] = [];
  for (const [at, item] of items.entries()) {
    if (!functionCallItem.isCall(item)) continue;
    const group = String(at);
    const itemStatus = textAt(item, 'status');
    const isLast = at === items.length - 1;
    parts.push(itemPart(item, group, [...path, 'output', at]));
    ends.push({
      group,
      finishReason: itemStatus ?? (isLast ? status : earlierFinishReason(status)),
    });
  }
  return { parts, ends, model: textAt(response, 'model') };
}

function itemPart(item: JsonObject, group: string, path: JsonPath): CallPart {
  const name = textAt(item, 'name');
  const places: Place[] = [{ kind: 'whole', path: [...path, 'arguments'] }];
  if (name !== undefined) places.push({ kind: 'name', path: [...path, 'name'] });
  const delta = {
    index: 0,
    id: textAt(item, 'call_id'),
    name,
    arguments: ownValue(item, 'arguments'),
  };
  return { group, delta, places, isRepeat: true };
}

/** Some servers give items one index, or none: clients get each item under an index of its own. */
function eventReader(): EventReader {
  const numbers = new BlockNumbers();
  const callIds = new Map<number, string | undefined>();
  let hasUnnumbered = false;
  return (event) => {
    const type = textAt(event, 'type');
    const item = objectAt(event, 'item');
    const index = numberAt(event, 'output_index');
    const id = textAt(event, 'item_id') ?? textAt(item ?? {}, 'id');
    if (index === undefined && id === undefined && item === undefined) return readEvent(event, '0');
    const begin = (): number => {
      hasUnnumbered ||= index === undefined;
      return numbers.begin(index, id);
    };
    const begunNumber = type === 'response.output_item.added' ? begin() : numbers.find(index, id);
    const callId = textAt(item ?? {}, 'call_id');
    const isEnd = type === 'response.output_item.done';
    // Some servers send no event when an item begins.
    const isOther =
      isEnd &&
      begunNumber !== undefined &&
      callIds.has(begunNumber) &&
      callIds.get(begunNumber) !== callId;
    const number =
      (isEnd && (begunNumber === undefined || isOther) ? begin() : begunNumber) ?? index ?? 0;
    if (isEnd) callIds.set(number, callId);
    const reading = readEvent(event, String(number));
    if (number === index || (index === undefined && !hasUnnumbered)) return reading;
    const parts = reading.parts.map((part) => ({ ...part, isRenumbered: true }));
    return { ...reading, parts, edits: [{ path: ['output_index'], text: String(number) }] };
  };
}

/**
 * The item that ends has the arguments once more; they are collected from the deltas, if there were
 * any.
 */
function readEvent(event: JsonObject, group: string): Reading {
  switch (textAt(event, 'type')) {
    case 'response.created':
      return { ...nothingRead, model: textAtPath(event, wire.event.model) };
    case 'response.output_item.added': {
      const item = objectAt(event, 'item') ?? {};
      if (!functionCallItem.isCall(item)) return nothingRead;
      return { parts: [partAtStart(itemPart(item, group, ['item']))], ends: [] };
    }
    case 'response.function_call_arguments.delta': {
      const delta = { index: 0, arguments: textAt(event, 'delta') };
      return { parts: [{ group, delta, places: [{ kind: 'piece', path: ['delta'] }] }], ends: [] };
    }
    case 'response.function_call_arguments.done': {
      const places: Place[] = [{ kind: 'whole', path: ['arguments'] }];
      if (textAt(event, 'name') !== undefined) places.push({ kind: 'name', path: ['name'] });
      const delta = { index: 0, arguments: ownValue(event, 'arguments') };
      return { parts: [{ group, delta, places, isRepeat: true }], ends: [] };
    }
    case 'response.output_item.done': {
      const item = objectAt(event, 'item') ?? {};
      if (!functionCallItem.isCall(item)) return nothingRead;
      const finishReason = textAt(item, 'status') ?? 'completed';
      return { parts: [itemPart(item, group, ['item'])], ends: [{ group, finishReason }] };
    }
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return readOutput(objectAt(event, 'response') ?? {}, ['response']);
    default:
      return nothingRead;
  }
}

/** What an item has when it begins is its first piece, mostly an empty one. */
const partAtStart = ({ places, ...part }: CallPart): CallPart => ({
  ...part,
  isRepeat: false,
  places: places.map((place) => (place.kind === 'whole' ? { ...place, kind: 'piece' } : place)),
});

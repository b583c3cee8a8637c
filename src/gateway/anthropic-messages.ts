// Anthropic's Messages API.
import { type JsonEdit, JsonSlices, editJson } from '../json/json-edits.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';
import { plainJson } from '../json/parse.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import {
  StreamedMessage,
  anthropicMessages as wire,
  isBlankText,
  toolResult,
  toolUse,
  wholeBlock,
} from '../wire/anthropic-messages.ts';
import { BlockNumbers } from '../wire/block-numbers.ts';
import { type PlacedCall, callsAt, textAtPath, withParts } from '../wire/wire-api.ts';
import { callPart } from './call-part.ts';
import { type ModelTurn, turnTexts } from './model-turn.ts';
import {
  type EventReader,
  type GroupEnd,
  type Protocol,
  type ApiError,
  type Reading,
  type StreamJoin,
  addedMessages,
  nothingRead,
} from './protocol.ts';
import { offeredTools } from './request-places.ts';
import { type TextEvents, textShape } from './text-shapes.ts';

export const anthropicMessages: Protocol = {
  name: 'anthropic_messages',
  framing: 'sse',
  matches: (path) => path.endsWith('/messages'),
  wire,
  tools: (request) => offeredTools(wire.tools, request),
  readAnswer,
  eventReader,
  text: textShape({
    wire,
    ends: { withoutCall: 'end_turn', withCall: 'tool_use' },
    withoutEmptyTexts,
    newEvents,
  }),
  modelTurn,
  retryEdits: addedMessages,
  pinnedTool,
  streamJoin,
  errorBody: errorJson,
  errorEvent: (error) => `event: error\ndata: ${errorJson(error)}\n\n`,
};

/** https://docs.anthropic.com/en/api/errors */
function errorJson({ status, message }: ApiError): string {
  const type = status < 500 ? 'invalid_request_error' : 'api_error';
  return JSON.stringify({ type: 'error', error: { type, message } });
}

/**
 * Claude can't be made to call a tool while it thinks.
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
function pinnedTool(request: JsonObject, name: string): JsonEdit | undefined {
  const thinking = textAt(objectAt(request, 'thinking') ?? {}, 'type') ?? 'disabled';
  const choice = objectAt(request, 'tool_choice') ?? {};
  const isFree = ['auto', 'any', undefined].includes(textAt(choice, 'type'));
  if (thinking !== 'disabled' || !isFree) return undefined;
  return { path: ['tool_choice'], text: JSON.stringify({ ...choice, type: 'tool', name }) };
}

function withoutEmptyTexts(answer: string): string {
  const slices = new JsonSlices(answer);
  const message = plainJson(answer);
  const blocks = arrayAt(isJsonObject(message) ? message : {}, 'content').flatMap((block, at) =>
    isBlankText(block) ? [] : [slices.at(['content', at]) ?? '{}'],
  );
  return editJson(answer, [{ path: ['content'], text: `[${blocks.join(',')}]` }]);
}

function newEvents(): TextEvents {
  let blocks = 0;
  const texts = new Set<number>();
  return {
    add(event) {
      if (textAt(event, 'type') === 'content_block_start')
        blocks = Math.max(blocks, (numberAt(event, 'index') ?? 0) + 1);
    },
    blockIn(event) {
      const index = numberAt(event, 'index') ?? -1;
      if (textAt(objectAt(event, 'content_block') ?? {}, 'type') === 'text') {
        texts.add(index);
        return { index, part: 'start' };
      }
      if (!texts.has(index)) return undefined;
      return { index, part: textAt(event, 'type') === 'content_block_stop' ? 'end' : 'piece' };
    },
    callEvents: (_group, calls) =>
      calls.flatMap((call) => {
        const index = blocks;
        blocks += 1;
        const content_block = withParts(toolUse, {}, { ...call, arguments: '{}' });
        const delta = { type: 'input_json_delta', partial_json: call.arguments };
        const events = [
          { type: 'content_block_start', index, content_block },
          { type: 'content_block_delta', index, delta },
          { type: 'content_block_stop', index },
        ];
        return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }),
  };
}

/** The blocks unchanged, because the API refuses thoughts without their signature. */
function modelTurn(): ModelTurn {
  const streamedMessage = new StreamedMessage();
  return {
    add: (event) => streamedMessage.add(event),
    items(calls) {
      const blocks = streamedMessage.blocks.map(wholeBlock).filter((block) => !isBlankText(block));
      const results = calls.map(({ id, message }) => toolResult(id, true, message));
      return [
        `{"role":"assistant","content":[${turnTexts(toolUse, blocks, calls).join(',')}]}`,
        JSON.stringify({ role: 'user', content: results }),
      ];
    },
  };
}

/**
 * The blocks of a further answer continue the numbering; its `message_start` is dropped, because
 * the client's message has begun already.
 */
function streamJoin(): StreamJoin {
  let blocks = 0;
  let base = 0;
  let isNext = false;
  return {
    pass(event) {
      if (isNext && textAt(event, 'type') === 'message_start') return undefined;
      const index = numberAt(event, 'index');
      if (index === undefined) return [];
      blocks = Math.max(blocks, base + index + 1);
      return isNext ? [{ path: ['index'], text: String(base + index) }] : [];
    },
    next() {
      base = blocks;
      isNext = true;
    },
  };
}

function readAnswer(answer: JsonObject, text: string): Reading {
  const { calls: places, finishReason, model } = wire.answer;
  const slices = new JsonSlices(text);
  const calls = callsAt(places, answer);
  const last = arrayAt(answer, 'content').length - 1;
  const reason = textAtPath(answer, finishReason);
  return {
    parts: calls.map((call) => callPart(call, slices, owner(blockOf(call)))),
    ends: calls.map((call) => ({
      group: blockOf(call),
      finishReason: call.path.at(-1) === last ? reason : endOfEarlier,
    })),
    model: textAtPath(answer, model),
  };
}

const owner = (group: string) => ({ group, index: 0, identity: undefined });

const blockOf = ({ path }: PlacedCall): string => String(path.at(-1));

/** The finish reason of a block that another one follows, because such a block is complete. */
const endOfEarlier = 'tool_use';

/**
 * Servers that translate other APIs give blocks one index, or none: clients get each block under an
 * index of its own.
 */
function eventReader(): EventReader {
  const read = blockReader();
  const numbers = new BlockNumbers();
  return (event, text) => {
    const type = textAt(event, 'type') ?? '';
    const index = numberAt(event, 'index');
    if (!type.startsWith('content_block_')) return read(event, text, '');
    const isStart = type === 'content_block_start';
    const number = (isStart ? numbers.begin(index) : numbers.find(index)) ?? index ?? 0;
    const reading = read(event, text, String(number));
    if (number === index) return reading;
    const parts = reading.parts.map((part) => ({ ...part, isRenumbered: true }));
    return { ...reading, parts, edits: [{ path: ['index'], text: String(number) }] };
  };
}

/**
 * A block that has stopped ends when another one begins. The rest end when the message does, with
 * its stop reason, because only that tells whether the last block was cut off. The events of
 * several blocks may be mixed.
 */
function blockReader(): (event: JsonObject, text: string, group: string) => Reading {
  const open = new Map<string, { hasStopped: boolean }>();
  const endStopped = (): readonly GroupEnd[] => {
    const ends = [...open].filter(([, { hasStopped }]) => hasStopped).map(([group]) => group);
    for (const group of ends) open.delete(group);
    return ends.map((group) => ({ group, finishReason: endOfEarlier }));
  };
  const endAll = (reason: string | undefined): readonly GroupEnd[] => {
    const last = [...open.keys()].at(-1);
    const ends = Array.from(open, ([group, { hasStopped }]) => ({
      group,
      finishReason: hasStopped && group !== last ? endOfEarlier : reason,
    }));
    open.clear();
    return ends;
  };
  return (event, text, group) => {
    switch (textAt(event, 'type')) {
      case 'message_start':
        return { ...nothingRead, model: textAtPath(event, wire.event.model) };
      case 'content_block_start': {
        const ends = endStopped();
        const calls = callsAt(wire.event.calls, event);
        if (calls.length > 0) open.set(group, { hasStopped: false });
        return {
          parts: calls.map((call) => callPart(call, new JsonSlices(text), owner(group))),
          ends,
        };
      }
      case 'content_block_delta': {
        const piece = textAt(objectAt(event, 'delta') ?? {}, 'partial_json');
        if (piece === undefined || !open.has(group)) return nothingRead;
        const places = [{ kind: 'piece', path: ['delta', 'partial_json'] }] as const;
        return { parts: [{ group, delta: { index: 0, arguments: piece }, places }], ends: [] };
      }
      case 'content_block_stop': {
        const block = open.get(group);
        if (block !== undefined) block.hasStopped = true;
        return nothingRead;
      }
      case 'message_delta': {
        const reason = textAtPath(event, wire.event.finishReason);
        return reason === undefined ? nothingRead : { parts: [], ends: endAll(reason) };
      }
      case 'message_stop':
        return { parts: [], ends: endAll(undefined) };
      default:
        return nothingRead;
    }
  };
}

// Anthropic's Messages API.
import { type JsonPath, JsonSlices, editJson } from '../json/json-edits.ts';
import { BlockNumbers } from '../wire/block-numbers.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import { offeredTool, sentAt } from './chat-completions.ts';
import { mergedMessage } from '../wire/merged-message.ts';
import { type ModelTurn, type UnsentCall, inTurnOrder } from './model-turn.ts';
import {
  type CallPart,
  type EventReader,
  type GroupEnd,
  type OfferedTool,
  type PastCall,
  type Protocol,
  type ProtocolError,
  type Reading,
  type StreamJoin,
  addedMessages,
  nothingRead,
} from './protocol.ts';
import { anthropicText } from './text-shapes.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';

export const anthropicMessages: Protocol = {
  name: 'anthropic_messages',
  framing: 'sse',
  matches: (path) => path.endsWith('/messages'),
  tools,
  pastCalls,
  readAnswer,
  eventReader,
  text: anthropicText,
  modelTurn,
  retryEdits: addedMessages,
  streamJoin,
  errorBody: errorJson,
  errorEvent: (error) => `event: error\ndata: ${errorJson(error)}\n\n`,
};

/** https://docs.anthropic.com/en/api/errors */
function errorJson({ status, message }: ProtocolError): string {
  const type = status < 500 ? 'invalid_request_error' : 'api_error';
  return JSON.stringify({ type: 'error', error: { type, message } });
}

/**
 * Tools without an input schema, such as `bash_20250124`, are the provider's own, which the client
 * executes.
 */
function tools(request: JsonObject): readonly OfferedTool[] {
  return arrayAt(request, 'tools').flatMap((tool, at) => {
    const offered = offeredTool(tool, ['tools', at], 'input_schema');
    const isOwn = objectAt(tool, 'input_schema') === undefined;
    return isOwn ? offered.map((own) => ({ ...own, schema: undefined })) : offered;
  });
}

/** The blocks unchanged, because the API refuses thoughts without their signature. */
function modelTurn(): ModelTurn {
  const blocks = new Map<number, JsonObject>();
  return {
    add(event) {
      for (const [at, block] of arrayAt(event, 'content').entries()) blocks.set(at, block);
      const index = numberAt(event, 'index');
      if (index === undefined) return;
      const begun = objectAt(event, 'content_block') ?? blocks.get(index) ?? {};
      blocks.set(index, withDelta(begun, objectAt(event, 'delta') ?? {}));
    },
    items(calls) {
      const sorted = [...blocks]
        .toSorted(([one], [other]) => one - other)
        .map(([, block]) => block);
      const results = calls.map(({ id, message }) => ({
        type: 'tool_result',
        tool_use_id: id,
        is_error: true,
        content: message,
      }));
      return [
        `{"role":"assistant","content":[${blockTexts(sorted, calls).join(',')}]}`,
        JSON.stringify({ role: 'user', content: results }),
      ];
    },
  };
}

function withDelta(block: JsonObject, delta: JsonObject): JsonObject {
  const { type: _type, citation, partial_json: piece, ...pieces } = delta;
  if (citation !== undefined) return mergedMessage(block, { citations: [citation] });
  return mergedMessage(block, piece === undefined ? pieces : { [inputText]: piece });
}

/** A member of a block while its input comes in pieces. */
const inputText = 'partial_json';

/** The API refuses empty texts. */
function blockTexts(
  blocks: readonly JsonObject[],
  calls: readonly UnsentCall[],
): readonly string[] {
  const uses = blocks.filter(isUse);
  const order = inTurnOrder(
    uses.map((use) => textAt(use, 'id')),
    calls,
  );
  const texts = blocks
    .filter((block) => textAt(block, 'text') !== '' && !(order === undefined && isUse(block)))
    .map((block) => {
      const { [inputText]: piece, ...own } = block;
      const call = order?.[uses.indexOf(block)];
      if (call !== undefined) return useText(own, call);
      const text = JSON.stringify(own);
      return typeof piece === 'string' ? editJson(text, [{ path: ['input'], text: piece }]) : text;
    });
  return order === undefined
    ? [...texts, ...calls.map((call) => useText({ type: 'tool_use' }, call))]
    : texts;
}

const isUse = (block: JsonObject): boolean => textAt(block, 'type') === 'tool_use';

const useText = (block: JsonObject, { id, name, arguments: text }: UnsentCall): string =>
  editJson(JSON.stringify({ ...block, id, name, input: {} }), [{ path: ['input'], text }]);

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
  const content = arrayAt(answer, 'content');
  const reason = textAt(answer, 'stop_reason');
  const slices = new JsonSlices(text);
  const parts = content.flatMap((block, index): readonly CallPart[] =>
    textAt(block, 'type') === 'tool_use'
      ? [blockPart(block, slices, String(index), ['content', index])]
      : [],
  );
  const ends = content.map((_block, index): GroupEnd => ({
    group: String(index),
    finishReason: index === content.length - 1 ? reason : endOfEarlier,
  }));
  return { parts, ends, model: textAt(answer, 'model') };
}

/** The finish reason of a block that another one follows, because such a block is complete. */
const endOfEarlier = 'tool_use';

function blockPart(block: JsonObject, slices: JsonSlices, group: string, path: JsonPath): CallPart {
  const inputPath = [...path, 'input'];
  const { kind, arguments: sent } = sentAt(block, 'input', slices, inputPath);
  const isMisshaped = kind === 'piece';
  return {
    group,
    delta: { index: 0, id: textAt(block, 'id'), name: textAt(block, 'name'), arguments: sent },
    places: [
      { kind: 'value', path: inputPath },
      { kind: 'name', path: [...path, 'name'] },
    ],
    isMisshaped,
  };
}

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
        return { ...nothingRead, model: textAt(objectAt(event, 'message') ?? {}, 'model') };
      case 'content_block_start': {
        const ends = endStopped();
        const block = objectAt(event, 'content_block') ?? {};
        if (textAt(block, 'type') !== 'tool_use') return { parts: [], ends };
        open.set(group, { hasStopped: false });
        return { parts: [blockPart(block, new JsonSlices(text), group, ['content_block'])], ends };
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
        const reason = textAt(objectAt(event, 'delta') ?? {}, 'stop_reason');
        return reason === undefined ? nothingRead : { parts: [], ends: endAll(reason) };
      }
      case 'message_stop':
        return { parts: [], ends: endAll(undefined) };
      default:
        return nothingRead;
    }
  };
}

function pastCalls(request: JsonObject): readonly PastCall[] {
  return arrayAt(request, 'messages').flatMap((message, at) =>
    arrayAt(message, 'content').flatMap((block, index): readonly PastCall[] =>
      textAt(block, 'type') === 'tool_use'
        ? [
            {
              name: textAt(block, 'name') ?? '',
              arguments: ownValue(block, 'input'),
              isText: false,
              edit: (text) => ({ path: ['messages', at, 'content', index, 'input'], text }),
            },
          ]
        : [],
    ),
  );
}

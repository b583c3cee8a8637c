// Ollama's /api/chat.
import { ownValue } from '../collections/objects.ts';
import type { HistoryCall } from '../interpret/records.ts';
import { JsonSlices, editJson } from '../json/json-edits.ts';
import { arrayAt, objectAt, textAt } from '../json/members.ts';
import { type JsonObject, withoutKey } from '../json/value.ts';
import { mergedMessage, withoutNulls } from '../wire/merged-message.ts';
import { ollamaCall, ollamaChat as wire } from '../wire/ollama-chat.ts';
import { type PlacedCall, callsAt, textAtPath, textWithParts } from '../wire/wire-api.ts';
import { callPart } from './call-part.ts';
import { type ModelTurn, turnTexts } from './model-turn.ts';
import {
  type EventReader,
  type Protocol,
  type Reading,
  addedMessages,
  plainJoin,
} from './protocol.ts';
import { offeredTools } from './request-places.ts';
import { type TextEvents, textShape } from './text-shapes.ts';

export const ollamaChat: Protocol = {
  name: 'ollama_chat',
  framing: 'ndjson',
  matches: (path) => path.endsWith('/api/chat'),
  tools: (request) => offeredTools(wire.tools, request),
  wire,
  readAnswer: (answer, text) => readMessage(answer, text, ''),
  eventReader,
  text: textShape({ wire, ends: { withoutCall: 'stop', withCall: 'stop' }, newEvents }),
  callAnswer,
  modelTurn,
  retryEdits: addedMessages,
  streamJoin: plainJoin,
  errorBody: ({ message }) => JSON.stringify({ error: message }),
  errorEvent: ({ message }) => `${JSON.stringify({ error: message })}\n`,
};

function newEvents(): TextEvents {
  let like: JsonObject = {};
  return {
    add(event) {
      if (ownValue(event, 'done') !== true) like = event;
    },
    callEvents(_group, calls) {
      const head = JSON.stringify({ ...withoutKey(like, 'message'), done: false });
      const tool_calls = calls.map((call) => textWithParts(ollamaCall, {}, call)).join(',');
      const message = `{"role":"assistant","content":"","tool_calls":[${tool_calls}]}`;
      return [`${head.slice(0, -1)},"message":${message}}\n`];
    },
  };
}

function callAnswer(model: string, call: HistoryCall) {
  const head = `{"model":${JSON.stringify(model)},"created_at":"${new Date().toISOString()}"`;
  const calls = `"tool_calls":[${textWithParts(ollamaCall, {}, call)}]`;
  const message = `"message":{"role":"assistant","content":"",${calls}}`;
  const end = '"done":true,"done_reason":"stop"';
  const last = `"message":{"role":"assistant","content":""},${end}`;
  return {
    whole: `${head},${message},${end}}`,
    events: `${head},${message},"done":false}\n${head},${last}}\n`,
  };
}

/** Each call comes whole, so that no two events have parts of one. */
function eventReader(): EventReader {
  let event = 0;
  let open: readonly string[] = [];
  return (answer, text) => {
    event += 1;
    const reading = readMessage(answer, text, `${event} `);
    // Only the end tells whether arguments that came as text were cut off.
    const finishReason = textAt(answer, 'done_reason');
    const isOver = ownValue(answer, 'done') === true || finishReason !== undefined;
    const openEnds = reading.ends.filter((end) => end.finishReason === undefined);
    open = [...open, ...openEnds.map(({ group }) => group)];
    const ends = reading.ends.filter((end) => end.finishReason !== undefined);
    if (!isOver) return { ...reading, ends };
    const closedEnds = open.map((group) => ({ group, finishReason }));
    open = [];
    return { ...reading, ends: [...ends, ...closedEnds] };
  };
}

function readMessage(answer: JsonObject, text: string, prefix: string): Reading {
  const { calls: places, finishReason, model } = wire.answer;
  const reason = textAtPath(answer, finishReason);
  const slices = new JsonSlices(text);
  const calls = callsAt(places, answer);
  const groupOf = ({ path }: PlacedCall): string => prefix + String(path.at(-1));
  const parts = calls.map((call) =>
    callPart(call, slices, { group: groupOf(call), index: 0, identity: undefined }),
  );
  const ends = parts.map(({ group, isMisshaped }) => ({
    group,
    // A server that sends arguments as a value has read all of the call.
    finishReason: reason ?? (isMisshaped === true ? undefined : 'tool_calls'),
  }));
  return { parts, ends, model: textAtPath(answer, model) };
}

function modelTurn(): ModelTurn {
  let message: JsonObject = {};
  return {
    add(event) {
      message = mergedMessage(message, objectAt(event, 'message') ?? {});
    },
    items(calls) {
      const { tool_calls: _calls, ...members } = withoutNulls(message);
      const messageCalls = arrayAt(message, 'tool_calls');
      const text = JSON.stringify({ role: 'assistant', content: '', ...members, tool_calls: [] });
      const tool_calls = turnTexts(ollamaCall, messageCalls, calls);
      return [
        editJson(text, [{ path: ['tool_calls'], text: `[${tool_calls.join(',')}]` }]),
        ...calls.map(({ name, message: content }) =>
          JSON.stringify({ role: 'tool', tool_name: name, content }),
        ),
      ];
    },
  };
}

// Ollama's /api/chat.
import type { HistoryCall } from '../interpret/records.ts';
import { JsonSlices, editJson } from '../json/json-edits.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject } from '../json/value.ts';
import { chatCompletions, sentAt } from './chat-completions.ts';
import { mergedMessage, withoutNulls } from '../wire/merged-message.ts';
import type { ModelTurn } from './model-turn.ts';
import {
  type CallPart,
  type EventReader,
  type GroupEnd,
  type PastCall,
  type Place,
  type Protocol,
  type Reading,
  addedMessages,
  plainJoin,
} from './protocol.ts';
import { ollamaText } from './text-shapes.ts';
import { arrayAt, objectAt, textAt } from '../json/members.ts';

export const ollamaChat: Protocol = {
  name: 'ollama_chat',
  framing: 'ndjson',
  matches: (path) => path.endsWith('/api/chat'),
  tools: (request) => chatCompletions.tools(request),
  pastCalls,
  readAnswer: (answer, text) => readMessage(answer, text, ''),
  eventReader,
  text: ollamaText,
  callAnswer,
  modelTurn,
  retryEdits: addedMessages,
  streamJoin: plainJoin,
  errorBody: ({ message }) => JSON.stringify({ error: message }),
  errorEvent: ({ message }) => `${JSON.stringify({ error: message })}\n`,
};

function callAnswer(model: string, { name, arguments: text }: HistoryCall) {
  const head = `{"model":${JSON.stringify(model)},"created_at":"${new Date().toISOString()}"`;
  const call = `{"function":{"name":${JSON.stringify(name)},"arguments":${text}}}`;
  const message = `"message":{"role":"assistant","content":"","tool_calls":[${call}]}`;
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
    const waiting = reading.ends.filter((end) => end.finishReason === undefined);
    open = [...open, ...waiting.map(({ group }) => group)];
    const ends = reading.ends.filter((end) => end.finishReason !== undefined);
    if (!isOver) return { ...reading, ends };
    const ended = open.map((group) => ({ group, finishReason }));
    open = [];
    return { ...reading, ends: [...ends, ...ended] };
  };
}

function readMessage(answer: JsonObject, text: string, prefix: string): Reading {
  const finishReason = textAt(answer, 'done_reason');
  const parts: CallPart[] = [];
  const ends: GroupEnd[] = [];
  const slices = new JsonSlices(text);
  for (const [at, call] of arrayAt(objectAt(answer, 'message') ?? {}, 'tool_calls').entries()) {
    const called = objectAt(call, 'function');
    if (called === undefined) continue;
    const group = prefix + String(at);
    const path = ['message', 'tool_calls', at, 'function'];
    const argumentsPath = [...path, 'arguments'];
    const sent = sentAt(called, 'arguments', slices, argumentsPath);
    const name = textAt(called, 'name');
    const places: Place[] = [{ kind: 'value', path: argumentsPath }];
    if (name !== undefined) places.push({ kind: 'name', path: [...path, 'name'] });
    const delta = { index: 0, id: textAt(call, 'id'), name, arguments: sent.arguments };
    parts.push({ group, delta, places, isMisshaped: sent.kind === 'piece' });
    // A server that sends arguments as a value has read all of the call.
    ends.push({
      group,
      finishReason: finishReason ?? (sent.kind === 'piece' ? undefined : 'tool_calls'),
    });
  }
  return { parts, ends, model: textAt(answer, 'model') };
}

function modelTurn(): ModelTurn {
  let message: JsonObject = {};
  return {
    add(event) {
      message = mergedMessage(message, objectAt(event, 'message') ?? {});
    },
    items(calls) {
      const { tool_calls: _calls, ...said } = withoutNulls(message);
      const sent = arrayAt(message, 'tool_calls');
      const own = sent.length === calls.length ? sent : [];
      const tool_calls = calls.map(({ name }, at) => {
        const call = own[at] ?? {};
        return { ...call, function: { ...objectAt(call, 'function'), name, arguments: {} } };
      });
      const answer = JSON.stringify({ role: 'assistant', content: '', ...said, tool_calls });
      // The text keeps the digits of numbers.
      const edits = calls.map(({ arguments: text }, at) => ({
        path: ['tool_calls', at, 'function', 'arguments'],
        text,
      }));
      const results = calls.map(({ name, message: content }) => ({
        role: 'tool',
        tool_name: name,
        content,
      }));
      return [editJson(answer, edits), ...results.map((result) => JSON.stringify(result))];
    },
  };
}

function pastCalls(request: JsonObject): readonly PastCall[] {
  return arrayAt(request, 'messages').flatMap((message, at) =>
    arrayAt(message, 'tool_calls').map((call, index): PastCall => {
      const called = objectAt(call, 'function') ?? {};
      return {
        name: textAt(called, 'name') ?? '',
        arguments: ownValue(called, 'arguments'),
        isText: false,
        edit: (text) => ({
          path: ['messages', at, 'tool_calls', index, 'function', 'arguments'],
          text,
        }),
      };
    }),
  );
}

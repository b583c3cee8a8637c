// Ollama's /api/chat.
import type { JsonEdit } from '../json/json-edits.ts';
import { type JsonObject, ownValue } from '../json/value.ts';
import { chatCompletions, sentAt } from './chat-completions.ts';
import {
  type CallPart,
  type EventReader,
  type GroupEnd,
  type PastCall,
  type Place,
  type Protocol,
  type Reading,
  type UnsentCall,
  plainJoin,
} from './protocol.ts';
import { ollamaText } from './text-shapes.ts';
import { arrayAt, objectAt, textAt } from './read-members.ts';

export const ollamaChat: Protocol = {
  name: 'ollama_chat',
  framing: 'ndjson',
  matches: (path) => path.endsWith('/api/chat'),
  tools: (request) => chatCompletions.tools(request),
  pastCalls,
  readAnswer: (answer, text) => readMessage(answer, text, ''),
  eventReader,
  text: ollamaText,
  retryEdits,
  streamJoin: plainJoin,
  errorBody: ({ message }) => JSON.stringify({ error: message }),
  errorEvent: ({ message }) => `${JSON.stringify({ error: message })}\n`,
};

/** Each call comes whole, so that no two events have parts of one. */
function eventReader(): EventReader {
  let event = 0;
  return (answer, text) => {
    event += 1;
    return readMessage(answer, text, `${event} `);
  };
}

function readMessage(answer: JsonObject, text: string, prefix: string): Reading {
  const finishReason = textAt(answer, 'done_reason');
  const parts: CallPart[] = [];
  const ends: GroupEnd[] = [];
  for (const [at, call] of arrayAt(objectAt(answer, 'message') ?? {}, 'tool_calls').entries()) {
    const called = objectAt(call, 'function');
    if (called === undefined) continue;
    const group = prefix + String(at);
    const path = ['message', 'tool_calls', at, 'function'];
    const argumentsPath = [...path, 'arguments'];
    const sent = sentAt(called, 'arguments', text, argumentsPath);
    const name = textAt(called, 'name');
    const places: Place[] = [{ kind: 'value', path: argumentsPath }];
    if (name !== undefined) places.push({ kind: 'name', path: [...path, 'name'] });
    const delta = { index: 0, id: textAt(call, 'id'), name, arguments: sent.arguments };
    parts.push({ group, delta, places, isMisshaped: sent.kind === 'piece' });
    ends.push({ group, finishReason });
  }
  return { parts, ends, model: textAt(answer, 'model') };
}

function retryEdits(request: JsonObject, calls: readonly UnsentCall[]): readonly JsonEdit[] {
  const at = arrayAt(request, 'messages').length;
  const written = calls.map(
    ({ name, arguments: text }) => `{"function":{"name":${JSON.stringify(name)},"arguments":${text}}}`,
  );
  const results = calls.map(({ name, message }) =>
    JSON.stringify({ role: 'tool', tool_name: name, content: message }),
  );
  const answer = `{"role":"assistant","content":"","tool_calls":[${written.join(',')}]}`;
  return [answer, ...results].map((text, index) => ({ path: ['messages', at + index], text }));
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

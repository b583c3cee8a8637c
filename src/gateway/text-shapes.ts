// How each API takes calls that a server left in the text.
import type { JsonEdit } from '../json/json-edits.ts';
import { type JsonObject, isJsonArray, ownValue, withoutKey } from '../json/value.ts';
import type { FoundCall, TextPlace, TextShape, TextStreamShape } from './protocol.ts';
import { arrayAt, numberAt, objectAt, textAt } from './read-members.ts';

export const chatText: TextShape = {
  textsOf: (answer) => choiceTexts(answer, 'message'),
  callEdits(answer, group, calls) {
    const at = Number(group);
    const path = ['choices', at];
    const message = objectAt(arrayAt(answer, 'choices')[at] ?? {}, 'message') ?? {};
    return [
      ...appended(
        message,
        [...path, 'message', 'tool_calls'],
        calls.map((call) => JSON.stringify(chatCall(call))),
      ),
      { path: [...path, 'finish_reason'], text: '"tool_calls"' },
    ];
  },
  streamReader() {
    let like: JsonObject = {};
    const known = new Map<string, number>();
    return {
      textsOf(event) {
        like = event;
        for (const { choice, group } of choicesOf(event))
          for (const call of arrayAt(objectAt(choice, 'delta') ?? {}, 'tool_calls'))
            known.set(group, Math.max(known.get(group) ?? 0, (numberAt(call, 'index') ?? 0) + 1));
        return choiceTexts(event, 'delta');
      },
      endsIn: (event) =>
        choicesOf(event).flatMap(({ choice, group, at }) => {
          const reason = textAt(choice, 'finish_reason');
          if (reason === undefined || reason === '') return [];
          const edit = { path: ['choices', at, 'finish_reason'], text: '"tool_calls"' };
          return [{ group, edits: reason === 'stop' ? [edit] : [] }];
        }),
      callEvents(group, calls) {
        const first = known.get(group) ?? 0;
        const tool_calls = calls.map((call, index) => ({ index: first + index, ...chatCall(call) }));
        const choices = [{ index: Number(group), delta: { tool_calls }, finish_reason: null }];
        return [`data: ${JSON.stringify({ ...withoutKey(like, 'usage'), choices })}\n\n`];
      },
    };
  },
};

const chatCall = ({ id, name, arguments: text }: FoundCall) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

const choicesOf = (event: JsonObject) =>
  arrayAt(event, 'choices').map((choice, at) => ({
    choice,
    at,
    group: String(numberAt(choice, 'index') ?? at),
  }));

const choiceTexts = (event: JsonObject, member: 'delta' | 'message'): readonly TextPlace[] =>
  choicesOf(event).flatMap(({ choice, at, group }) => {
    const text = textAt(objectAt(choice, member) ?? {}, 'content');
    const path = ['choices', at, member, 'content'];
    return text === undefined || text === ''
      ? []
      : [{ group: member === 'message' ? String(at) : group, path, text }];
  });

/** Edits that add elements to a list, which may be absent. */
function appended(
  parent: JsonObject,
  path: readonly (string | number)[],
  elements: readonly string[],
): readonly JsonEdit[] {
  const list = ownValue(parent, String(path.at(-1)));
  if (!isJsonArray(list)) return [{ path, text: `[${elements.join(',')}]` }];
  return elements.map((text, index) => ({ path: [...path, list.length + index], text }));
}

export const ollamaText: TextShape = {
  textsOf: ollamaTexts,
  callEdits: (answer, _group, calls) =>
    appended(objectAt(answer, 'message') ?? {}, ['message', 'tool_calls'], calls.map(ollamaCall)),
  streamReader(): TextStreamShape {
    let like: JsonObject = {};
    return {
      textsOf(event) {
        if (ownValue(event, 'done') !== true) like = event;
        return ollamaTexts(event);
      },
      endsIn: (event) => (ownValue(event, 'done') === true ? [{ group: '', edits: [] }] : []),
      callEvents(_group, calls) {
        const written = JSON.stringify({ ...withoutKey(like, 'message'), done: false });
        const message = `{"role":"assistant","content":"","tool_calls":[${calls.map(ollamaCall).join(',')}]}`;
        return [`${written.slice(0, -1)},"message":${message}}\n`];
      },
    };
  },
};

const ollamaCall = ({ name, arguments: text }: FoundCall): string =>
  `{"function":{"name":${JSON.stringify(name)},"arguments":${text}}}`;

function ollamaTexts(event: JsonObject): readonly TextPlace[] {
  const text = textAt(objectAt(event, 'message') ?? {}, 'content');
  return text === undefined || text === '' ? [] : [{ group: '', path: ['message', 'content'], text }];
}

export const anthropicText: TextShape = {
  textsOf: (answer) =>
    arrayAt(answer, 'content').flatMap((block, at) => {
      const text = textAt(block, 'type') === 'text' ? textAt(block, 'text') : undefined;
      return text === undefined || text === ''
        ? []
        : [{ group: String(at), path: ['content', at, 'text'], text }];
    }),
  callEdits: (answer, _group, calls) => [
    ...appended(answer, ['content'], calls.map(toolUse)),
    { path: ['stop_reason'], text: '"tool_use"' },
  ],
  streamReader() {
    let blocks = 0;
    return {
      textsOf(event) {
        if (textAt(event, 'type') === 'content_block_start')
          blocks = Math.max(blocks, (numberAt(event, 'index') ?? 0) + 1);
        const delta = objectAt(event, 'delta') ?? {};
        const text = textAt(delta, 'type') === 'text_delta' ? textAt(delta, 'text') : undefined;
        return text === undefined || text === '' ? [] : [{ group: '', path: ['delta', 'text'], text }];
      },
      endsIn(event) {
        const reason = textAt(objectAt(event, 'delta') ?? {}, 'stop_reason');
        if (textAt(event, 'type') !== 'message_delta' || reason === undefined) return [];
        const edit = { path: ['delta', 'stop_reason'], text: '"tool_use"' };
        return [{ group: '', edits: reason === 'end_turn' ? [edit] : [] }];
      },
      callEvents: (_group, calls) =>
        calls.flatMap(({ id, name, arguments: text }) => {
          const index = blocks;
          blocks += 1;
          const events = [
            {
              type: 'content_block_start',
              index,
              content_block: { type: 'tool_use', id, name, input: {} },
            },
            { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text } },
            { type: 'content_block_stop', index },
          ];
          return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        }),
    };
  },
};

const toolUse = ({ id, name, arguments: text }: FoundCall): string =>
  `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":${text}}`;

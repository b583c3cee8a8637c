// How each API takes calls that a server left in the text.
import { type JsonEdit, type JsonPath, JsonSlices, editJson } from '../json/json-edits.ts';
import { plainJson } from '../json/parse.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonArray, isJsonObject, withoutKey } from '../json/value.ts';
import type { HistoryCall } from '../interpret/records.ts';
import type { TextPlace, TextShape, TextStreamShape } from './protocol.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';

/**
 * The reasons of an answer that the model ended by itself. Some servers say `tool_calls` and leave
 * the call in the text.
 */
const ownReasons: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'end_turn', 'tool_use']);

export const chatText: TextShape = {
  textsOf: (answer) => choiceTexts(answer, 'message'),
  endsWithoutCall(answer, group) {
    const choice = arrayAt(answer, 'choices')[Number(group)] ?? {};
    return (
      ownReasons.has(textAt(choice, 'finish_reason') ?? '') &&
      !hasChatCall(objectAt(choice, 'message'))
    );
  },
  callEdits(answer, group, calls) {
    const at = Number(group);
    const path = ['choices', at];
    const choice = arrayAt(answer, 'choices')[at] ?? {};
    const message = objectAt(choice, 'message') ?? {};
    return [
      ...appended(
        message,
        [...path, 'message', 'tool_calls'],
        calls.map((call) => JSON.stringify(chatCall(call))),
      ),
      ...(textAt(choice, 'finish_reason') === 'length'
        ? []
        : [{ path: [...path, 'finish_reason'], text: '"tool_calls"' }]),
    ];
  },
  streamReader() {
    let like: JsonObject = {};
    const known = new Map<string, number>();
    const withCall = new Set<string>();
    return {
      textsOf(event) {
        like = event;
        for (const { choice, group } of choicesOf(event)) {
          if (hasChatCall(objectAt(choice, 'delta'))) withCall.add(group);
          for (const call of arrayAt(objectAt(choice, 'delta') ?? {}, 'tool_calls'))
            known.set(group, Math.max(known.get(group) ?? 0, (numberAt(call, 'index') ?? 0) + 1));
        }
        return choiceTexts(event, 'delta');
      },
      endsIn: (event) =>
        choicesOf(event).flatMap(({ choice, group, at }) => {
          const reason = textAt(choice, 'finish_reason');
          if (reason === undefined || reason === '') return [];
          const edit = { path: ['choices', at, 'finish_reason'], text: '"tool_calls"' };
          const endsWithoutCall = ownReasons.has(reason) && !withCall.has(group);
          return [{ group, endsWithoutCall, edits: () => (reason === 'stop' ? [edit] : []) }];
        }),
      callEvents(group, calls) {
        const first = known.get(group) ?? 0;
        const tool_calls = calls.map((call, index) => ({
          index: first + index,
          ...chatCall(call),
        }));
        const choices = [{ index: Number(group), delta: { tool_calls }, finish_reason: null }];
        return [`data: ${JSON.stringify({ ...withoutKey(like, 'usage'), choices })}\n\n`];
      },
    };
  },
};

const chatCall = ({ id, name, arguments: text }: HistoryCall) => ({
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

const hasChatCall = (said: JsonObject | undefined): boolean =>
  said !== undefined &&
  (arrayAt(said, 'tool_calls').length > 0 || objectAt(said, 'function_call') !== undefined);

/**
 * `reasoning_content` is the name of DeepSeek, llama.cpp and SGLang, `reasoning` that of
 * OpenRouter, Ollama and vLLM; some send both.
 */
const choiceTexts = (event: JsonObject, member: 'delta' | 'message'): readonly TextPlace[] =>
  choicesOf(event).flatMap(({ choice, at, group }) => {
    const said = objectAt(choice, member) ?? {};
    const own = { group: member === 'message' ? String(at) : group };
    const key = textAt(said, 'reasoning_content') === undefined ? 'reasoning' : 'reasoning_content';
    return [
      ...textIn(said, key, { ...own, kind: 'reasoning', path: ['choices', at, member, key] }),
      ...textIn(said, 'content', {
        ...own,
        kind: 'piece',
        path: ['choices', at, member, 'content'],
      }),
    ];
  });

/** The text of a member, if there is any. */
export function textIn(
  parent: JsonObject,
  key: string,
  place: Omit<TextPlace, 'text'>,
): readonly TextPlace[] {
  const text = textAt(parent, key) ?? '';
  return text === '' ? [] : [{ ...place, text }];
}

/** Edits that add elements to a list, which may be absent. */
export function appended(
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
  endsWithoutCall: (answer) => endsByItself(answer) && !hasChatCall(objectAt(answer, 'message')),
  callEdits: (answer, _group, calls) =>
    appended(objectAt(answer, 'message') ?? {}, ['message', 'tool_calls'], calls.map(ollamaCall)),
  streamReader(): TextStreamShape {
    let like: JsonObject = {};
    let hasCall = false;
    return {
      textsOf(event) {
        if (ownValue(event, 'done') !== true) like = event;
        hasCall ||= hasChatCall(objectAt(event, 'message'));
        return ollamaTexts(event);
      },
      endsIn: (event) =>
        ownValue(event, 'done') === true
          ? [{ group: '', endsWithoutCall: endsByItself(event) && !hasCall, edits: () => [] }]
          : [],
      callEvents(_group, calls) {
        const written = JSON.stringify({ ...withoutKey(like, 'message'), done: false });
        const message = `{"role":"assistant","content":"","tool_calls":[${calls.map(ollamaCall).join(',')}]}`;
        return [`${written.slice(0, -1)},"message":${message}}\n`];
      },
    };
  },
};

const ollamaCall = ({ name, arguments: text }: HistoryCall): string =>
  `{"function":{"name":${JSON.stringify(name)},"arguments":${text}}}`;

const endsByItself = (answer: JsonObject): boolean =>
  ownReasons.has(textAt(answer, 'done_reason') ?? '');

function ollamaTexts(event: JsonObject): readonly TextPlace[] {
  const message = objectAt(event, 'message') ?? {};
  return [
    ...textIn(message, 'thinking', { kind: 'reasoning', group: '', path: ['message', 'thinking'] }),
    ...textIn(message, 'content', { kind: 'piece', group: '', path: ['message', 'content'] }),
  ];
}

export const anthropicText: TextShape = {
  textsOf: (answer) =>
    arrayAt(answer, 'content').flatMap((block, at) => blockTexts(block, '', ['content', at])),
  endsWithoutCall: (answer) =>
    ownReasons.has(textAt(answer, 'stop_reason') ?? '') &&
    !arrayAt(answer, 'content').some(isToolUse),
  callEdits: (answer, _group, calls) => [
    ...appended(answer, ['content'], calls.map(toolUse)),
    ...(textAt(answer, 'stop_reason') === 'max_tokens'
      ? []
      : [{ path: ['stop_reason'], text: '"tool_use"' }]),
  ],
  withoutBlanks: (answer) => {
    const slices = new JsonSlices(answer);
    const message = plainJson(answer);
    const blocks = arrayAt(isJsonObject(message) ? message : {}, 'content').flatMap((block, at) =>
      isBlankText(block) ? [] : [slices.at(['content', at]) ?? '{}'],
    );
    return editJson(answer, [{ path: ['content'], text: `[${blocks.join(',')}]` }]);
  },
  streamReader() {
    let blocks = 0;
    let hasCall = false;
    const texts = new Set<number>();
    return {
      blockIn(event) {
        const index = numberAt(event, 'index') ?? -1;
        if (textAt(objectAt(event, 'content_block') ?? {}, 'type') === 'text') {
          texts.add(index);
          return { index, part: 'start' };
        }
        if (!texts.has(index)) return undefined;
        return { index, part: textAt(event, 'type') === 'content_block_stop' ? 'end' : 'piece' };
      },
      textsOf(event) {
        if (textAt(event, 'type') === 'content_block_start')
          blocks = Math.max(blocks, (numberAt(event, 'index') ?? 0) + 1);
        hasCall ||= isToolUse(objectAt(event, 'content_block') ?? {});
        return blockTexts(objectAt(event, 'delta') ?? {}, '_delta', ['delta']);
      },
      endsIn(event) {
        const reason = textAt(objectAt(event, 'delta') ?? {}, 'stop_reason');
        if (textAt(event, 'type') !== 'message_delta' || reason === undefined) return [];
        const edit = { path: ['delta', 'stop_reason'], text: '"tool_use"' };
        const endsWithoutCall = ownReasons.has(reason) && !hasCall;
        return [{ group: '', endsWithoutCall, edits: () => (reason === 'end_turn' ? [edit] : []) }];
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
            {
              type: 'content_block_delta',
              index,
              delta: { type: 'input_json_delta', partial_json: text },
            },
            { type: 'content_block_stop', index },
          ];
          return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        }),
    };
  },
};

/** The API refuses such blocks in a conversation. */
const isBlankText = (block: JsonObject): boolean =>
  textAt(block, 'type') === 'text' && textAt(block, 'text')?.trim() === '';

const toolUse = ({ id, name, arguments: text }: HistoryCall): string =>
  `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":${text}}`;

const isToolUse = (block: JsonObject): boolean => textAt(block, 'type') === 'tool_use';

/** The text of a block or of its delta. */
function blockTexts(
  block: JsonObject,
  suffix: '' | '_delta',
  path: JsonPath,
): readonly TextPlace[] {
  const type = textAt(block, 'type');
  if (type === `text${suffix}`)
    return textIn(block, 'text', { kind: 'piece', group: '', path: [...path, 'text'] });
  return type === `thinking${suffix}`
    ? textIn(block, 'thinking', { kind: 'reasoning', group: '', path: [...path, 'thinking'] })
    : [];
}

// How the Responses API takes calls that a server left in the text.
import type { JsonPath } from '../json/json-edits.ts';
import type { JsonObject } from '../json/value.ts';
import type { HistoryCall } from '../interpret/records.ts';
import type { TextPlace, TextShape, TextStreamShape } from './protocol.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';
import { ownValue } from '../collections/objects.ts';
import { functionCallItem } from '../wire/responses.ts';
import { appendElements } from './text-shapes.ts';

export const responsesText: TextShape = {
  textsOf: (answer) => outputTexts(answer, [], 'piece'),
  endsWithoutCall: (answer) =>
    textAt(answer, 'status') === 'completed' &&
    !arrayAt(answer, 'output').some(functionCallItem.isCallOrCustom),
  callEdits: (answer, _group, calls) =>
    appendElements(
      ownValue(answer, 'output'),
      ['output'],
      calls.map((call) => JSON.stringify(doneItem(call))),
    ),
  streamReader,
};

const ends: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** Items are numbered in their order; so are the events. */
function streamReader(): TextStreamShape {
  let items = 0;
  let sequence: number | undefined;
  let hasCall = false;
  return {
    textsOf(event) {
      const index = numberAt(event, 'output_index');
      if (index !== undefined) items = Math.max(items, index + 1);
      hasCall ||= functionCallItem.isCallOrCustom(objectAt(event, 'item') ?? {});
      return eventTexts(event);
    },
    endsIn(event) {
      sequence = numberAt(event, 'sequence_number');
      const type = textAt(event, 'type') ?? '';
      if (!ends.has(type)) return [];
      const first = sequence;
      const response = objectAt(event, 'response') ?? {};
      return [
        {
          group: '',
          endsWithoutCall: type === 'response.completed' && !hasCall,
          edits: (calls) => [
            ...appendElements(
              ownValue(response, 'output'),
              ['response', 'output'],
              calls.map((call) => JSON.stringify(doneItem(call))),
            ),
            ...(first === undefined
              ? []
              : [{ path: ['sequence_number'], text: String(first + calls.length * eventsOfCall) }]),
          ],
        },
      ];
    },
    callEvents: (_group, calls) =>
      calls
        .flatMap((call, at) => itemEvents(call, items + at))
        .map((event, at) => {
          const numberedItem =
            sequence === undefined ? event : { ...event, sequence_number: sequence + at };
          return `event: ${event.type}\ndata: ${JSON.stringify(numberedItem)}\n\n`;
        }),
  };
}

const eventsOfCall = 4;

function itemEvents(call: HistoryCall, output_index: number) {
  const item = doneItem(call);
  const itemPlace = { item_id: item.id, output_index };
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', ...itemPlace, delta: call.arguments },
    {
      type: 'response.function_call_arguments.done',
      ...itemPlace,
      name: call.name,
      arguments: call.arguments,
    },
    { type: 'response.output_item.done', output_index, item },
  ];
}

const doneItem = ({ id, name, arguments: text }: HistoryCall) => ({
  id: id.replace(/^call_/, 'fc_'),
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name,
  arguments: text,
});

/**
 * Each text comes in pieces, and whole with the end of its part, of its item and of the response.
 */
function eventTexts(event: JsonObject): readonly TextPlace[] {
  const item = numberAt(event, 'output_index') ?? 0;
  const part = `${item} ${numberAt(event, 'content_index') ?? 0}`;
  const textPlace = { group: '', part };
  switch (textAt(event, 'type')) {
    case 'response.output_text.delta':
      return textIn(event, 'delta', { ...textPlace, kind: 'piece', path: ['delta'] });
    case 'response.output_text.done':
      return textIn(event, 'text', { ...textPlace, kind: 'repeat', path: ['text'] });
    case 'response.content_part.done':
      return partTexts(objectAt(event, 'part') ?? {}, part, ['part'], 'repeat');
    case 'response.output_item.done':
      return itemTexts(objectAt(event, 'item') ?? {}, item, ['item'], 'repeat');
    case 'response.reasoning_text.delta':
      return textIn(event, 'delta', { group: '', kind: 'reasoning', path: ['delta'] });
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return outputTexts(objectAt(event, 'response') ?? {}, ['response'], 'repeat');
    default:
      return [];
  }
}

type TextKind = 'piece' | 'repeat';

const outputTexts = (response: JsonObject, path: JsonPath, kind: TextKind): readonly TextPlace[] =>
  arrayAt(response, 'output').flatMap((item, at) =>
    itemTexts(item, at, [...path, 'output', at], kind),
  );

function itemTexts(
  item: JsonObject,
  at: number,
  path: JsonPath,
  kind: TextKind,
): readonly TextPlace[] {
  const type = textAt(item, 'type');
  if (type !== 'message' && type !== 'reasoning') return [];
  return arrayAt(item, 'content').flatMap((part, index) =>
    partTexts(part, `${at} ${index}`, [...path, 'content', index], kind),
  );
}

/** The thoughts of a stream are read from their pieces alone. */
function partTexts(
  part: JsonObject,
  name: string,
  path: JsonPath,
  kind: TextKind,
): readonly TextPlace[] {
  const type = textAt(part, 'type');
  const textPath = [...path, 'text'];
  if (type === 'output_text')
    return textIn(part, 'text', { kind, group: '', part: name, path: textPath });
  return type === 'reasoning_text' && kind === 'piece'
    ? textIn(part, 'text', { kind: 'reasoning', group: '', path: textPath })
    : [];
}

/** The text of a member, if there is any. */
function textIn(
  parent: JsonObject,
  key: string,
  place: Omit<TextPlace, 'text'>,
): readonly TextPlace[] {
  const text = textAt(parent, key) ?? '';
  return text === '' ? [] : [{ ...place, text }];
}

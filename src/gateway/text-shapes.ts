// How an API takes calls that a server left in the text, by the places of the API.
import type { HistoryCall } from '../interpret/records.ts';
import type { JsonEdit } from '../json/json-edits.ts';
import { numberAt } from '../json/members.ts';
import { type JsonObject, isJsonArray, isJsonObject } from '../json/value.ts';
import { endedEarly, textEndOf } from '../text/decode-arguments.ts';
import {
  type AnswerPlaces,
  type CallPlace,
  type TextPlaces,
  type WireApi,
  textAtPath,
  textWithParts,
  valueAtPath,
  valuesAt,
} from '../wire/wire-api.ts';
import type { TextPlace, TextShape, TextStreamShape } from './protocol.ts';

interface TextOptions extends Pick<TextShape, 'withoutEmptyTexts'> {
  readonly wire: WireApi<TextPlaces>;
  /** The API's words for the end of an answer without calls and with calls. */
  readonly ends: { readonly withoutCall: string; readonly withCall: string };
  /** For each stream. */
  readonly newEvents: () => TextEvents;
}

/** Writes events of one stream. */
export interface TextEvents extends Pick<TextStreamShape, 'blockIn' | 'callEvents'> {
  /** Takes each event of the stream. */
  add(event: JsonObject): void;
}

export const textShape = (options: TextOptions): TextShape => ({
  ...wholeText(options),
  streamReader: () => streamText(options),
});

function wholeText({ wire: { answer: places }, ends, withoutEmptyTexts }: TextOptions) {
  const choiceOf = (answer: JsonObject, group: string): Choice | undefined =>
    choicesIn(answer, places).find(({ at }) => at === group);
  return {
    textsOf: (answer: JsonObject) =>
      choicesIn(answer, places).flatMap((choice) => textsIn(choice, choice.at, places)),
    endsWithoutCall(answer: JsonObject, group: string) {
      const choice = choiceOf(answer, group);
      return choice !== undefined && endsByItself(choice, places) && !hasCall(choice, places);
    },
    callEdits(answer: JsonObject, group: string, calls: readonly HistoryCall[]) {
      const choice = choiceOf(answer, group);
      const [place] = places.calls;
      if (choice === undefined || place === undefined) return [];
      const end = textEndOf(textAtPath(choice.value, places.finishReason));
      const isSame = endedEarly(end) || ends.withoutCall === ends.withCall;
      return [
        ...callsAppended(choice, place, calls),
        ...(isSame ? [] : [endEdit(choice, places, ends.withCall)]),
      ];
    },
    ...(withoutEmptyTexts === undefined ? {} : { withoutEmptyTexts }),
  };
}

function streamText({ wire: { event: places }, ends, newEvents }: TextOptions): TextStreamShape {
  const events = newEvents();
  const withCall = new Set<string>();
  return {
    ...events,
    textsOf(event) {
      events.add(event);
      return choicesIn(event, places).flatMap((choice) => {
        if (hasCall(choice, places)) withCall.add(choice.group);
        return textsIn(choice, choice.group, places);
      });
    },
    endsIn: (event) =>
      choicesIn(event, places).flatMap((choice) => {
        const reason = textAtPath(choice.value, places.finishReason) ?? '';
        const isDone =
          places.endFlag !== undefined && valueAtPath(choice.value, places.endFlag) === true;
        if (reason === '' && !isDone) return [];
        const isEdited = isNormalEnd(reason) && ends.withoutCall !== ends.withCall;
        const edits = isEdited ? [endEdit(choice, places, ends.withCall)] : [];
        const endsWithoutCall = isNormalEnd(reason) && !withCall.has(choice.group);
        return [{ group: choice.group, endsWithoutCall, edits: () => edits }];
      }),
  };
}

/**
 * Whether the model ended the answer by itself. Some servers say `tool_calls` and leave the call in
 * the text.
 */
const isNormalEnd = (reason: string): boolean => textEndOf(reason) === 'normal';

interface Choice {
  readonly value: JsonObject;
  readonly path: JsonEdit['path'];
  /** Its place in the list. */
  readonly at: string;
  /** The number that the server gave it, by which the events of a stream belong together. */
  readonly group: string;
}

const choicesIn = (json: JsonObject, { choices }: AnswerPlaces): readonly Choice[] =>
  valuesAt(json, choices).flatMap(({ value, path }) => {
    if (!isJsonObject(value)) return [];
    if (path.length === 0) return [{ value, path, at: '', group: '' }];
    const at = String(path.at(-1));
    return [{ value, path, at, group: String(numberAt(value, 'index') ?? at) }];
  });

const endsByItself = ({ value }: Choice, { finishReason }: AnswerPlaces): boolean =>
  isNormalEnd(textAtPath(value, finishReason) ?? '');

/** Calls of custom tools count too. */
const hasCall = ({ value }: Choice, { calls }: AnswerPlaces): boolean =>
  calls.some(({ at, form }) =>
    valuesAt(value, at).some(({ value: call }) => isJsonObject(call) && form.isCallOrCustom(call)),
  );

function textsIn(
  { value, path: choicePath }: Choice,
  group: string,
  { text, reasoning }: TextPlaces,
): readonly TextPlace[] {
  const thoughts = reasoning.map((place) => valuesAt(value, place));
  const first = thoughts.find((values) =>
    values.some((placedValue) => typeof placedValue.value === 'string'),
  );
  return [
    ...(first ?? []).map((placedValue) => ({ ...placedValue, kind: 'reasoning' as const })),
    ...valuesAt(value, text).map((placedValue) => ({ ...placedValue, kind: 'piece' as const })),
  ].flatMap(({ value: words, path, kind }) =>
    typeof words === 'string' && words !== ''
      ? [{ kind, group, path: [...choicePath, ...path], text: words }]
      : [],
  );
}

const endEdit = ({ path }: Choice, { finishReason }: AnswerPlaces, reason: string): JsonEdit => ({
  path: [...path, ...finishReason],
  text: JSON.stringify(reason),
});

function callsAppended(
  { value, path }: Choice,
  { at, form }: CallPlace,
  calls: readonly HistoryCall[],
): readonly JsonEdit[] {
  const list = at.slice(0, -1);
  const elements = calls.map((call) => textWithParts(form, {}, call));
  return appendElements(valueAtPath(value, list), [...path, ...list], elements);
}

/** Edits that add elements to a list, which may be absent. */
export function appendElements(
  list: JsonObject[string] | undefined,
  path: JsonEdit['path'],
  elements: readonly string[],
): readonly JsonEdit[] {
  if (!isJsonArray(list)) return [{ path, text: `[${elements.join(',')}]` }];
  return elements.map((text, index) => ({ path: [...path, list.length + index], text }));
}

import type { ToolCallDelta } from '../interpret/tool-call-collector.ts';
import type { HistoryCall } from '../interpret/records.ts';
import type { JsonEdit, JsonPath } from '../json/json-edits.ts';
import type { JsonObject } from '../json/value.ts';
import type { Framing } from './frames.ts';
import type { ModelTurn } from './model-turn.ts';
import type { Effects } from '../tool/tool-contract.ts';
import type { WireApi } from '../wire/wire-api.ts';
import { arrayAt } from '../json/members.ts';

/** A tool as a request offers it. */
export interface RequestTool {
  readonly name: string;
  readonly description: string;
  /** undefined: the provider knows the tool by its name. Its calls are not checked. */
  readonly schema: JsonObject | undefined;
  /** undefined: the request doesn't say. */
  readonly effects: Effects | undefined;
  /** Where the request has the description and the schema of the tool. */
  readonly path: JsonPath;
  readonly schemaKey: 'parameters' | 'input_schema';
  /** Whether the API takes `strict: true` of the tool. */
  readonly takesStrict: boolean;
}

/**
 * Where an event has a part of a call. `piece`: the next piece of the argument text. `whole`: all
 * of the text. `value`: the arguments as a JSON value. `absent`: the arguments would be here, but
 * the event has none. `name`: the name, or a part of it.
 */
export interface Place {
  readonly kind: 'piece' | 'whole' | 'value' | 'absent' | 'name';
  readonly path: JsonPath;
}

/** Where clients read which call a part belongs to. */
export interface PartIdentity {
  /** undefined: the answer is whole, and has its calls in a list. */
  readonly setIndex: ((index: number) => JsonEdit) | undefined;
  readonly setId: (id: string) => JsonEdit;
  /** null: another part has the name. */
  readonly setName: (name: string | null) => JsonEdit;
}

/** A part of a call in one event. */
export interface CallPart {
  /** Calls of one group end together: those of one choice, or a block alone. */
  readonly group: string;
  readonly delta: ToolCallDelta;
  readonly places: readonly Place[];
  /** undefined: the events of the API say it otherwise. */
  readonly identity?: PartIdentity | undefined;
  /** The arguments came as text where the API has a value, or the other way round. */
  readonly isMisshaped?: boolean;
  /** The event has another index for the client, because servers gave the call no index of its own. */
  readonly isRenumbered?: boolean;
  /** The event has all of the arguments, also if their pieces came before. */
  readonly isRepeat?: boolean;
}

/**
 * The calls of a group are whole. `finishReason`: the provider's word; undefined if there was none.
 */
export interface GroupEnd {
  readonly group: string;
  readonly finishReason: string | undefined;
}

/** What an event, or a whole answer, says of calls. */
export interface Reading {
  readonly parts: readonly CallPart[];
  readonly ends: readonly GroupEnd[];
  /** Indexes of calls that are not read, such as those of custom tools. */
  readonly otherIndexes?: readonly { readonly group: string; readonly index: number }[];
  readonly model?: string | undefined;
  /** What changes in the event for the client, whatever becomes of its calls. */
  readonly edits?: readonly JsonEdit[];
}

/** Adds messages to the conversation of a request. */
export function addedMessages(request: JsonObject, items: readonly string[]): readonly JsonEdit[] {
  const at = arrayAt(request, 'messages').length;
  return items.map((text, index) => ({ path: ['messages', at + index], text }));
}

/** For streams whose events have no numbers. */
export const plainJoin = (): StreamJoin => ({ pass: () => [], next: () => undefined });

export const nothingRead: Reading = Object.freeze({ parts: [], ends: [] });

/** Reads the events of one streamed answer. `text`: the JSON text of the event. */
export type EventReader = (event: JsonObject, text: string) => Reading;

/** A call in the history of a request. */
export interface PastCall {
  readonly name: string;
  readonly arguments: unknown;
  /** The API has the arguments as text, not as a value. */
  readonly isText: boolean;
  /** The edit that writes JSON text of an object as its arguments. */
  edit(text: string): JsonEdit;
}

/** Makes one stream of an answer and those that go on with it. */
export interface StreamJoin {
  /**
   * Takes an event for the client, whose JSON text may have changed. Returns further changes;
   * undefined: it is left out.
   */
  pass(event: JsonObject, text: string): readonly JsonEdit[] | undefined;
  /** The next events are those of another answer. */
  next(): void;
}

/**
 * Text of an answer in one event, or in a whole answer. `reasoning`: it passes as it is. `repeat`:
 * what the events before it have as pieces of the same part; without those, it is a piece.
 */
export interface TextPlace {
  readonly kind: 'piece' | 'repeat' | 'reasoning';
  /** Texts of one group are read as one. */
  readonly group: string;
  readonly part?: string;
  readonly path: JsonPath;
  readonly text: string;
}

/** How calls that are found in the text of an answer become calls of the API. */
export interface TextShape {
  /** The texts of a whole answer. */
  textsOf(answer: JsonObject): readonly TextPlace[];
  /** Whether the model ended by itself, without a call of the API. */
  endsWithoutCall(answer: JsonObject, group: string): boolean;
  /** Adds calls to a whole answer, which ended as if there were none. */
  callEdits(answer: JsonObject, group: string, calls: readonly HistoryCall[]): readonly JsonEdit[];
  /**
   * The JSON text of an answer without the texts that are empty now, because they were only calls.
   * Absent if clients can send empty texts back.
   */
  withoutEmptyTexts?(answer: string): string;
  streamReader(): TextStreamShape;
}

/**
 * A part of a block of text, in an API whose texts and calls are numbered together. A block that is
 * left out changes the numbers of those after it.
 */
export interface TextBlockPart {
  readonly index: number;
  readonly part: 'start' | 'piece' | 'end';
}

/** A group whose text ends with an event. */
export interface TextEnd {
  readonly group: string;
  readonly endsWithoutCall: boolean;
  /** What changes in the event if calls were found. */
  readonly edits: (calls: readonly HistoryCall[]) => readonly JsonEdit[];
}

/** The same for the events of one stream. */
export interface TextStreamShape {
  textsOf(event: JsonObject): readonly TextPlace[];
  endsIn(event: JsonObject): readonly TextEnd[];
  /** The block of text that an event is part of, if a block that was only calls is left out. */
  blockIn?(event: JsonObject): TextBlockPart | undefined;
  /** Events with calls, as text of the stream. They come before the event that ends the group. */
  callEvents(group: string, calls: readonly HistoryCall[]): readonly string[];
}

/** An error that the gateway reports in the API's own shape. */
export interface ApiError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** How one API writes tools, calls and answers. */
export interface Protocol {
  readonly name: 'chat_completions' | 'responses' | 'anthropic_messages' | 'ollama_chat';
  readonly framing: Framing;
  /** Whether a request path without its query is one of this API's. */
  matches(path: string): boolean;
  readonly wire: WireApi;
  tools(request: JsonObject): readonly RequestTool[];
  readAnswer(answer: JsonObject, text: string): Reading;
  eventReader(): EventReader;
  readonly text: TextShape;
  /**
   * An answer that has nothing but a call; undefined if calls of servers' errors are not read.
   * `events`: those that go on with a stream and end it. `index`: of the call in a stream.
   */
  readonly callAnswer?: (
    model: string,
    call: HistoryCall,
    index?: number,
  ) => { whole: string; events: string };
  modelTurn(request: JsonObject): ModelTurn;
  /**
   * Adds items of turns to a request; undefined if it can't be sent again, because it wants several
   * answers.
   */
  retryEdits(request: JsonObject, items: readonly string[]): readonly JsonEdit[] | undefined;
  /**
   * The edit with which the model must call this tool; undefined if the API has none, or if the
   * request has settings with which it is refused.
   */
  readonly pinnedTool?: (request: JsonObject, name: string) => JsonEdit | undefined;
  /** For the answers to a request with a pinned tool, if the API ends those in another way. */
  readonly withPinnedTool?: Pick<Protocol, 'readAnswer' | 'eventReader'>;
  streamJoin(): StreamJoin;
  /** The body of an answer that reports an error. */
  errorBody(error: ApiError): string;
  /** An event of a stream that reports an error. */
  errorEvent(error: ApiError): string;
}

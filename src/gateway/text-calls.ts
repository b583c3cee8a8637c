// Finds calls that a server left in the text of an answer, and makes events with calls of them.
import { type CallInText, CallReader, type CallsInText } from '../interpret/read-calls.ts';
import { type JsonEdit, editJson, plainJson } from '../json/json-edits.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { type Frame, type Framing, FrameReader } from './frames.ts';
import type { TextPlace, TextShape, TextStreamShape } from './protocol.ts';

/** What the reading of calls needs to know of a request. */
export interface TextTools {
  readonly names: readonly string[];
  /** A call that would be passed on wrong stays text. */
  readonly accepts: (call: CallInText) => boolean;
  /** Called for each call that was read. */
  readonly onFound: (call: CallInText) => void;
}

/** A piece of text at its offset in the text of the group. */
interface Piece extends TextPlace {
  readonly start: number;
}

/** The text of one group while it comes. */
class GroupText {
  readonly #reader: CallReader;
  readonly #tools: TextTools;
  readonly #calls: CallInText[] = [];
  /** Ranges of calls, in their order. */
  readonly #ranges: { readonly start: number; readonly end: number }[] = [];
  #length = 0;
  #certain = 0;
  #isEnded = false;

  constructor(tools: TextTools) {
    this.#reader = new CallReader(tools.names);
    this.#tools = tools;
  }

  get calls(): readonly CallInText[] {
    return this.#calls;
  }

  add(place: TextPlace): Piece {
    const piece = { ...place, start: this.#length };
    this.#length += place.text.length;
    if (!this.#isEnded) this.#take(this.#reader.add(place.text));
    return piece;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#take(this.#reader.end());
  }

  isCertain({ start, text }: Piece): boolean {
    return this.#isEnded || start + text.length <= this.#certain;
  }

  /** The piece without calls. */
  textOf({ start, text }: Piece): string {
    const kept = this.#ranges.reduceRight(
      (rest, range) =>
        rest.slice(0, Math.max(0, range.start - start)) + rest.slice(Math.max(0, range.end - start)),
      text,
    );
    return kept;
  }

  /** The calls of one list have one range, and stay or go together. */
  #take({ calls, text }: CallsInText): void {
    const ranges = new Map(calls.map(({ start, end }) => [start, end] as const));
    this.#certain += text.length;
    for (const [start, end] of ranges) {
      this.#certain += end - start;
      const list = calls.filter((call) => call.start === start);
      if (!list.every(this.#tools.accepts)) continue;
      for (const call of list) this.#tools.onFound(call);
      this.#ranges.push({ start, end });
      this.#calls.push(...list);
    }
  }
}

interface QueuedFrame {
  readonly frame: Frame;
  readonly pieces: readonly Piece[];
  readonly edits: readonly JsonEdit[];
}

/** Reads the calls in the text of a streamed answer. Text passes as soon as it can't be part of a call. */
export class StreamedTextCalls {
  readonly #shape: TextStreamShape;
  readonly #framing: Framing;
  readonly #tools: TextTools;
  readonly #groups = new Map<string, GroupText>();
  #queue: QueuedFrame[] = [];

  constructor(shape: TextShape, framing: Framing, tools: TextTools) {
    this.#shape = shape.streamReader();
    this.#framing = framing;
    this.#tools = tools;
  }

  /** Takes the next frame; returns those that are certain. */
  add(frame: Frame): readonly Frame[] {
    // What ends OpenAI's streams, also without a reason.
    if (frame.data === '[DONE]') return [...this.end(), frame];
    const value = frame.data === undefined ? undefined : plainJson(frame.data);
    this.#queue.push(
      ...(isJsonObject(value) ? this.#read(frame, value) : [{ frame, pieces: [], edits: [] }]),
    );
    return this.#release();
  }

  /** Ends the text; returns what is left. */
  end(): readonly Frame[] {
    for (const name of this.#groups.keys())
      for (const frame of this.#endGroup(name)) this.#queue.push({ frame, pieces: [], edits: [] });
    return this.#release();
  }

  /** What is left, as it came. */
  giveUp(): readonly Frame[] {
    const left = this.#queue.map(({ frame }) => frame);
    this.#queue = [];
    return left;
  }

  #read(frame: Frame, event: JsonObject): readonly QueuedFrame[] {
    const pieces = this.#shape.textsOf(event).map((place) => this.#groupOf(place.group).add(place));
    const before: Frame[] = [];
    const edits: JsonEdit[] = [];
    for (const end of this.#shape.endsIn(event)) {
      const made = this.#endGroup(end.group);
      if (made.length > 0) edits.push(...end.edits);
      before.push(...made);
    }
    return [...before.map((made) => ({ frame: made, pieces: [], edits: [] })), { frame, pieces, edits }];
  }

  /** Events with the calls of the group. */
  #endGroup(name: string): readonly Frame[] {
    const group = this.#groups.get(name);
    if (group === undefined) return [];
    group.end();
    this.#groups.delete(name);
    this.#ended.set(name, group);
    if (group.calls.length === 0) return [];
    const events = this.#shape.callEvents(name, group.calls).join('');
    return new FrameReader(this.#framing).add(Buffer.from(events));
  }

  readonly #ended = new Map<string, GroupText>();

  #groupOf(name: string): GroupText {
    const known = this.#groups.get(name) ?? this.#ended.get(name);
    if (known !== undefined) return known;
    const group = new GroupText(this.#tools);
    this.#groups.set(name, group);
    return group;
  }

  #release(): readonly Frame[] {
    const blocked = this.#queue.findIndex(({ pieces }) =>
      pieces.some((piece) => !this.#groupOf(piece.group).isCertain(piece)),
    );
    const ready = blocked === -1 ? this.#queue : this.#queue.slice(0, blocked);
    this.#queue = blocked === -1 ? [] : this.#queue.slice(blocked);
    return ready.map(({ frame, pieces, edits }) => {
      const texts = pieces.flatMap((piece): readonly JsonEdit[] => {
        const text = this.#groupOf(piece.group).textOf(piece);
        return text === piece.text ? [] : [{ path: piece.path, text: JSON.stringify(text) }];
      });
      return edited(frame, [...texts, ...edits]);
    });
  }
}

/** The frame with other data, as if it had come so. */
function edited(frame: Frame, edits: readonly JsonEdit[]): Frame {
  if (edits.length === 0) return frame;
  const data = editJson(frame.data ?? '', edits);
  return { ...frame, data, bytes: frame.withData(data) };
}

/** Makes calls of those in the texts of an answer that is one JSON value. */
export function withTextCalls(frame: Frame, shape: TextShape, tools: TextTools): Frame {
  const answer = frame.data === undefined ? undefined : plainJson(frame.data);
  if (!isJsonObject(answer)) return frame;
  const edits = shape.textsOf(answer).flatMap((place) => {
    const group = new GroupText(tools);
    const piece = group.add(place);
    group.end();
    if (group.calls.length === 0) return [];
    const text = JSON.stringify(group.textOf(piece));
    return [{ path: place.path, text }, ...shape.callEdits(answer, place.group, group.calls)];
  });
  return edited(frame, edits);
}

// Finds calls that a server left in the text of an answer, and makes events with calls of them.
import { type JsonEdit, editJson } from '../json/json-edits.ts';
import { plainJson } from '../json/parse.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { type Frame, type Framing, FrameReader } from './frames.ts';
import type { TextBlockPart, TextShape, TextStreamShape } from './protocol.ts';
import { numberAt } from '../json/members.ts';
import { type Piece, TextGroup, type TextTools } from './text-group.ts';

interface QueuedFrame {
  readonly frame: Frame;
  readonly pieces: readonly Piece[];
  readonly edits: readonly JsonEdit[];
  readonly block?: TextBlockPart | undefined;
}

interface ReadBlock {
  /** The place in the queue that is read next. */
  next: number;
  hasText: boolean;
}

/** Frames in their order. Their places count on when frames are taken. */
class FrameQueue {
  #frames: QueuedFrame[] = [];
  #takenCount = 0;
  /** Frames that were taken before those of the list. */
  #gone = 0;

  get start(): number {
    return this.#gone + this.#takenCount;
  }

  get end(): number {
    return this.#gone + this.#frames.length;
  }

  get first(): QueuedFrame | undefined {
    return this.#frames[this.#takenCount];
  }

  at(place: number): QueuedFrame | undefined {
    return this.#frames[place - this.#gone];
  }

  push(frame: QueuedFrame): void {
    this.#frames.push(frame);
  }

  /** Takes the first frame. The list is copied only if half of it is gone. */
  shift(): QueuedFrame | undefined {
    const { first } = this;
    if (first === undefined) return undefined;
    this.#takenCount += 1;
    if (this.#takenCount * 2 < this.#frames.length) return first;
    this.#frames = this.#frames.slice(this.#takenCount);
    this.#gone += this.#takenCount;
    this.#takenCount = 0;
    return first;
  }
}

/**
 * Reads the calls in the text of a streamed answer. Text passes as soon as it can't be part of a
 * call.
 */
export class StreamedTextCalls {
  readonly #shape: TextStreamShape;
  readonly #framing: Framing;
  readonly #tools: TextTools;
  readonly #groups = new Map<string, TextGroup>();
  readonly #endedGroups = new Map<string, TextGroup>();
  /** Blocks of text that were only calls. */
  readonly #leftOut = new Set<number>();
  readonly #queue = new FrameQueue();
  /** How far the blocks have been read whose fate is open. */
  readonly #readBlocks = new Map<number, ReadBlock>();
  #isOver = false;

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
    const queuedFrame = isJsonObject(value)
      ? this.#read(frame, value)
      : [{ frame, pieces: [], edits: [] }];
    for (const next of queuedFrame) this.#queue.push(next);
    return this.#release();
  }

  /** Ends the text; returns what is left. */
  end(): readonly Frame[] {
    for (const name of this.#groups.keys())
      for (const frame of this.#endGroup(name, false))
        this.#queue.push({ frame, pieces: [], edits: [] });
    this.#isOver = true;
    return this.#release();
  }

  /** What is left, as it came. */
  giveUp(): readonly Frame[] {
    const frames: Frame[] = [];
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift())
      frames.push(next.frame);
    return frames;
  }

  #read(frame: Frame, event: JsonObject): readonly QueuedFrame[] {
    const pieces = this.#shape
      .textsOf(event)
      .flatMap((place) => this.#groupOf(place.group).add(place) ?? []);
    const callFrames: Frame[] = [];
    const edits: JsonEdit[] = [];
    for (const { group, endsWithoutCall, edits: editsWith } of this.#shape.endsIn(event)) {
      const groupFrames = this.#endGroup(group, endsWithoutCall);
      if (groupFrames.length > 0) edits.push(...editsWith(this.#groupOf(group).calls));
      callFrames.push(...groupFrames);
    }
    const block = this.#shape.blockIn?.(event);
    return [
      ...callFrames.map((callFrame) => ({ frame: callFrame, pieces: [], edits: [] })),
      { frame, pieces, edits, block },
    ];
  }

  /** Events with the calls of the group. */
  #endGroup(name: string, endsWithoutCall: boolean): readonly Frame[] {
    const group = this.#groups.get(name);
    if (group === undefined) return [];
    group.end(endsWithoutCall);
    this.#groups.delete(name);
    this.#endedGroups.set(name, group);
    if (group.calls.length === 0) return [];
    const events = this.#shape.callEvents(name, group.calls).join('');
    return new FrameReader(this.#framing).add(Buffer.from(events));
  }

  #groupOf(name: string): TextGroup {
    const openGroup = this.#groups.get(name) ?? this.#endedGroups.get(name);
    if (openGroup !== undefined) return openGroup;
    const group = new TextGroup(this.#tools);
    this.#groups.set(name, group);
    return group;
  }

  #release(): readonly Frame[] {
    const ready: Frame[] = [];
    for (
      let next = this.#queue.first;
      next !== undefined && !this.#isOpen(next);
      next = this.#queue.first
    ) {
      this.#queue.shift();
      if (next.block === undefined || !this.#leftOut.has(next.block.index))
        ready.push(this.#writtenFrame(next));
    }
    return ready;
  }

  /** Whether it is not certain yet what becomes of the first frame. */
  #isOpen({ pieces, block }: QueuedFrame): boolean {
    const fate = block?.part === 'start' ? this.#fateOf(block.index) : 'kept';
    if (fate === 'left_out' && block !== undefined) this.#leftOut.add(block.index);
    return fate === 'open' || pieces.some((piece) => !this.#groupOf(piece.group).isCertain(piece));
  }

  /** What becomes of the block of text that starts with the first frame. */
  #fateOf(index: number): 'open' | 'kept' | 'left_out' {
    const read = this.#readBlocks.get(index) ?? { next: this.#queue.start, hasText: false };
    this.#readBlocks.set(index, read);
    for (; read.next < this.#queue.end; read.next += 1) {
      const { pieces = [], block } = this.#queue.at(read.next) ?? {};
      if (block?.index !== index) continue;
      for (const piece of pieces) {
        const group = this.#groupOf(piece.group);
        if (!group.isCertain(piece)) return 'open';
        if (group.textOf(piece).trim() !== '') return 'kept';
        read.hasText ||= piece.text.trim() !== '';
      }
      if (block.part === 'end') return read.hasText ? 'left_out' : 'kept';
    }
    return this.#isOver ? 'kept' : 'open';
  }

  #writtenFrame({ frame, pieces, edits }: QueuedFrame): Frame {
    const texts = pieces.flatMap((piece): readonly JsonEdit[] => {
      const text = this.#groupOf(piece.group).textOf(piece);
      return text === piece.text ? [] : [{ path: piece.path, text: JSON.stringify(text) }];
    });
    return editedFrame(frame, [...texts, ...edits, ...this.#indexEdits(frame)]);
  }

  /** Blocks behind one that is left out are numbered anew. */
  #indexEdits({ data = '' }: Frame): readonly JsonEdit[] {
    if (this.#leftOut.size === 0) return [];
    const event = plainJson(data);
    const index = isJsonObject(event) ? numberAt(event, 'index') : undefined;
    if (index === undefined) return [];
    const leftOutBefore = [...this.#leftOut].filter((left) => left < index).length;
    return leftOutBefore === 0 ? [] : [{ path: ['index'], text: String(index - leftOutBefore) }];
  }
}

/** The frame with other data, as if it had come so. */
function editedFrame(frame: Frame, edits: readonly JsonEdit[]): Frame {
  if (edits.length === 0) return frame;
  const data = editJson(frame.data ?? '', edits);
  return { ...frame, data, bytes: frame.withData(data) };
}

/** Makes calls of those in the texts of an answer that is one JSON value. */
export function withTextCalls(frame: Frame, shape: TextShape, tools: TextTools): Frame {
  const answer = frame.data === undefined ? undefined : plainJson(frame.data);
  if (!isJsonObject(answer)) return frame;
  const groups = new Map<string, TextGroup>();
  const pieces = shape.textsOf(answer).flatMap((place) => {
    const group = groups.get(place.group) ?? new TextGroup(tools);
    groups.set(place.group, group);
    return group.add(place) ?? [];
  });
  for (const [name, group] of groups) group.end(shape.endsWithoutCall(answer, name));
  const texts = pieces.flatMap((piece): readonly JsonEdit[] => {
    const text = groups.get(piece.group)?.textOf(piece) ?? piece.text;
    return text === piece.text ? [] : [{ path: piece.path, text: JSON.stringify(text) }];
  });
  const calls = [...groups].flatMap(([name, group]) =>
    group.calls.length === 0 ? [] : shape.callEdits(answer, name, group.calls),
  );
  const withCalls = editedFrame(frame, [...texts, ...calls]);
  if (calls.length === 0 || shape.withoutBlanks === undefined) return withCalls;
  const data = shape.withoutBlanks(withCalls.data ?? '');
  return { ...frame, data, bytes: frame.withData(data) };
}

// Finds calls that a server left in the text of an answer, and writes them as calls of the API.
import { type JsonEdit, editJson } from '../json/json-edits.ts';
import { plainJson } from '../json/parse.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { type Frame, type Framing, FrameReader } from './frames.ts';
import type { TextBlockPart, TextShape, TextStreamShape } from './protocol.ts';
import { numberAt } from '../json/members.ts';
import { type Piece, TextGroup, type TextTools } from './text-group.ts';

/** A frame that waits until it is certain what the client gets. `pieces`: the text in it. */
interface QueuedFrame {
  readonly frame: Frame;
  readonly pieces: readonly Piece[];
  readonly edits: readonly JsonEdit[];
  readonly block?: TextBlockPart | undefined;
}

/** How far a block of text was looked through for text that is no call. */
interface BlockSearch {
  /** The place in the queue at which the search goes on. */
  nextPlace: number;
  /** Whether the block came with any text, calls included. */
  hasText: boolean;
}

/** Frames in their order. The place of a frame is its number since the start of the stream. */
class FrameQueue {
  #frames: QueuedFrame[] = [];
  /** Frames at the start of the list that were taken. */
  #takenCount = 0;
  /** Frames that were taken and are no more in the list. */
  #droppedCount = 0;

  get start(): number {
    return this.#droppedCount + this.#takenCount;
  }

  get end(): number {
    return this.#droppedCount + this.#frames.length;
  }

  get first(): QueuedFrame | undefined {
    return this.#frames[this.#takenCount];
  }

  at(place: number): QueuedFrame | undefined {
    return this.#frames[place - this.#droppedCount];
  }

  push(frame: QueuedFrame): void {
    this.#frames.push(frame);
  }

  /** Takes the first frame. The list is copied only if half of it was taken. */
  shift(): QueuedFrame | undefined {
    const { first } = this;
    if (first === undefined) return undefined;
    this.#takenCount += 1;
    if (this.#takenCount * 2 < this.#frames.length) return first;
    this.#frames = this.#frames.slice(this.#takenCount);
    this.#droppedCount += this.#takenCount;
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
  /** Indexes of the blocks of text that were only calls: the client doesn't get them. */
  readonly #omittedBlocks = new Set<number>();
  readonly #queue = new FrameQueue();
  /** By the index of the block, while its fate is open. */
  readonly #blockSearches = new Map<number, BlockSearch>();
  #isOver = false;

  constructor(shape: TextShape, framing: Framing, tools: TextTools) {
    this.#shape = shape.streamReader();
    this.#framing = framing;
    this.#tools = tools;
  }

  /** Takes the next frame; returns the frames that can go to the client. */
  add(frame: Frame): readonly Frame[] {
    // OpenAI's streams end with this line, some of them without a finish reason.
    if (frame.data === '[DONE]') return [...this.end(), frame];
    const value = frame.data === undefined ? undefined : plainJson(frame.data);
    const queuedFrames = isJsonObject(value)
      ? this.#read(frame, value)
      : [{ frame, pieces: [], edits: [] }];
    for (const queuedFrame of queuedFrames) this.#queue.push(queuedFrame);
    return this.#release();
  }

  /** Ends the text; returns the remaining frames. */
  end(): readonly Frame[] {
    for (const name of this.#groups.keys())
      for (const frame of this.#endGroup(name, false))
        this.#queue.push({ frame, pieces: [], edits: [] });
    this.#isOver = true;
    return this.#release();
  }

  /** The remaining frames, as they came. */
  giveUp(): readonly Frame[] {
    const frames: Frame[] = [];
    for (let queued = this.#queue.shift(); queued !== undefined; queued = this.#queue.shift())
      frames.push(queued.frame);
    return frames;
  }

  #read(frame: Frame, event: JsonObject): readonly QueuedFrame[] {
    const pieces = this.#shape
      .textsOf(event)
      .flatMap((place) => this.#groupOf(place.group).add(place) ?? []);
    const callFrames: Frame[] = [];
    const edits: JsonEdit[] = [];
    for (const { group, endsWithoutCall, edits: editsWithCalls } of this.#shape.endsIn(event)) {
      const groupFrames = this.#endGroup(group, endsWithoutCall);
      if (groupFrames.length > 0) edits.push(...editsWithCalls(this.#groupOf(group).calls));
      callFrames.push(...groupFrames);
    }
    const block = this.#shape.blockIn?.(event);
    return [
      ...callFrames.map((callFrame) => ({ frame: callFrame, pieces: [], edits: [] })),
      { frame, pieces, edits, block },
    ];
  }

  /** Ends the text of a group; returns events with its calls. */
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
    const existingGroup = this.#groups.get(name) ?? this.#endedGroups.get(name);
    if (existingGroup !== undefined) return existingGroup;
    const group = new TextGroup(this.#tools);
    this.#groups.set(name, group);
    return group;
  }

  #release(): readonly Frame[] {
    const ready: Frame[] = [];
    for (
      let queued = this.#queue.first;
      queued !== undefined && !this.#isOpen(queued);
      queued = this.#queue.first
    ) {
      this.#queue.shift();
      if (queued.block === undefined || !this.#omittedBlocks.has(queued.block.index))
        ready.push(this.#writtenFrame(queued));
    }
    return ready;
  }

  /** Whether it is not certain yet what becomes of the first frame. */
  #isOpen({ pieces, block }: QueuedFrame): boolean {
    const fate = block?.part === 'start' ? this.#fateOf(block.index) : 'kept';
    if (fate === 'omitted' && block !== undefined) this.#omittedBlocks.add(block.index);
    return fate === 'open' || pieces.some((piece) => !this.#groupOf(piece.group).isCertain(piece));
  }

  /** What becomes of the block of text that starts with the first frame. */
  #fateOf(index: number): 'open' | 'kept' | 'omitted' {
    const search = this.#blockSearches.get(index) ?? {
      nextPlace: this.#queue.start,
      hasText: false,
    };
    this.#blockSearches.set(index, search);
    for (; search.nextPlace < this.#queue.end; search.nextPlace += 1) {
      const { pieces = [], block } = this.#queue.at(search.nextPlace) ?? {};
      if (block?.index !== index) continue;
      for (const piece of pieces) {
        const group = this.#groupOf(piece.group);
        if (!group.isCertain(piece)) return 'open';
        if (group.textOf(piece).trim() !== '') return 'kept';
        search.hasText ||= piece.text.trim() !== '';
      }
      if (block.part === 'end') return search.hasText ? 'omitted' : 'kept';
    }
    return this.#isOver ? 'kept' : 'open';
  }

  #writtenFrame({ frame, pieces, edits }: QueuedFrame): Frame {
    const textEdits = pieces.flatMap((piece): readonly JsonEdit[] => {
      const text = this.#groupOf(piece.group).textOf(piece);
      return text === piece.text ? [] : [{ path: piece.path, text: JSON.stringify(text) }];
    });
    return editedFrame(frame, [...textEdits, ...edits, ...this.#indexEdits(frame)]);
  }

  /** Blocks after one that is left out get lower indexes. */
  #indexEdits({ data = '' }: Frame): readonly JsonEdit[] {
    if (this.#omittedBlocks.size === 0) return [];
    const event = plainJson(data);
    const index = isJsonObject(event) ? numberAt(event, 'index') : undefined;
    if (index === undefined) return [];
    const omittedBefore = [...this.#omittedBlocks].filter((omitted) => omitted < index).length;
    return omittedBefore === 0 ? [] : [{ path: ['index'], text: String(index - omittedBefore) }];
  }
}

/** The frame with its JSON edited; its bytes are in the framing of the stream. */
function editedFrame(frame: Frame, edits: readonly JsonEdit[]): Frame {
  if (edits.length === 0) return frame;
  const data = editJson(frame.data ?? '', edits);
  return { ...frame, data, bytes: frame.withData(data) };
}

/** Moves calls out of the texts of a whole answer, to where the API has calls. */
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
  const textEdits = pieces.flatMap((piece): readonly JsonEdit[] => {
    const text = groups.get(piece.group)?.textOf(piece) ?? piece.text;
    return text === piece.text ? [] : [{ path: piece.path, text: JSON.stringify(text) }];
  });
  const callEdits = [...groups].flatMap(([name, group]) =>
    group.calls.length === 0 ? [] : shape.callEdits(answer, name, group.calls),
  );
  const withCalls = editedFrame(frame, [...textEdits, ...callEdits]);
  if (callEdits.length === 0 || shape.withoutEmptyTexts === undefined) return withCalls;
  const data = shape.withoutEmptyTexts(withCalls.data ?? '');
  return { ...frame, data, bytes: frame.withData(data) };
}

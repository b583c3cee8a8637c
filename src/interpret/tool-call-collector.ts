import { checkOptions, string } from '../errors/check-options.ts';
import { ToolmendError } from '../errors/errors.ts';
import { parseJson } from '../json/parse.ts';
import { maxTextDepth, maxTextSize } from '../repair/decode-arguments.ts';
import { decodeBytes, isBytes } from '../json/utf8.ts';
import { type ToolCall, requireFlatDelta } from './tool-call.ts';

/** One part of one call. Whatever a provider leaves out may be absent, null or empty. */
export interface ToolCallDelta {
  /** Which of the parallel calls it belongs to, as the provider counts them. Without it the id says so. */
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  /** The tool's name, or the next part of it. */
  readonly name?: string | null | undefined;
  /** The next piece of the argument text, or of its bytes (UTF-8, cut anywhere); or a value, as a whole. */
  readonly arguments?: unknown;
  /** OpenAI's nesting: pass what is in it, `{ index, id, ...part.function }`. */
  readonly function?: undefined;
}

// Parts of its name, pieces of its argument text, or a value.
/** Units of text or bytes that are kept: beyond them the arguments are too large whatever follows. */
const mostUnits = maxTextSize * 3 + 1;

export class CollectedCall {
  id = '';
  name = '';
  readonly #pieces: (string | Uint8Array)[] = [];
  readonly #values: unknown[] = [];
  #units = 0;

  add({ id, name, arguments: sent }: ToolCallDelta): void {
    if (isSaid(id) && this.id === '') this.id = id;
    // Some providers repeat the whole name with every part; others send it in parts.
    if (isSaid(name) && name !== this.name) this.name += name;
    if (sent === undefined || sent === null || sent === '') return;
    if (typeof sent !== 'string' && !isBytes(sent)) this.#values.push(sent);
    else if (this.#units < mostUnits) {
      this.#pieces.push(sent);
      this.#units += sent.length;
    }
  }

  /** Under the number of one call, another one begins: servers that count every call as 0 give each its own id. */
  isFollowedBy({ id, name }: ToolCallDelta): boolean {
    if (!isSaid(name)) return false;
    const isOtherId = isSaid(id) && this.id !== '' && id !== this.id;
    return isOtherId || (name !== this.name && this.#pieces.length > 0);
  }

  /** The same where there is neither number nor id: a name behind whole arguments is the next call's. */
  isEndedBy(delta: ToolCallDelta): boolean {
    if (!isSaid(delta.name) || this.name === '') return false;
    return this.#values.length > 0 || this.isFollowedBy(delta) || this.#isWholeText();
  }

  /** Text, the value, or bytes that are no text; what contradicts itself as a list, which is no call's arguments. */
  get arguments(): unknown {
    const values = this.#values.filter((value) => !isEmptyObject(value));
    const text = this.#text();
    if (text.length > 0) return values.length === 0 ? text : [...values, text];
    if (values.length > 0) return values.length === 1 ? values[0] : values;
    return this.#values.length > 0 ? {} : '';
  }

  #text(): string | Uint8Array {
    const pieces = this.#pieces;
    if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
    const bytes = pieces.map((piece) =>
      typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
    );
    const whole = new Uint8Array(bytes.reduce((length, piece) => length + piece.length, 0));
    let at = 0;
    for (const piece of bytes) {
      whole.set(piece, at);
      at += piece.length;
    }
    const read = decodeBytes(whole);
    return read.kind === 'text' ? read.text : whole;
  }

  #isWholeText(): boolean {
    const text = this.#text();
    return typeof text === 'string' && parseJson(text, maxTextDepth).kind === 'read';
  }
}

const isSaid = (text: string | null | undefined): text is string => typeof text === 'string' && text !== '';

/** What a call starts with where its arguments are still to come. */
const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

// Each gets one of its own.
/** Characters of an id that a provider takes, with room for a number. */
const longestId = 60;

/** The same calls in their order; an id that came before gets a number, a missing one is made. */
export function withOwnIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    const id = freeId(call.id, taken);
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (id === '') return `call_${crypto.randomUUID()}`;
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${id.slice(0, longestId)}_${count}`;
  return free;
}

// The SDKs of OpenAI and Anthropic end one that was aborted without a word, and what was said until then must not
// run.
/** Rejects with what breaks the stream off, or with the reason of its abort. `add` gets each event. */
export async function readStream<Event>(
  stream: AsyncIterable<Event>,
  add: (event: Event) => unknown,
): Promise<void> {
  for await (const event of stream) add(event);
  abortOf(stream)?.throwIfAborted();
}

/** Of the SDKs' `controller`, which aborts with the request's own signal too. */
function abortOf(stream: object): AbortSignal | undefined {
  const controller: unknown = Reflect.get(stream, 'controller');
  return controller instanceof AbortController ? controller.signal : undefined;
}

// Its SDK promises types, but hands on what came over the wire.
/** What may stand where a list of objects is promised. */
export type SentList<Entry> = readonly (Entry | null | undefined)[] | null | undefined;

/** The objects of a list; none where there is no list. */
export const objectsIn = <Entry extends object>(list: SentList<Entry>): readonly Entry[] =>
  isList(list) ? list.filter(isThere) : [];

/** A text; empty where there is none. A number is its digits. */
export const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
};

/** An object: not null, and nothing else either. */
export const isThere = <Value>(value: Value | null | undefined): value is Value =>
  typeof value === 'object' && value !== null;

const isList = <Entry>(list: SentList<Entry>): list is readonly (Entry | null | undefined)[] =>
  Array.isArray(list);

// Nothing is a call before the end is known, and what has no end was cut off.
/** What is said of a call whose stream ended without a word: its arguments were cut off, unless they are whole. */
const noFinishReason = 'incomplete';

/** Collects the parts of the calls of one streamed answer. */
export class ToolCallCollector {
  readonly #model: string | undefined;
  readonly #calls: CollectedCall[] = [];
  readonly #byIndex = new Map<number, CollectedCall>();
  #last: CollectedCall | undefined;
  #ended: readonly ToolCall[] | undefined;

  /** `model`: the model that answers, for the calls. Throws a DefinitionError for another option. */
  constructor(options: { readonly model?: string } = {}) {
    checkOptions('ToolCallCollector', options, { model: string });
    this.#model = options.model;
  }

  /**
   * Adds one part and returns this collector. Throws a ToolmendError after `end`, and a DefinitionError for a part that still
   * has its name or arguments inside another object, as providers nest them.
   */
  add(delta: ToolCallDelta): this {
    if (this.#ended !== undefined) {
      throw new ToolmendError(
        'stream_ended',
        'add was called after end: collect each answer with a new collector.',
      );
    }
    requireFlatDelta(delta, 'ToolCallCollector.add');
    const call = this.#callOf(delta);
    call.add(delta);
    this.#last = call;
    return this;
  }

  /**
   * The calls, in the order in which they began. `finishReason`: as the provider said it. Without one the stream is
   * taken to have broken off: a call whose arguments are not whole is then rejected as cut off, and one without
   * arguments is no call without arguments. A call without an id gets one of its own.
   */
  end(finishReason?: string | null): readonly ToolCall[] {
    this.#ended ??= Object.freeze(this.#calls.map((call) => this.#toolCall(call, finishReason)));
    return this.#ended;
  }

  /** Which call the last part was of, in the order of `end`; -1 before the first. */
  get place(): number {
    return this.#last === undefined ? -1 : this.#calls.indexOf(this.#last);
  }

  #toolCall(call: CollectedCall, finishReason: string | null | undefined): ToolCall {
    return Object.freeze({
      id: call.id === '' ? `call_${crypto.randomUUID()}` : call.id,
      name: call.name,
      arguments: call.arguments,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      finishReason:
        finishReason === undefined || finishReason === null || finishReason === ''
          ? noFinishReason
          : finishReason,
    });
  }

  #callOf(delta: ToolCallDelta): CollectedCall {
    const { index, id } = delta;
    if (typeof index === 'number') {
      const call = this.#byIndex.get(index);
      const found = this.#withOtherId(call, delta) ?? call ?? this.#begin();
      this.#byIndex.set(index, found);
      return found;
    }
    if (typeof id === 'string' && id !== '') return this.#withId(id) ?? this.#begin();
    return this.#last === undefined || this.#last.isEndedBy(delta) ? this.#begin() : this.#last;
  }

  /** The same number, but another call's id: servers that count every call as 0. */
  #withOtherId(call: CollectedCall | undefined, delta: ToolCallDelta): CollectedCall | undefined {
    if (call === undefined || delta.id === call.id) return undefined;
    return this.#withId(delta.id) ?? (call.isFollowedBy(delta) ? this.#begin() : undefined);
  }

  #withId(id: string | null | undefined): CollectedCall | undefined {
    return this.#calls.find((call) => call.id !== '' && call.id === id);
  }

  #begin(): CollectedCall {
    const call = new CollectedCall();
    this.#calls.push(call);
    return call;
  }
}

import { isContainer, maxTextDepth } from '../json/value.ts';
import { checkOptions, string } from '../errors/check-options.ts';
import { ToolmendError } from '../errors/errors.ts';
import { parseJson, decodeBytes, isBytes } from '../json/parse.ts';
import { maxTextSize } from '../repair/decode-arguments.ts';
import { type ToolCall, requireFlatDelta } from './tool-call.ts';

/** One part of one call. Parts that a provider leaves out may be absent, null or empty. */
export interface ToolCallDelta {
  /** The number of the parallel call, as the provider counts; without it, the id decides. */
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  /** The tool's name, or the next part of it. */
  readonly name?: string | null | undefined;
  /** The next piece of the argument text, or of its bytes (UTF-8, cut anywhere); or a value, as a whole. */
  readonly arguments?: unknown;
  /** OpenAI's nesting. Pass its content: `{ index, id, ...part.function }`. */
  readonly function?: undefined;
}

/** UTF-16 units or bytes that are kept: with more, the arguments are too large in any case. */
const maxUnits = maxTextSize * 3 + 1;

/** One call while its parts come: parts of its name, pieces of its argument text, or a value. */
class CollectedCall {
  id = '';
  name = '';
  /** In the order in which the calls began. */
  readonly place: number;
  /** Its first part has an index or an id. */
  readonly isNumbered: boolean;
  readonly #pieces: (string | Uint8Array)[] = [];
  readonly #values: unknown[] = [];
  readonly #progress = new TextProgress();
  #units = 0;

  constructor({ index, id }: ToolCallDelta, place: number) {
    this.place = place;
    this.isNumbered = typeof index === 'number' || isGiven(id);
  }

  add({ id, name, arguments: sent }: ToolCallDelta): void {
    if (isGiven(id) && this.id === '') this.id = id;
    // Some providers repeat the name with every part, others send it in parts.
    if (isGiven(name) && name !== this.name) this.name += name;
    if (isAbsent(sent)) return;
    if (typeof sent !== 'string' && !isBytes(sent)) this.#values.push(sent);
    else if (this.#units < maxUnits) {
      this.#pieces.push(sent);
      this.#units += sent.length;
    }
  }

  /** Whether another call begins under the same number: servers that number every call 0 give each its own id. */
  isFollowedBy({ id, name }: ToolCallDelta): boolean {
    if (!isGiven(name)) return false;
    const hasOtherId = isGiven(id) && this.id !== '';
    return hasOtherId || (name !== this.name && this.hasArguments);
  }

  /** The same without a number and an id: a name behind complete arguments belongs to the next call. */
  isEndedBy(delta: ToolCallDelta): boolean {
    if (!isGiven(delta.name) || this.name === '') return false;
    return this.#values.length > 0 || this.isFollowedBy(delta) || this.#isWholeText();
  }

  /** Text, a value, or bytes that are not text. Parts that contradict each other become a list, which is invalid. */
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

  get hasArguments(): boolean {
    return this.#pieces.length > 0 || this.#values.length > 0;
  }

  #isWholeText(): boolean {
    if (!this.#progress.isClosed(this.#pieces)) return false;
    const text = this.#text();
    return typeof text === 'string' && parseJson(text, maxTextDepth).kind === 'read';
  }
}

const blanks: ReadonlySet<number> = new Set([32, 9, 10, 13]);
const openers: ReadonlySet<number> = new Set([91, 123]);
const closers: ReadonlySet<number> = new Set([93, 125]);

/** Characters of the longest scalar that arguments may be instead of an object: `false`. */
const longestScalar = 5;

/** Follows JSON text piece by piece, so that a text is not read anew with each piece. */
class TextProgress {
  #pieces = 0;
  #depth = 0;
  #scalar = 0;
  #isInString = false;
  #isEscaped = false;
  #state: 'open' | 'closed' | 'beyond' = 'open';

  /** Whether one value was opened and closed, and only blanks follow. Sees each piece once. */
  isClosed(pieces: readonly (string | Uint8Array)[]): boolean {
    for (; this.#pieces < pieces.length; this.#pieces += 1) {
      const piece = pieces[this.#pieces] ?? '';
      for (let at = 0; at < piece.length && this.#state !== 'beyond'; at += 1)
        this.#read(typeof piece === 'string' ? piece.charCodeAt(at) : (piece[at] ?? 0));
    }
    return this.#state === 'closed';
  }

  #read(code: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === 92) this.#isEscaped = true;
      else if (code === 34) this.#isInString = false;
    } else if (blanks.has(code)) return;
    else if (openers.has(code)) this.#depth += 1;
    else if (closers.has(code)) this.#depth -= 1;
    else if (code === 34) this.#isInString = true;
    else if (this.#depth === 0) this.#scalar += 1;
    const isBeyond = this.#scalar > longestScalar || (this.#state === 'closed' && this.#scalar === 0);
    if (isBeyond) this.#state = 'beyond';
    else this.#state = this.#depth === 0 && !this.#isInString ? 'closed' : 'open';
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const isGiven = (text: string | null | undefined): text is string => typeof text === 'string' && text !== '';

/** A call may start with `{}` before its arguments come. */
const isEmptyObject = (value: unknown): boolean =>
  isContainer(value) && !Array.isArray(value) && Object.keys(value).length === 0;

const idCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** An id for a call that came without one: nine letters and digits, because Mistral takes no others. OpenAI takes up to 40. */
export const newCallId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
    idCharacters.charAt(byte % idCharacters.length),
  ).join('');

/** The finish reason of a stream that ended without one: its arguments were cut off, unless they are complete. */
const noFinishReason = 'incomplete';

/** Collects the parts of the tool calls in one streamed answer. */
export class ToolCallCollector {
  readonly #model: string | undefined;
  readonly #calls: CollectedCall[] = [];
  readonly #byIndex = new Map<number, CollectedCall>();
  readonly #byId = new Map<string, CollectedCall>();
  #last: CollectedCall | undefined;
  #ended: readonly ToolCall[] | undefined;

  /** `model`: the model that answers, for the calls. Throws a DefinitionError for another option. */
  constructor(options: { readonly model?: string } = {}) {
    checkOptions('ToolCallCollector', options, { model: string });
    this.#model = options.model;
  }

  /**
   * Adds one part and returns this collector. Throws a ToolmendError after `end`, and a DefinitionError for a part that has its
   * name or arguments inside another object, as providers nest them.
   */
  add(delta: ToolCallDelta): this {
    if (this.#ended !== undefined) {
      const message = 'add was called after end: collect each answer with a new collector.';
      throw new ToolmendError('stream_ended', message);
    }
    requireFlatDelta(delta, 'ToolCallCollector.add');
    if (!isGiven(delta.id) && !isGiven(delta.name) && isAbsent(delta.arguments)) return this;
    const call = this.#callOf(delta);
    call.add(delta);
    this.#byId.set(call.id, call);
    this.#last = call;
    return this;
  }

  /**
   * The calls, in the order in which they began. `finishReason`: the provider's word. Without one the stream counts as broken off:
   * a call without complete arguments is rejected as cut off. A call without an id gets one.
   */
  end(finishReason?: string | null): readonly ToolCall[] {
    this.#ended ??= Object.freeze(this.#begunCalls().map((call) => this.#toolCall(call, finishReason)));
    return this.#ended;
  }

  /** The index of the last part's call, in the order of `end`; -1 before the first part. */
  get lastIndex(): number {
    return this.#last?.place ?? -1;
  }

  /** A last part with nothing but an id, or the name of the call before it, ends that call and begins none. */
  #begunCalls(): readonly CollectedCall[] {
    const [before, last] = this.#calls.slice(-2);
    if (last === undefined || last.hasArguments) return this.#calls;
    const isEnd = last.name === '' || (!last.isNumbered && last.name === before?.name);
    return isEnd ? this.#calls.slice(0, -1) : this.#calls;
  }

  #toolCall(call: CollectedCall, finishReason: string | null | undefined): ToolCall {
    return Object.freeze({
      id: call.id === '' ? newCallId() : call.id,
      name: call.name,
      arguments: call.arguments,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      finishReason: isGiven(finishReason) ? finishReason : noFinishReason,
    });
  }

  #callOf(delta: ToolCallDelta): CollectedCall {
    const { index, id } = delta;
    if (typeof index === 'number') {
      const call = this.#byIndex.get(index);
      const found = this.#withOtherId(call, delta) ?? call ?? this.#begin(delta);
      this.#byIndex.set(index, found);
      return found;
    }
    if (typeof id === 'string' && id !== '') return this.#withId(id) ?? this.#begin(delta);
    return this.#last === undefined || this.#last.isEndedBy(delta) ? this.#begin(delta) : this.#last;
  }

  /** A server that numbers every call 0 sends another id. */
  #withOtherId(call: CollectedCall | undefined, delta: ToolCallDelta): CollectedCall | undefined {
    if (call === undefined || delta.id === call.id) return undefined;
    return this.#withId(delta.id) ?? (call.isFollowedBy(delta) ? this.#begin(delta) : undefined);
  }

  #withId(id: string | null | undefined): CollectedCall | undefined {
    return isGiven(id) ? this.#byId.get(id) : undefined;
  }

  #begin(delta: ToolCallDelta): CollectedCall {
    const call = new CollectedCall(delta, this.#calls.length);
    this.#calls.push(call);
    return call;
  }
}

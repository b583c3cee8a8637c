import { readJsonPrefix } from '../json/lenient-parser.ts';
import { attempt } from '../collections/attempt.ts';
import { isContainer } from '../collections/objects.ts';
import { type JsonObject, isJsonObject, maxTextDepth } from '../json/value.ts';
import { checkOptions, string } from '../options/check-options.ts';
import { ToolmendError } from '../errors/errors.ts';
import { parseJson, decodeBytes } from '../json/parse.ts';
import { isBytes } from '../platform/object-kinds.ts';
import { maxTextSize } from '../text/decode-arguments.ts';
import { newCallId } from './call-ids.ts';
import { type PartialArguments, partialArguments } from './partial-arguments.ts';
import { type PartialListener, PartialListeners } from './partial-calls.ts';
import { type ToolCall, requireFlatDelta } from './tool-call.ts';

/** One part of one call. Parts that a provider leaves out may be absent, null or empty. */
export interface ToolCallDelta {
  /** The number of the parallel call, as the provider counts; without it, the id decides. */
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  /** The tool's name, or the next part of it. */
  readonly name?: string | null | undefined;
  /**
   * The next piece of the argument text, or of its bytes (UTF-8, cut anywhere); or a value, as a
   * whole.
   */
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
  readonly #pieces: (string | Uint8Array)[] = [];
  readonly #values: unknown[] = [];
  readonly #progress = new TextProgress();
  readonly #decoder = new TextDecoder();
  #textSoFar = '';
  #units = 0;
  /** The server gives each part an id of its own, so that an id names no call. */
  #hasManyIds = false;
  /** After whole arguments, the name came again alone: arguments that follow are another call's. */
  #isNamedAgain = false;

  constructor(place: number) {
    this.place = place;
  }

  /** Returns what the part adds to `textSoFar`. */
  add({ id, name, arguments: sentArguments }: ToolCallDelta): string {
    if (isGiven(id) && this.id === '') this.id = id;
    else if (isGiven(id) && id !== this.id) this.#hasManyIds = true;
    // Some providers repeat the name with every part, others send it in parts.
    if (isGiven(name) && name !== this.name) this.name += name;
    else if (isGiven(name)) this.#isNamedAgain ||= isBlank(sentArguments) && this.#isWhole();
    if (isAbsent(sentArguments) || this.#units >= maxUnits) return '';
    if (typeof sentArguments !== 'string' && !isBytes(sentArguments))
      this.#values.push(sentArguments);
    else {
      this.#pieces.push(sentArguments);
      this.#units += sentArguments.length;
    }
    const piece = this.#textOf(sentArguments);
    this.#textSoFar += piece;
    return piece;
  }

  /**
   * The argument text as far as it has come, to show it to a person. It only grows: an empty object
   * that came as a value has no text, and half a character waits for its other half.
   */
  get textSoFar(): string {
    return this.#textSoFar;
  }

  #textOf(sentArguments: unknown): string {
    if (typeof sentArguments === 'string') return sentArguments;
    if (isBytes(sentArguments)) return this.#decoder.decode(sentArguments, { stream: true });
    return isEmptyObject(sentArguments) ? '' : (attempt(() => JSON.stringify(sentArguments)) ?? '');
  }

  /**
   * Whether a part that has no number of its own begins another call. A name or an id says so,
   * unless the server repeats them with each part.
   */
  isFollowedBy(delta: ToolCallDelta): boolean {
    const { id, name, arguments: sentArguments } = delta;
    if (!isGiven(name)) return this.#isNamedAgain && mayBeginArguments(sentArguments);
    if (this.name === '') return false;
    const hasOtherId = isGiven(id) && this.id !== '' && id !== this.id && !this.#hasManyIds;
    if (hasOtherId) return name !== this.name || !this.#isContinuedBy(sentArguments);
    if (name !== this.name && this.hasArguments) return true;
    return mayBeginArguments(sentArguments) && this.#isWhole() && !this.#isRepeatedBy(delta);
  }

  /** The piece goes on with text that is open. */
  #isContinuedBy(sentArguments: unknown): boolean {
    const isPiece =
      typeof sentArguments === 'string' &&
      sentArguments !== '' &&
      !mayBeginArguments(sentArguments);
    return isPiece && this.#pieces.length > 0 && !this.#progress.isClosed(this.#pieces);
  }

  /**
   * A part with the same id says all of the call once more, or has what a call without arguments
   * began with.
   */
  #isRepeatedBy({ id, arguments: sentArguments }: ToolCallDelta): boolean {
    if (!isGiven(id) || id !== this.id) return false;
    const whole = this.arguments;
    return sentArguments === whole || whole === '{}' || isEmptyObject(whole);
  }

  /**
   * Text, a value, or bytes that are not text. Parts that contradict each other become a list,
   * which is invalid.
   */
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

  /** Nothing that follows can belong to the arguments. */
  #isWhole(): boolean {
    if (this.#values.length > 0 && this.#pieces.length === 0) return true;
    if (this.#values.some((value) => !isEmptyObject(value))) return true;
    if (!this.#progress.isClosed(this.#pieces)) return false;
    const text = this.#text();
    return typeof text === 'string' && isWholeJson(text);
  }
}

const blanks: ReadonlySet<number> = new Set([32, 9, 10, 13]);
const openers: ReadonlySet<number> = new Set([91, 123]);
const closers: ReadonlySet<number> = new Set([93, 125]);

/** Characters of the longest scalar that arguments may be instead of an object: `false`. */
const maxScalarLength = 5;

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
    const isBeyond =
      this.#scalar > maxScalarLength || (this.#state === 'closed' && this.#scalar === 0);
    if (isBeyond) this.#state = 'beyond';
    else this.#state = this.#depth === 0 && !this.#isInString ? 'closed' : 'open';
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Whether text is JSON, or an object as models write it. */
function isWholeJson(text: string): boolean {
  if (parseJson(text, maxTextDepth).kind === 'read') return true;
  const trimmedText = text.trim();
  const read = readJsonPrefix(trimmedText, 0, 'loose', maxTextDepth);
  return read.kind === 'read' && read.end === trimmedText.length && isJsonObject(read.value);
}

/** Whether arguments, and not the end of others, may start so. */
function mayBeginArguments(sentArguments: unknown): boolean {
  if (typeof sentArguments === 'string') return /^\s*[{["]/.test(sentArguments);
  if (isBytes(sentArguments))
    return mayBeginArguments(String.fromCharCode(...sentArguments.subarray(0, 100)));
  return !isAbsent(sentArguments);
}

const isBlank = (sentArguments: unknown): boolean =>
  isAbsent(sentArguments) || (typeof sentArguments === 'string' && sentArguments.trim() === '');

const isGiven = (text: string | null | undefined): text is string =>
  typeof text === 'string' && text !== '';

/** A call may start with `{}` before its arguments come. */
const isEmptyObject = (value: unknown): boolean =>
  isContainer(value) && !Array.isArray(value) && Object.keys(value).length === 0;

/**
 * The finish reason of a stream that ended without one: its arguments were cut off, unless they are
 * complete.
 */
export const noFinishReason = 'incomplete';

/** Collects the parts of the tool calls in one streamed answer. */
export class ToolCallCollector {
  readonly #model: string | undefined;
  readonly #calls: CollectedCall[] = [];
  readonly #byIndex = new Map<number, CollectedCall>();
  readonly #byId = new Map<string, CollectedCall>();
  readonly #listeners = new PartialListeners();
  #last: CollectedCall | undefined;
  #endedCalls: readonly ToolCall[] | undefined;

  /**
   * `model`: the model that answers, for the calls. Throws a DefinitionError for another option.
   */
  constructor(options: { readonly model?: string } = {}) {
    checkOptions('ToolCallCollector', options, { model: string });
    this.#model = options.model;
  }

  /**
   * Adds one part and returns this collector. Throws a ToolmendError after `end`, and a
   * DefinitionError for a part that has its name or arguments inside another object, as providers
   * nest them.
   */
  add(delta: ToolCallDelta): this {
    if (this.#endedCalls !== undefined) {
      const message = 'add was called after end: collect each answer with a new collector.';
      throw new ToolmendError('stream_ended', message);
    }
    requireFlatDelta(delta, 'ToolCallCollector.add');
    if (!isGiven(delta.id) && !isGiven(delta.name) && isAbsent(delta.arguments)) return this;
    const call = this.#callOf(delta);
    const piece = call.add(delta);
    this.#byId.set(call.id, call);
    this.#last = call;
    this.#listeners.update(call, () => ({
      index: call.place,
      callId: call.id,
      tool: call.name,
      text: call.textSoFar,
      piece,
    }));
    return this;
  }

  /**
   * The calls, in the order in which they began. `finishReason`: the provider's word. Without one
   * the stream counts as broken off: a call without complete arguments is rejected as cut off. A
   * call without an id gets one.
   */
  end(finishReason?: string | null): readonly ToolCall[] {
    this.#endedCalls ??= Object.freeze(
      this.#begunCalls().map((call) => this.#toolCall(call, finishReason)),
    );
    return this.#endedCalls;
  }

  /**
   * What has come of a call's arguments, to show it to a person: see `partialArguments`. Never run a
   * tool with it. `index`: of the call, as `lastIndex` has it. Default: that of the last part.
   * Undefined if there is no such call. Takes time that grows with the text: call it when you draw,
   * not with every part.
   */
  partial<Values extends object = JsonObject>(
    index: number = this.lastIndex,
  ): PartialArguments<Values> | undefined {
    const call = this.#calls[index];
    return call && partialArguments<Values>(call.textSoFar);
  }

  /**
   * Calls the listener when a call begins, and with each piece of its arguments, to show them to a
   * person: see `PartialCall`. Returns the function that ends it.
   */
  onPartial<Values extends object = JsonObject>(listener: PartialListener<Values>): () => void {
    return this.#listeners.add(listener);
  }

  /** The index of the last part's call, in the order of `end`; -1 before the first part. */
  get lastIndex(): number {
    return this.#last?.place ?? -1;
  }

  /** A last part with nothing but an id ends the call before it and begins none. */
  #begunCalls(): readonly CollectedCall[] {
    const last = this.#calls.at(-1);
    if (last === undefined || this.#calls.length === 1) return this.#calls;
    return last.name === '' && !last.hasArguments ? this.#calls.slice(0, -1) : this.#calls;
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
      const other = delta.id === call?.id ? undefined : this.#withId(delta.id);
      // A server that numbers every call 0 sends another id, or a name after whole arguments.
      const target = call === undefined ? this.#begin() : (other ?? this.#callAfter(call, delta));
      this.#byIndex.set(index, target);
      return target;
    }
    const callWithId = this.#withId(id);
    if (callWithId === undefined && isGiven(id)) return this.#begin();
    const last = callWithId ?? this.#last;
    return last === undefined ? this.#begin() : this.#callAfter(last, delta);
  }

  /** The call of a part that has no number of its own: this one, or the next. */
  #callAfter(call: CollectedCall, delta: ToolCallDelta): CollectedCall {
    if (!call.isFollowedBy(delta)) return call;
    const next = this.#begin();
    if (!isGiven(delta.name)) next.name = call.name;
    return next;
  }

  #withId(id: string | null | undefined): CollectedCall | undefined {
    return isGiven(id) ? this.#byId.get(id) : undefined;
  }

  #begin(): CollectedCall {
    const call = new CollectedCall(this.#calls.length);
    this.#calls.push(call);
    return call;
  }
}

import { type Notation, type NotationReading, type ReadCall, longestTag } from './notation.ts';
import { notationTable } from './notation-table.ts';
import { mayBeginEnvelope } from './call-envelope.ts';
import { behindBlanks, endOfContainer } from './json-body.ts';
import { areTokensClosed } from './read-notation.ts';
import { closingTagsAt, openingTagsAt, wrappingTag } from './wrapping-tags.ts';
import { MarkerFinder, endOfSafeText, longestMarker } from './call-markers.ts';

/** A call of a tool, by the tool's own name. */
export interface NamedCall {
  readonly name: string;
  readonly arguments: ReadCall['arguments'];
}

/**
 * A part of a text: the calls in one markup, or text between calls. Markup of unknown tools has an
 * empty list.
 */
export type ScannedPart =
  | { readonly kind: 'text'; readonly text: string; readonly isReasoning?: boolean }
  | {
      readonly kind: 'calls';
      readonly calls: readonly NamedCall[];
      readonly notation: string;
      /** The markup. */
      readonly text: string;
      readonly start: number;
      readonly end: number;
    };

/** The tools, as far as the scanner needs them. */
export interface ScannedTools {
  readonly names: readonly string[];
  readonly isTool: (name: string) => boolean;
  /**
   * The calls that a reading has, with their names; undefined if one of them is not a call of a
   * tool.
   */
  readonly resolve: (calls: readonly ReadCall[]) => readonly NamedCall[] | undefined;
  /** The calls in a text that consists of calls only; undefined for other text. */
  readonly readAlone: (
    text: string,
  ) => { readonly calls: readonly NamedCall[]; readonly notation: string } | undefined;
}

/** Characters that a call has at most. */
const longestCall = 4 * 1024 * 1024;
/** Characters before the current one that decide what it means. */
const contextSize = 1024;
const longestInlineCode = 2000;
const longestSkippedJson = 65_536;
/** Characters that may be read again without counting. */
const freeLooks = 262_144;

/**
 * Reads text part by part and separates calls from other text. The result doesn't depend on how the
 * text is cut into parts.
 */
export class CallScanner {
  readonly #tools: ScannedTools;
  readonly #markers: MarkerFinder;
  #text = '';
  /** Offset of `#text` in the whole. */
  #base = 0;
  /**
   * Offsets in `#text`: the end of the text that is decided, and the end of the text that was
   * returned.
   */
  #at = 0;
  #given = 0;
  /** Matches the end of the fence, reasoning or quotation that the scanner is in. */
  #until: RegExp | undefined;
  /** The text from `#given` on is reasoning. */
  #isReasoning = false;
  #parts: ScannedPart[] = [];
  /** Only reasoning and blanks came so far. */
  #isAlone = true;
  /** Markup that was refused or not closed: the rest is text. */
  #isOver = false;
  /** The number of characters that have come when an open call is read again. */
  #retryFrom = 0;
  /** Matches what ends the wait earlier. */
  #awaited: RegExp | undefined;
  /** Characters that were read in all attempts to read calls, and characters that came. */
  #spent = 0;
  #received = 0;

  constructor(tools: ScannedTools, startsInReasoning: boolean) {
    this.#tools = tools;
    this.#markers = new MarkerFinder(tools.names);
    if (!startsInReasoning) return;
    this.#until = /<\/(?:think|thinking|reasoning|thought)>|\[\/THINK\]/g;
    this.#isReasoning = true;
  }

  add(part: string): readonly ScannedPart[] {
    this.#text += part;
    this.#received += part.length;
    const isCheap = this.#spent < this.#received * 8 + freeLooks;
    const isAwaited = isCheap && this.#awaited?.test(part) === true;
    return isAwaited || this.#received >= this.#retryFrom ? this.#scan(false) : [];
  }

  end(): readonly ScannedPart[] {
    return this.#scan(true);
  }

  #scan(isFinal: boolean): readonly ScannedPart[] {
    this.#retryFrom = 0;
    this.#awaited = undefined;
    while (this.#at < this.#text.length) {
      const step = this.#step(isFinal);
      if (step === 'wait') break;
      if (step !== undefined) {
        this.#giveText(step.start - this.#base);
        this.#parts.push(step);
        this.#given = step.end - this.#base;
        this.#at = this.#given;
      }
    }
    this.#giveText(this.#at);
    this.#forget();
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #giveText(end: number): void {
    const text = this.#text.slice(this.#given, end);
    this.#parts.push(
      this.#isReasoning ? { kind: 'text', text, isReasoning: true } : { kind: 'text', text },
    );
    this.#given = end;
  }

  /** Forgets text that can't matter any more. */
  #forget(): void {
    const gone = Math.max(0, this.#at - contextSize);
    this.#text = this.#text.slice(gone);
    this.#base += gone;
    this.#at -= gone;
    this.#given -= gone;
  }

  /** Reads what comes next. Returns calls, or undefined after moving `#at` behind text. */
  #step(isFinal: boolean): (ScannedPart & { kind: 'calls' }) | 'wait' | undefined {
    if (this.#isOver) return this.#pass(this.#text.length);
    if (this.#until !== undefined) return this.#leave(this.#until, isFinal);
    const text = this.#text;
    if (this.#isAlone) {
      const alone = this.#readAlone(isFinal);
      if (alone !== undefined) return alone;
    }
    const safe = isFinal ? text.length : endOfSafeText(text, this.#at);
    const found = this.#markers.next(text, this.#at);
    const marker = found !== undefined && found.start < safe ? found : undefined;
    const start = marker?.start ?? safe;
    // Blanks are behind `#at` already.
    if (start > this.#at) this.#isAlone = false;
    this.#at = start;
    if (marker === undefined) return 'wait';
    const { kind, mark, end, closes } = marker;
    if (kind !== 'reasoning') this.#isAlone = false;
    if (kind === 'call') return this.#readCall(end - this.#at, isFinal);
    if (kind === 'code') return this.#passCode(mark, isFinal);
    if (kind === 'json') return this.#passJson(isFinal);
    if (kind === 'reasoning') {
      this.#giveText(this.#at);
      this.#isReasoning = true;
    }
    this.#until = closes;
    return this.#pass(end);
  }

  #pass(end: number): undefined {
    this.#at = end;
    return undefined;
  }

  #leave(until: RegExp, isFinal: boolean): 'wait' | undefined {
    until.lastIndex = this.#at;
    const found = until.exec(this.#text);
    const isCertain =
      found !== null && (isFinal || found.index + found[0].length < this.#text.length);
    if (!isCertain) {
      const kept = found?.index ?? Math.max(this.#at, this.#text.length - longestMarker);
      this.#at = isFinal ? this.#text.length : kept;
      return isFinal ? undefined : 'wait';
    }
    this.#until = undefined;
    this.#at = found.index + found[0].length;
    this.#giveText(this.#at);
    this.#isReasoning = false;
    return undefined;
  }

  /** A run of backticks is inline code if one of the same length follows in the paragraph. */
  #passCode(run: string, isFinal: boolean): 'wait' | undefined {
    const start = this.#at + run.length;
    if (!isFinal && start >= this.#text.length) return this.#wait(/[^`]/);
    if (run.length > longestInlineCode) return this.#pass(start);
    const rest = this.#text.slice(start, start + longestInlineCode);
    const paragraph = rest.replace(/\n[ \t]*\n[^]*/, '');
    const isWhole = isFinal || paragraph.length < rest.length || rest.length === longestInlineCode;
    const closing = new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`).exec(paragraph);
    const isCertain = closing !== null && closing.index + run.length < paragraph.length;
    if (!isCertain && !isWhole) return 'wait';
    return this.#pass(closing === null ? start : start + closing.index + run.length);
  }

  /** Passes JSON on lines of its own as text, because markup in its strings is not a call. */
  #passJson(isFinal: boolean): 'wait' | undefined {
    const start = this.#at;
    const end = endOfContainer(this.#text.slice(start, start + longestSkippedJson), 0);
    if (end === undefined && !isFinal && this.#text.length - start < longestSkippedJson)
      return this.#wait();
    return this.#pass(end === undefined ? start + 1 : start + end);
  }

  /**
   * Reads a text that consists of calls in a notation without tags, once it has come as a whole.
   */
  #readAlone(isFinal: boolean): (ScannedPart & { kind: 'calls' }) | 'wait' | undefined {
    const text = this.#text;
    const start = behindBlanks(text, this.#at);
    this.#at = start;
    const head = text.slice(start, start + longestTag);
    if (!isFinal && beginningOfName.test(head)) return 'wait';
    const [, , key, name] = beginningOfCall.exec(head) ?? [];
    const mayBeCall =
      key === undefined ? name !== undefined && this.#tools.isTool(name) : mayBeginEnvelope(key);
    if (!mayBeCall || text.length - start >= longestCall) return undefined;
    if (!isFinal) return this.#wait(undefined, longestCall);
    const found = this.#tools.readAlone(text.slice(start));
    return found && { kind: 'calls', ...found, ...this.#extentOf(start, text.trimEnd().length) };
  }

  /** The call whose markup begins at `#at`. */
  #readCall(
    length: number,
    isFinal: boolean,
  ): (ScannedPart & { kind: 'calls' }) | 'wait' | undefined {
    const start = this.#at;
    const text = this.#text.slice(0, start + longestCall);
    const isWhole = isFinal || text.length < this.#text.length;
    this.#spent += text.length - start;
    const { end: at, tags } = openingTagsAt(text, start);
    const read = readAt({ text, at, tags, isTool: this.#tools.isTool });
    // The markup may go on in the next part of the answer.
    const mayGrow = !isWhole && text.length - at < longestTag;
    if (read === undefined)
      return mayGrow ? this.#wait(/\S/) : this.#pass(Math.max(start + length, at));
    const { reading, notation } = read;
    if (reading.kind !== 'calls') {
      if (mayGrow || (!isWhole && reading.kind === 'open')) return this.#wait(closesCall);
      this.#isOver = true;
      return undefined;
    }
    const { calls, end: behind } = reading;
    const { end, isClosed } = closingTagsAt(
      { text, extent: 'part', isTool: this.#tools.isTool },
      behind,
    );
    if (!isWhole && mayHaveMoreTags(text, end)) return this.#wait(/\S/);
    const tokens = { opened: text.slice(start, at), closing: text.slice(behind, end) };
    if (!isComplete(calls, { ...tokens, isClosed, closedBy: notation.closedBy })) {
      if (calls.every((call) => call.arguments.length === 0)) return this.#pass(start + length);
      // The text behind it may belong to its last argument.
      this.#isOver = true;
      return undefined;
    }
    const resolved = this.#tools.resolve(calls) ?? [];
    return { kind: 'calls', calls: resolved, notation: notation.id, ...this.#extentOf(start, end) };
  }

  /** The markup between two offsets in `#text`, and its place in the whole. */
  #extentOf(start: number, end: number) {
    return { text: this.#text.slice(start, end), start: this.#base + start, end: this.#base + end };
  }

  /**
   * Waits until the text is twice as long and has `least` more characters, or what is awaited
   * comes.
   */
  #wait(awaited?: RegExp, least: number = longestTag): 'wait' {
    this.#awaited = awaited;
    this.#retryFrom = this.#received + Math.max(least, this.#text.length - this.#at);
    return 'wait';
  }
}

/** Matches what may close a call. */
const closesCall = /[>\]})]/;
/**
 * Matches the beginning of a call in a notation without tags: the first key of JSON, or the tool's
 * name.
 */
const beginningOfCall =
  /^\[?\s{0,16}(?:\{\s{0,16}(["'])([a-z_]{1,20})\1|(?:print\(\s{0,16})?([A-Za-z_][\w.-]{0,127})\s{0,8}[({])/i;
/**
 * Matches text that may become the beginning of a call. A bracket or brace is waited for as the
 * beginning of a marker.
 */
const beginningOfName = /^\[?\s{0,16}(?:print\(\s{0,16})?(?:[A-Za-z_][\w.-]{0,127}\s{0,8})?$/;

interface FoundReading {
  readonly reading: NotationReading;
  readonly notation: Notation;
}

/** The reading by the first notation that doesn't skip the text at an offset. */
function readAt(source: {
  readonly text: string;
  readonly at: number;
  readonly tags: readonly string[];
  readonly isTool: (name: string) => boolean;
}): FoundReading | undefined {
  const until = source.text.length;
  for (const notation of notationTable) {
    const reading = notation.readAt({ ...source, extent: 'part', until, isDeclared: undefined });
    if (reading.kind !== 'skip') return { reading, notation };
  }
  return undefined;
}

/** Whether closing tags may follow at an offset, in text that is still to come. */
function mayHaveMoreTags(text: string, at: number): boolean {
  const next = behindBlanks(text, at);
  return (
    next >= text.length || (/[<[\]]/.test(text.charAt(next)) && text.length - next < longestTag)
  );
}

/** Whether the calls and the markup around them are closed. */
function isComplete(
  calls: readonly ReadCall[],
  markup: {
    readonly opened: string;
    readonly closing: string;
    readonly isClosed: boolean;
    readonly closedBy: Notation['closedBy'];
  },
): boolean {
  const { opened, closing, isClosed, closedBy } = markup;
  const needsClosing = closedBy !== undefined || wrappingTag.test(opened);
  return (
    calls.every(({ state }) => state === 'closed') &&
    areTokensClosed(opened, closing) &&
    (isClosed || !needsClosing)
  );
}

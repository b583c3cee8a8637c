import {
  type CallsInPlace,
  type FoundCalls,
  type LeftCall,
  isPatch,
  isWholeAnswer,
  mayBeMeant,
  uncertainCalls,
} from './call-place.ts';
import { afterBlanks, endOfContainer } from './json-body.ts';
import { type Marker, MarkerFinder, endOfSafeText, longestMarker } from './markers.ts';
import { longestTag } from './notation.ts';
import type { OfferedTools } from './offered-tools.ts';
import { type ReadCalls, readBareCalls, readMarkedCalls } from './resolve-calls.ts';

/** A part of a text: the calls in one markup, or text between calls. */
export type ScannedPart =
  { readonly kind: 'text'; readonly text: string } | (FoundCalls & { readonly kind: 'calls' });

/** Characters that wait at most. */
const longestCall = 4 * 1024 * 1024;
/** Characters before the current one that decide what it means. */
const contextSize = 1024;
/** Characters from the beginning of a call in which its tool is named. */
const longestHead = 1024;
/** Characters in which a name is looked for at once. */
const longestLookahead = 65_536;
const longestInlineCode = 2000;
const longestSkippedJson = 65_536;
/** Characters that a model says before a call of a strict tool, at most. */
const longestSaid = 600;
/** Regions of one kind that are open at once. */
const mostRegions = 8;
/** Characters that may be read again without counting. */
const freeLooks = 262_144;

/**
 * Reasoning, an element, or a comment, a result or code (`shown`), of whose end it isn't known
 * whether it comes. Without it, an element is no region, and a call in what is shown is doubtful.
 * An end inside a call's own content is none: "in a <pre>. <tool_call>…</pre>…</tool_call>".
 */
interface Region {
  readonly kind: 'thought' | 'element' | 'shown';
  readonly closes: RegExp;
  /** Offset in the whole text up to which it has no end. */
  readonly searchedTo: number;
}

/**
 * Reads text part by part and separates calls from other text. From the first place on where a call
 * of an offered tool may begin, all text waits for the end, which alone decides what it is. The
 * result doesn't depend on how the text is cut into parts.
 */
export class CallScanner {
  readonly #tools: OfferedTools;
  readonly #markers: MarkerFinder;
  #text = '';
  /** Offset of `#text` in the whole. */
  #base = 0;
  /** Offset in `#text` of the end of the text that is decided. */
  #at = 0;
  #passedTo = 0;
  /** The end of the block of code, the result or the quotation that the scanner is in. */
  #until: RegExp | undefined;
  /**
   * Its text from an offset in the whole on, about as much as a call may have: if it has no end, the
   * calls in it are reported.
   */
  #inside: { readonly start: number; text: string } | undefined;
  /** Whether only calls and inline code are looked for. */
  #isInside = false;
  readonly #regions: Region[] = [];
  /** Text from `#at` on waits, because a call may begin there. */
  #isHeld = false;
  /** The first call, or object that may be one, that is open at the end of the text. */
  #openCall: { readonly start: number; readonly isMarked: boolean } | undefined;
  /** A call is open at the end of a region: only the whole text says whose end it is. */
  #isUndecided = false;
  /** The end of the text that waits, in which the end of a region may have begun. */
  #heldEnd: string | undefined;
  /** A call that can't be read: the rest is text. */
  #isOver = false;
  /** What is in the fence that is the whole answer, without the lines of the fence. */
  #fencedText: string | undefined;
  #wordsBefore: string | undefined = '';
  #foundCalls: CallsInPlace[] = [];
  /** Calls that can't be read. */
  #leftCalls: LeftCall[] = [];
  /** Characters that were read in all attempts to read calls. */
  #spent = 0;
  /** Offset in the whole up to which no tool is named, from where it was looked for. */
  #namelessTo = 0;
  #lookahead = 2 * longestHead;
  /** Characters in which the end of JSON was looked for. */
  #skipped = 0;
  /** The number of characters at which waiting text is looked at again. */
  #retryFrom = 0;

  constructor(tools: OfferedTools, startsInThought: boolean) {
    this.#tools = tools;
    this.#markers = new MarkerFinder(tools.names);
    if (startsInThought) this.#open('thought', anyThoughtEnd);
  }

  /** The calls of offered tools that stay text; known at the end. */
  get leftCalls(): readonly LeftCall[] {
    return this.#leftCalls;
  }

  add(part: string): readonly ScannedPart[] {
    this.#text += part;
    if (this.#isOver) this.#at = this.#text.length;
    else if (this.#isHeld && this.#text.length - this.#at > longestCall) {
      this.#stop();
      this.#at = this.#text.length;
    }
    if (this.#isOver) return this.#passedText();
    if (this.#isHeld && !this.#mayEndRegion(part)) return [];
    this.#heldEnd = undefined;
    if (this.#text.length < this.#retryFrom) return [];
    this.#retryFrom = 0;
    this.#scan(false);
    return this.#isHeld && this.#text.length - this.#at > longestCall
      ? this.add('')
      : this.#passedText();
  }

  end(): readonly ScannedPart[] {
    this.#isHeld = false;
    this.#isUndecided = false;
    this.#retryFrom = 0;
    if (this.#isOver) return this.#passedText();
    const whole = this.#base === 0 ? isWholeAnswer(this.#text) : undefined;
    if (whole !== undefined && this.#readAlone(whole)) return this.#parts();
    this.#scan(true);
    this.#leaveCallsInside();
    return this.#parts();
  }

  /** An answer that is one fence is read like what is in it. */
  #readAlone({ start, end }: { readonly start: number; readonly end: number }): boolean {
    const scanner = new CallScanner(this.#tools, false);
    const padding = ' '.repeat(start);
    scanner.#text = padding + this.#text.slice(start, end);
    scanner.#at = start;
    scanner.#scan(true);
    const foundCalls = scanner.#foundCalls;
    if (scanner.#isOver) this.#leftCalls = scanner.#leftCalls;
    if (foundCalls.length === 0) return false;
    const first = foundCalls[0];
    const last = foundCalls.at(-1);
    if (first === undefined || last === undefined) return false;
    const isAll =
      this.#text.slice(start, first.start).trim() === '' &&
      this.#text.slice(last.end, end).trim() === '';
    if (isAll && foundCalls.length === 1)
      this.#foundCalls = [{ ...first, start: 0, end: this.#text.length, wordsBefore: '' }];
    else {
      this.#foundCalls = foundCalls;
      this.#fencedText = scanner.#text;
    }
    this.#at = this.#text.length;
    return true;
  }

  #passedText(): readonly ScannedPart[] {
    const text = this.#text.slice(this.#passedTo, this.#at);
    this.#passedTo = this.#at;
    const gone = Math.max(0, this.#at - contextSize);
    this.#text = this.#text.slice(gone);
    this.#base += gone;
    this.#at -= gone;
    this.#passedTo -= gone;
    this.#retryFrom = Math.max(0, this.#retryFrom - gone);
    return text === '' ? [] : [{ kind: 'text', text }];
  }

  /** What waited, with the calls in it that are the model's own. */
  #parts(): readonly ScannedPart[] {
    const text = this.#text;
    const unreadRest = this.#isOver ? text.slice(this.#at) : '';
    const ownCalls = mayBeMeant(this.#foundCalls, {
      tools: this.#tools,
      unreadRest,
      text: this.#fencedText ?? text,
      isFenced: this.#fencedText !== undefined,
    });
    const leftCalls = [...this.#leftCalls, ...uncertainCalls(this.#foundCalls, ownCalls, text)];
    this.#leftCalls = leftCalls
      .map((call) => ({ ...call, start: this.#base + call.start }))
      .toSorted((one, other) => one.start - other.start);
    const parts: ScannedPart[] = [];
    let from = this.#passedTo;
    for (const place of ownCalls) {
      if (place.start > from) parts.push({ kind: 'text', text: text.slice(from, place.start) });
      const { calls, notation, start, end } = place;
      parts.push({
        kind: 'calls',
        calls,
        notation,
        start: this.#base + start,
        end: this.#base + end,
      });
      from = end;
    }
    if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
    return parts;
  }

  #scan(isFinal: boolean): void {
    while (this.#at < this.#text.length && !this.#isOver) {
      if (this.#leaveRegions(isFinal)) continue;
      if (this.#isHeld) return;
      if (!this.#step(isFinal)) return;
    }
  }

  /**
   * The calls in a block of code, a result or another role's turn without an end: all of them stay
   * text, and the model may have meant them.
   */
  #leaveCallsInside(): void {
    if (this.#inside === undefined) return;
    const { text, start } = this.#inside;
    const scanner = new CallScanner(this.#tools, false);
    scanner.#isInside = true;
    scanner.#text = text;
    scanner.#scan(true);
    const offset = start - this.#base;
    const openCalls = uncertainCalls(scanner.#foundCalls, [], scanner.#text);
    for (const call of [...scanner.#leftCalls, ...openCalls])
      this.#leftCalls.push({ ...call, start: offset + call.start });
  }

  /** Passes the text up to the end of the outermost region whose end has come. */
  #leaveRegions(isFinal: boolean): boolean {
    const searchedTo = this.#base + Math.max(0, this.#text.length - longestMarker);
    for (const [index, region] of this.#regions.entries()) {
      const { kind, closes } = region;
      closes.lastIndex = Math.max(this.#at, region.searchedTo - this.#base);
      const match = closes.exec(this.#text);
      // What follows may belong to the tag.
      if (match === null || (!isFinal && closes.lastIndex >= this.#text.length)) {
        this.#regions[index] = { ...region, searchedTo };
        continue;
      }
      const endOfCall = this.#endOfCallAcross(match.index, isFinal);
      if (endOfCall === 'undecided') {
        this.#isUndecided = true;
        return this.#hold();
      }
      if (endOfCall !== undefined) {
        this.#regions[index] = { ...region, searchedTo: this.#base + endOfCall };
        return true;
      }
      const end = match.index + match[0].length;
      this.#regions.splice(index);
      this.#leaveUntil();
      this.#isHeld = false;
      if (kind === 'thought') this.#at = end;
      else this.#pass(end);
      return true;
    }
    return false;
  }

  /**
   * The end of the call that begins before an offset and goes on behind it; `undecided` if
   * there may be one, and the text is not whole yet.
   */
  #endOfCallAcross(offset: number, isFinal: boolean): number | 'undecided' | undefined {
    if (!this.#tools.mayName(this.#text.slice(this.#at, offset))) return undefined;
    const scanner = new CallScanner(this.#tools, false);
    scanner.#text = this.#text.slice(0, offset);
    scanner.#at = this.#at;
    scanner.#until = this.#until;
    scanner.#scan(true);
    this.#spent += scanner.#spent;
    const openCall = scanner.#openCall;
    if (openCall === undefined || this.#isSpent()) return undefined;
    if (!isFinal) return 'undecided';
    const readCalls = openCall.isMarked ? readMarkedCalls : readBareCalls;
    const read = readCalls(this.#text, openCall.start, this.#tools);
    this.#spent += read.spent;
    return read.kind === 'calls' && read.end > offset ? read.end : undefined;
  }

  /**
   * Whether a part of the text may end a region in which a call waits. Only the end of the text is
   * searched: to search all of it at each part would take quadratic time.
   */
  #mayEndRegion(part: string): boolean {
    if (this.#regions.length === 0 || this.#isUndecided) return false;
    const end =
      this.#heldEnd === undefined
        ? this.#text.slice(-(longestMarker + part.length))
        : this.#heldEnd + part;
    this.#heldEnd = end.slice(-longestMarker);
    return this.#regions.some(({ closes }) => {
      closes.lastIndex = 0;
      return closes.test(end);
    });
  }

  #open(kind: Region['kind'], closes: RegExp): void {
    const isOpen = this.#regions.some((region) => region.closes.source === closes.source);
    if (isOpen || this.#regions.filter((region) => region.kind === kind).length >= mostRegions)
      return;
    this.#regions.push({ kind, closes, searchedTo: 0 });
  }

  #isIn(kind: Region['kind']): boolean {
    return this.#regions.some((region) => region.kind === kind);
  }

  /** Goes on by one marker; false: the text that is there isn't enough. */
  #step(isFinal: boolean): boolean {
    if (this.#until !== undefined) return this.#leave(this.#until, isFinal);
    const text = this.#text;
    const safe = isFinal ? text.length : endOfSafeText(text, this.#at);
    const nextMarker = this.#markers.next(text, this.#at);
    const marker = nextMarker !== undefined && nextMarker.start < safe ? nextMarker : undefined;
    this.#pass(marker?.start ?? safe);
    if (marker === undefined) return false;
    if (this.#isInside && !kindsInside.has(marker.kind)) return this.#pass(marker.end);
    switch (marker.kind) {
      case 'call':
        return this.#readCall(marker, isFinal);
      case 'bare':
      case 'json':
        return this.#readBare(marker, isFinal);
      case 'fence':
        return this.#readFence(marker, isFinal);
      case 'code':
        return this.#passCode(marker.mark, isFinal);
      case 'thought':
      case 'element':
      case 'shown':
        this.#open(marker.kind, marker.closes);
        return this.#pass(marker.end);
      case 'thought_end':
        // All before it was reasoning, too.
        this.#foundCalls = [];
        this.#leftCalls = [];
        this.#wordsBefore = '';
        this.#at = marker.end;
        return true;
      case 'answer':
        // It is for the user, with or without an end.
        this.#until = marker.closes;
        return this.#pass(marker.end);
      default:
        return this.#enter(marker.closes, marker.end);
    }
  }

  /** Passes the opening of what no call is read in. */
  #enter(closes: RegExp, end: number): true {
    this.#pass(end);
    this.#until = closes;
    closes.lastIndex = 0;
    // The end of the text ends its last line.
    if (closes.test('\n') || this.#isInside) return true;
    this.#inside = { start: this.#base + this.#at, text: '' };
    return true;
  }

  #leaveUntil(): void {
    this.#until = undefined;
    this.#inside = undefined;
  }

  #pass(end: number): true {
    if (this.#inside !== undefined && this.#inside.text.length < longestCall)
      this.#inside.text += this.#text.slice(this.#at, end);
    if (!this.#isIn('thought') && this.#wordsBefore !== undefined) {
      const words = this.#wordsBefore + this.#text.slice(this.#at, end);
      this.#wordsBefore = words.length > longestSaid ? undefined : words;
    }
    this.#at = Math.max(this.#at, end);
    return true;
  }

  #hold(): false {
    this.#isHeld = true;
    return false;
  }

  /** Waits until the text after `#at` is twice as long. */
  #wait(): false {
    this.#retryFrom = this.#text.length + Math.max(longestTag, this.#text.length - this.#at);
    return false;
  }

  #leave(until: RegExp, isFinal: boolean): boolean {
    until.lastIndex = this.#at;
    const match = until.exec(this.#text);
    const isCertain =
      match !== null && (isFinal || match.index + match[0].length < this.#text.length);
    if (!isCertain) {
      const safeEnd = match?.index ?? Math.max(this.#at, this.#text.length - longestMarker);
      this.#pass(isFinal ? this.#text.length : safeEnd);
      return isFinal;
    }
    this.#leaveUntil();
    return this.#pass(match.index + match[0].length);
  }

  /** A run of backticks is inline code if one of the same length follows in the paragraph. */
  #passCode(run: string, isFinal: boolean): boolean {
    const start = this.#at + run.length;
    if (!isFinal && start >= this.#text.length) return this.#wait();
    if (run.length > longestInlineCode) return this.#pass(start);
    const rest = this.#text.slice(start, start + longestInlineCode);
    const paragraph = rest.replace(/\n[ \t]*\n[^]*/, '');
    const isWhole = isFinal || paragraph.length < rest.length || rest.length === longestInlineCode;
    const closing = new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`).exec(paragraph);
    const isCertain = closing !== null && closing.index + run.length < paragraph.length;
    if (!isCertain && !isWhole) return false;
    return this.#pass(closing === null ? start : start + closing.index + run.length);
  }

  /** Whether the beginning of a call may name a tool; undefined if more text is needed. */
  #mayName(at: number, isFinal: boolean): boolean | undefined {
    const head = this.#text.slice(at, at + longestHead);
    if (this.#namesTool(at, head) || argumentsFirst.test(head)) return true;
    return isFinal || head.length === longestHead ? false : undefined;
  }

  /**
   * Whether a tool is named in the text from an offset on. Heads overlap: where one names none, more
   * text is looked at, twice as much each time, so that the next ones need not be.
   */
  #namesTool(at: number, head: string): boolean {
    if (this.#base + at + head.length <= this.#namelessTo) return false;
    if (this.#tools.mayName(head)) return true;
    const more = this.#text.slice(at, at + this.#lookahead);
    const isNameless = !this.#tools.mayName(more);
    if (isNameless) this.#namelessTo = this.#base + at + more.length;
    this.#lookahead = isNameless
      ? Math.min(longestLookahead, this.#lookahead * 2)
      : Math.max(2 * longestHead, this.#lookahead / 2);
    return false;
  }

  /** The call whose markup begins at `#at`. */
  #readCall({ end: markerEnd }: Marker, isFinal: boolean): boolean {
    const may = this.#mayName(this.#at, isFinal);
    if (may === undefined) return false;
    if (!may) return this.#pass(markerEnd);
    if (!isFinal) return this.#hold();
    const read = readMarkedCalls(this.#text, this.#at, this.#tools);
    this.#spent += read.spent;
    if (this.#isSpent()) return this.#stop();
    return this.#take(read, markerEnd, true);
  }

  #take(read: ReadCalls, markerEnd: number, isMarked: boolean): boolean {
    if (read.kind === 'none') return this.#pass(Math.max(markerEnd, this.#at + 1));
    if (read.kind === 'other') return this.#pass(read.end);
    if (read.kind === 'broken') return this.#stop(read);
    if (read.kind === 'refused') return this.#refuse(read);
    const { calls, notation, end } = read;
    const start = this.#at;
    this.#foundCalls.push({
      calls,
      notation,
      start,
      end,
      isMarked,
      isInThought: this.#isIn('thought'),
      isShown: this.#isIn('shown'),
      wordsBefore: this.#wordsBefore,
    });
    this.#wordsBefore = '';
    this.#at = end;
    return true;
  }

  /** A call of a tool can't be read: the rest is text. */
  #stop(call?: ReadCalls & { readonly kind: 'broken' }): false {
    const start = this.#at;
    if (call?.isOpen === true) this.#openCall ??= { start, isMarked: true };
    const name = call?.name ?? this.#tools.nameIn(this.#text.slice(start, start + longestHead));
    if (name !== undefined)
      this.#leftCalls.push({
        name,
        notation: call?.notation,
        start,
        reason: 'unreadable',
        isOpen: call?.isOpen ?? false,
      });
    this.#isOver = true;
    return false;
  }

  #refuse({ calls, notation, end }: ReadCalls & { readonly kind: 'calls' | 'refused' }): true {
    const start = this.#at;
    if (!this.#isIn('thought'))
      for (const { name } of calls)
        this.#leftCalls.push({ name, notation, start, reason: 'refused', isOpen: false });
    return this.#pass(end);
  }

  /**
   * JSON on lines of its own, and text that begins with a tool's name: a call, or text about calls.
   */
  #readBare({ end: markerEnd, kind, mark }: Marker, isFinal: boolean): boolean {
    const start = this.#at;
    const isOfTool =
      kind === 'json' || mark.startsWith('<') || mark === 'print' || this.#tools.isTool(mark);
    if (!isOfTool) return this.#pass(markerEnd);
    const may = this.#mayName(start, isFinal);
    if (may === undefined) return false;
    if (may) {
      if (!isFinal) return this.#hold();
      const read = this.#bareCallsAt(start, this.#text);
      if (read.kind === 'calls') return this.#take(read, markerEnd, false);
      if (read.kind === 'other') return this.#pass(read.end);
      if (read.kind === 'refused') return this.#refuse(read);
    }
    if (kind !== 'json') return this.#pass(markerEnd);
    return this.#skipJson(start, isFinal, may);
  }

  /** A list or an object that is no call: what is in it is none, either. */
  #skipJson(start: number, isFinal: boolean, mayBeCall: boolean): boolean {
    if (this.#skipped > (this.#base + start) * 8 + freeLooks) return this.#pass(start + 1);
    const rest = this.#text.slice(start, start + longestSkippedJson);
    const end = endOfContainer(rest, 0);
    if (end === undefined && !isFinal && rest.length < longestSkippedJson) return this.#wait();
    this.#skipped += end ?? rest.length;
    if (end === undefined && mayBeCall) this.#openCall ??= { start, isMarked: false };
    return this.#pass(start + (end ?? 1));
  }

  /** Whether so many characters were read that nothing more is. */
  #isSpent(): boolean {
    return this.#spent > (this.#base + this.#text.length) * 8 + freeLooks;
  }

  #bareCallsAt(start: number, text: string): ReadCalls {
    if (this.#isSpent()) return { kind: 'none', spent: 0 };
    const read = readBareCalls(text, start, this.#tools);
    this.#spent += read.spent;
    return read;
  }

  /** A block of code: its text may be a call without markup. */
  #readFence({ end: markerEnd, closes }: Marker, isFinal: boolean): boolean {
    const firstLine = this.#text.slice(markerEnd, markerEnd + contextSize);
    const lineEnd = firstLine.indexOf('\n');
    if (lineEnd === -1 && !isFinal && firstLine.length < contextSize) return false;
    const start = lineEnd === -1 ? this.#text.length : afterBlanks(this.#text, markerEnd + lineEnd);
    if (lineEnd !== -1 && !isFinal && start >= this.#text.length) return false;
    const mayBeCode = !isPatch(firstLine.slice(0, lineEnd));
    if (mayBeCode && beginsCall.test(this.#text.slice(start, start + longestTag))) {
      const may = this.#mayName(start, isFinal);
      if (may === undefined) return false;
      if (may && !isFinal) return this.#hold();
      if (may) {
        closes.lastIndex = markerEnd;
        const closing = closes.exec(this.#text);
        const end = closing?.index ?? this.#text.length;
        const read = this.#bareCallsAt(start, this.#text.slice(0, end));
        if (read.kind === 'refused') this.#refuse(read);
        if (
          closing !== null &&
          read.kind === 'calls' &&
          this.#text.slice(read.end, end).trim() === ''
        ) {
          const endOfClosing = closing.index + closing[0].trimEnd().length;
          return this.#take({ ...read, end: endOfClosing }, markerEnd, false);
        }
      }
    }
    return this.#enter(closes, markerEnd);
  }
}

/** What is looked for in a block of code, a result or another role's turn. */
const kindsInside: ReadonlySet<Marker['kind']> = new Set(['call', 'bare', 'json', 'code']);
/** Matches the beginning of what may be a call in a fence. */
const beginsCall = /^(?:[[{]|[A-Za-z_][\w.-]{0,127}\s{0,8}[({]|Action:|Thought:)/;
/** Matches a call object with its name after its arguments. */
const argumentsFirst =
  /^[^{]{0,256}\{\s{0,16}["'](?:arguments|args|parameters|params|input|tool_calls|type|id|index)["']/;
const anyThoughtEnd =
  /<\/(?:think|thinking|reasoning|thought)>|\[\/THINK\]|◁\/think▷|<\|END_THINKING\|>/g;

import { type CallInText, CallReader, type CallsInText } from '../interpret/read-calls.ts';
import type { TextPlace } from './protocol.ts';

/** What the reading of calls needs to know of a request. */
export interface TextTools {
  readonly names: readonly string[];
  /** A call that would be passed on wrong stays text. */
  readonly accepts: (call: CallInText) => boolean;
  /** Called for each call that was read. */
  readonly onFound: (call: CallInText) => void;
}

/** A piece of text at its offset in the text of the group. */
export interface Piece extends TextPlace {
  readonly start: number;
}

/** The text and the reasoning of one group while they come. */
export class TextGroup {
  readonly #reader: CallReader;
  readonly #tools: TextTools;
  readonly #reasoning: ReasoningText;
  readonly #parts = new Map<string, { readonly start: number; text: string }>();
  #calls: CallInText[] = [];
  /** Ranges of calls, in their order. */
  readonly #ranges: { readonly start: number; readonly end: number }[] = [];
  #length = 0;
  #certain = 0;
  #isBlank = true;
  #isEnded = false;

  constructor(tools: TextTools) {
    this.#reader = new CallReader(tools.names);
    this.#reasoning = new ReasoningText(tools);
    this.#tools = tools;
  }

  get calls(): readonly CallInText[] {
    return this.#calls;
  }

  /** The piece; undefined for what never changes: reasoning, and a repetition that is not one. */
  add(place: TextPlace): Piece | undefined {
    if (place.kind === 'reasoning') {
      if (!this.#isEnded) this.#reasoning.add(place.text);
      return undefined;
    }
    const part = place.part === undefined ? undefined : this.#parts.get(place.part);
    if (place.kind === 'repeat' && part !== undefined)
      return part.text === place.text ? { ...place, start: part.start } : undefined;
    const start = this.#length;
    if (part !== undefined) part.text += place.text;
    else if (place.part !== undefined) this.#parts.set(place.part, { start, text: place.text });
    this.#length += place.text.length;
    this.#isBlank &&= place.text.trim() === '';
    if (!this.#isEnded) this.#take(this.#reader.add(place.text));
    return { ...place, start };
  }

  /** `endsWithoutCall`: the model ended the answer by itself, without a call of the API. */
  end(endsWithoutCall: boolean): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#take(this.#reader.end());
    if (!endsWithoutCall || !this.#isBlank) return;
    this.#calls = [...this.#reasoning.calls()];
    for (const call of this.#calls) this.#tools.onFound(call);
  }

  isCertain({ start, text }: Piece): boolean {
    return this.#isEnded || start + text.length <= this.#certain;
  }

  /** The piece without calls. */
  textOf({ start, text }: Piece): string {
    let rest = '';
    let at = 0;
    for (let index = this.#rangeBehind(start); at < text.length; index += 1) {
      const range = this.#ranges[index];
      rest += text.slice(at, range === undefined ? undefined : Math.max(at, range.start - start));
      at = range === undefined ? text.length : range.end - start;
    }
    return rest;
  }

  /** The place of the first range that ends behind an offset. */
  #rangeBehind(offset: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#ranges[middle]?.end ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The calls of one list have one range, and stay or go together. */
  #take({ calls, text }: CallsInText): void {
    this.#certain += text.length;
    for (const list of Map.groupBy(calls, ({ start }) => start).values()) {
      const [first] = list;
      if (first === undefined) continue;
      const { start, end } = first;
      this.#certain += end - start;
      if (!list.every(this.#tools.accepts)) continue;
      for (const call of list) this.#tools.onFound(call);
      this.#ranges.push({ start, end });
      this.#calls.push(...list);
    }
  }
}

/** The most characters of reasoning that are read. */
const maxReasoning = 4 * 1024 * 1024;

/**
 * Reads the calls with which reasoning ends: a server whose parser lost the end of the thoughts
 * leaves all of the answer there. What the model says behind a call, or a call that it thought of
 * before, shows that it was a thought.
 */
class ReasoningText {
  readonly #reader: CallReader;
  readonly #tools: TextTools;
  readonly #calls: CallInText[] = [];
  #text = '';
  #isTooLong = false;

  constructor(tools: TextTools) {
    this.#reader = new CallReader(tools.names, { isReasoning: true });
    this.#tools = tools;
  }

  add(text: string): void {
    if (this.#isTooLong) return;
    this.#isTooLong = this.#text.length + text.length > maxReasoning;
    if (this.#isTooLong) return;
    this.#text += text;
    this.#calls.push(...this.#reader.add(text).calls);
  }

  calls(): readonly CallInText[] {
    if (this.#isTooLong) return [];
    const calls = [...this.#calls, ...this.#reader.end().calls];
    const gaps = calls.map(({ start, end }, at) => {
      const next = calls[at + 1];
      return next?.start === start ? '' : this.#text.slice(end, next?.start);
    });
    return gaps.every((gap) => gap.trim() === '') && calls.every(this.#tools.accepts) ? calls : [];
  }
}

import type { CallsMeant } from '../interpret/offered-tool.ts';
import {
  type CallInText,
  type CallLeftInText,
  CallReader,
  type CallsInText,
  type ReadCallsOptions,
  readCalls,
} from '../interpret/read-calls.ts';
import type { ToolToRead } from './offered-tools.ts';
import type { TextPlace } from './protocol.ts';

/**
 * A call of a tool of the request that stays in the text. `not_read`: calls in text are not read.
 * `refused`: the tool doesn't take its arguments, which aren't an object.
 */
export interface LeftInText extends Pick<CallLeftInText, 'name' | 'notation'> {
  readonly reason: CallLeftInText['reason'] | 'not_read';
}

/** What the reading of calls needs to know of a request. */
export interface TextTools {
  readonly tools: readonly ToolToRead[];
  /** undefined: calls are not read, only reported. */
  readonly callsInText: CallsMeant | undefined;
  /** A call that no client could take stays text. */
  readonly accepts: (call: CallInText) => boolean;
  /** Called for each call that was read. */
  readonly onFound: (call: CallInText) => void;
  /** Called for each call that stays text. */
  readonly onLeft: (call: LeftInText) => void;
}

/** A piece of text at its offset in the text of the group. */
export interface Piece extends TextPlace {
  readonly start: number;
}

type TextReader = Pick<CallReader, 'add' | 'end'>;

/** The text and the reasoning of one group while they come. */
export class TextGroup {
  readonly #tools: TextTools;
  #reader: TextReader | undefined;
  #reasoning: TextReader | undefined;
  readonly #parts = new Map<string, { readonly start: number; text: string }>();
  #calls: readonly CallInText[] = [];
  /** Ranges of calls, in their order. */
  #ranges: readonly { readonly start: number; readonly end: number }[] = [];
  #length = 0;
  #certain = 0;
  #isBlank = true;
  #isEnded = false;

  constructor(tools: TextTools) {
    this.#tools = tools;
  }

  get calls(): readonly CallInText[] {
    return this.#calls;
  }

  /** The piece; undefined for what never changes: reasoning, and a repetition that is not one. */
  add(place: TextPlace): Piece | undefined {
    if (place.kind === 'reasoning') {
      if (this.#isEnded) return undefined;
      this.#reasoning ??= this.#newReader({ isReasoning: true });
      this.#reasoning.add(place.text);
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
    if (!this.#isEnded) {
      this.#reader ??= this.#newReader({});
      this.#certain += this.#reader.add(place.text).text.length;
    }
    return { ...place, start };
  }

  /** `endsWithoutCall`: the model ended the answer by itself, without a call of the API. */
  end(endsWithoutCall: boolean): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const inText = this.#reader?.end();
    if (inText !== undefined) this.#calls = this.#take(inText);
    this.#ranges = this.#calls.filter(({ start }, at) => start !== this.#calls[at - 1]?.start);
    const inReasoning = endsWithoutCall && this.#isBlank ? this.#reasoning?.end() : undefined;
    if (inReasoning !== undefined) this.#calls = this.#take(inReasoning);
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

  #newReader(options: ReadCallsOptions): TextReader {
    const { tools, callsInText } = this.#tools;
    return callsInText === undefined
      ? new WholeTextReader(tools, options)
      : new CallReader(tools, { ...options, callsInText });
  }

  /** The calls that are moved out of the text. Those of one list stay or go together. */
  #take({ calls, leftInText }: CallsInText): readonly CallInText[] {
    const { callsInText, accepts, onFound, onLeft } = this.#tools;
    const movedCalls = [...Map.groupBy(calls, ({ start }) => start).values()].flatMap((list) => {
      const reason = callsInText === undefined ? 'not_read' : 'refused';
      if (callsInText !== undefined && list.every(accepts)) return list;
      for (const { name, notation } of list) onLeft({ name, notation, reason });
      return [];
    });
    for (const call of movedCalls) onFound(call);
    for (const leftCall of leftInText) onLeft(leftCall);
    return movedCalls;
  }
}

/** The most characters of an answer in which calls are looked for that are not read. */
const maxText = 1024 * 1024;

/** Reads a text at its end, because nobody waits for it, and only if it may name a tool. */
class WholeTextReader implements TextReader {
  readonly #tools: readonly ToolToRead[];
  readonly #options: ReadCallsOptions;
  #text = '';

  constructor(tools: readonly ToolToRead[], options: ReadCallsOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  add(text: string): CallsInText {
    if (this.#text.length <= maxText) this.#text += text;
    return { calls: [], text, leftInText: [] };
  }

  end(): CallsInText {
    const text = this.#text.length > maxText ? '' : this.#text;
    const letters = lettersOf(text);
    const mayName = this.#tools.some(({ name }) => letters.includes(lettersOf(name)));
    return mayName
      ? readCalls(text, this.#tools, this.#options)
      : { calls: [], text, leftInText: [] };
  }
}

/** Models write the names of tools in several spellings. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

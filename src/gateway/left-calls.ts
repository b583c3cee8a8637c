import { type CallInText, readCalls } from '../interpret/read-calls.ts';
import type { TextPlace } from './protocol.ts';

/** The most characters of an answer in which calls are looked for. */
const maxText = 1024 * 1024;

/**
 * Finds the calls that stay in the text which the client gets: the server has no parser for them,
 * and the gateway was not asked to read them, or can't repair them.
 */
export class LeftCalls {
  readonly #names: readonly string[];
  readonly #texts = new Map<string, string>();
  #length = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Takes the texts of a whole answer, or of one event. */
  add(places: readonly TextPlace[]): void {
    for (const { kind, group, text } of places) {
      const before = this.#texts.get(group) ?? '';
      const isNew = kind === 'piece' || (kind === 'repeat' && before === '');
      if (!isNew || this.#length > maxText) continue;
      this.#length += text.length;
      this.#texts.set(group, before + text);
    }
  }

  /** Nothing is found in an answer that is too long. */
  calls(): readonly CallInText[] {
    if (this.#length > maxText) return [];
    return Array.from(this.#texts.values())
      .filter((text) => this.#names.some((name) => text.includes(name)))
      .flatMap((text) => readCalls(text, this.#names).calls);
  }
}

import { isBlank, isIntroduction, longestIntroduction } from './announcements.ts';
import type { ScannedPart } from './call-scanner.ts';

/** Characters of calls, and of text behind them, that are kept at most. */
const longestRun = 4 * 1024 * 1024;

/**
 * Decides which of the calls in a text are the model's own. A text can also quote a call or speak
 * about it, so calls are read only if nothing but reasoning, introductions of calls and other calls
 * is before them, and if a call ends the text.
 */
export class CallContext {
  /** Whether the text is reasoning, so that only the last paragraph before a call introduces it. */
  readonly #isReasoning: boolean;
  /** The text since the last call, without reasoning. */
  #before = '';
  /** All parts from the first call on, and the text behind the last call. */
  readonly #held: ScannedPart[] = [];
  #heldLength = 0;
  #behind = '';
  /** Text came that doesn't introduce a call, so that all calls behind it are text. */
  #isOver = false;

  constructor(isReasoning: boolean) {
    this.#isReasoning = isReasoning;
  }

  /** Returns what is certain now. */
  add(parts: readonly ScannedPart[]): readonly ScannedPart[] {
    return parts.flatMap((part) => {
      if (this.#isOver) return [asText(part)];
      return part.kind === 'text' ? this.#addText(part) : this.#addCalls(part);
    });
  }

  /** Returns the rest. */
  end(): readonly ScannedPart[] {
    return isBlank(this.#behind) ? this.#held : this.#release();
  }

  #addText(part: ScannedPart & { readonly kind: 'text' }): readonly ScannedPart[] {
    if (part.isReasoning !== true)
      this.#before = this.#before === '' ? part.text.trimStart() : this.#before + part.text;
    const isTooLong = !this.#isReasoning && this.#before.length > longestIntroduction;
    if (this.#held.length === 0) {
      this.#isOver = isTooLong;
      return [part];
    }
    this.#behind += part.text;
    return this.#hold(part, !isTooLong);
  }

  #addCalls(part: ScannedPart & { readonly kind: 'calls' }): readonly ScannedPart[] {
    const before = this.#isReasoning ? lastParagraph(this.#before) : this.#before;
    const names = part.calls.map(({ name }) => name);
    const isOwn = isIntroduction(before, names, part.notation === 'react', this.#held.length === 0);
    this.#before = '';
    this.#behind = '';
    return this.#hold(part, isOwn);
  }

  #hold(part: ScannedPart, mayBeOwn: boolean): readonly ScannedPart[] {
    this.#held.push(part);
    this.#heldLength += part.text.length;
    return mayBeOwn && this.#heldLength <= longestRun ? [] : this.#release();
  }

  /** All that is held, as text; what follows is text, too. */
  #release(): readonly ScannedPart[] {
    this.#isOver = true;
    return this.#held.splice(0).map(asText);
  }
}

const asText = ({ text }: ScannedPart): ScannedPart => ({ kind: 'text', text });

const lastParagraph = (text: string): string => text.slice(text.trimEnd().lastIndexOf('\n\n') + 1);

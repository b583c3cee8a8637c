import { readPattern } from './patterns.ts';

/** Characters of an example. */
const maxLength = 400;

/** Repetitions of a quantified part that are tried, as far as the pattern allows them. */
const repetitions = [0, 1, 3];

/** A few strings that match a pattern, shortest first; empty if none is found or the pattern is invalid. */
export function patternExamples(source: string): readonly string[] {
  try {
    const { matcher } = readPattern(source);
    const made = repetitions.map((least) => new ExampleReader(source, least).read());
    const texts = made.filter((text) => text !== undefined);
    return [...new Set(texts)].filter((text) => text.length <= maxLength && matcher.test(text));
  } catch {
    return [];
  }
}

interface Quantity {
  readonly least: number;
  readonly most: number;
}

/** Makes the text for one part; undefined if it can't. `turn`: the index of the repetition. */
type Maker = (turn: number) => string | undefined;

const nothing: Maker = () => '';
const impossible: Maker = () => undefined;

/** Parses a pattern into a maker of texts. Skips lookarounds; doesn't support backreferences. */
class ExampleReader {
  readonly #pattern: string;
  readonly #repeated: number;
  #at = 0;

  constructor(pattern: string, repeated: number) {
    this.#pattern = pattern;
    this.#repeated = repeated;
  }

  read(): string | undefined {
    return this.#alternatives()(0);
  }

  /** Makes the first alternative for which it can. */
  #alternatives(): Maker {
    const all = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) all.push(this.#sequence());
    return (turn) => all.map((make) => make(turn)).find((text) => text !== undefined);
  }

  #sequence(): Maker {
    const parts: Maker[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at)))
      parts.push(this.#repeatedPart());
    return (turn) => joined(parts.map((make) => make(turn)));
  }

  #repeatedPart(): Maker {
    const make = this.#part();
    const { least, most } = this.#quantity();
    const times = Math.min(Math.max(least, this.#repeated), most, maxLength);
    if (least === 1 && most === 1) return make;
    return () => joined(Array.from({ length: times }, (_none, turn) => make(turn)));
  }

  #part(): Maker {
    if (this.#take(/\(\?<?[=!]/y) !== undefined) {
      this.#alternatives();
      this.#at += 1;
      return nothing;
    }
    if (this.#take(/\((?:\?(?::|<[^>]*>))?/y) !== undefined) {
      const inside = this.#alternatives();
      this.#at += 1;
      return inside;
    }
    if (this.#take(/\^|\$|\\[bB]/y) !== undefined) return nothing;
    if (this.#take(/\\(?:k<[^>]*>|[1-9]\d*)/y) !== undefined) return impossible;
    const one =
      this.#take(/\[(?:\\.|[^\]\\])*\]/suy) ??
      this.#take(/\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c.|.)|\./suy);
    if (one !== undefined) return oneOf(one);
    const literal = this.#take(/./suy);
    return () => literal;
  }

  #quantity(): Quantity {
    const token = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
    if (token === undefined) return { least: 1, most: 1 };
    if (!token.startsWith('{'))
      return { least: token.startsWith('+') ? 1 : 0, most: token.startsWith('?') ? 1 : Infinity };
    const [least = 0, most = token.includes(',') ? Infinity : least] = (token.match(/\d+/g) ?? []).map(
      Number,
    );
    return { least, most };
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#pattern)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

const joined = (texts: readonly (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : texts.join('');

/** A different character each turn: three letters become `abc`. */
function oneOf(source: string): Maker {
  const matcher = new RegExp(`^${source}$`, 'u');
  const fitting = characters.filter((character) => matcher.test(character));
  return (turn) => fitting[turn % Math.max(1, fitting.length)];
}

const characters = Array.from(
  'abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:@#+=,;!?*%&$~^|<>()[]{}\'"`\\ \t\néß東😀',
);

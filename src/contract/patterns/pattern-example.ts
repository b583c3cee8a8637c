// Which text matches a pattern? A short one that is made while the pattern is read, and kept only if it really matches. What
// looks around is passed over; there is none for what refers back.
import { readPattern } from './pattern-matcher.ts';

/** Characters of an example, at most. */
const longest = 400;
/** How often what may be repeated is repeated: as rarely as allowed first. */
const repetitions = [0, 1, 3];

/** A few texts that match, the shortest first; none for a pattern that can't be read. */
export function patternExamples(pattern: string): readonly string[] {
  try {
    const { matcher } = readPattern(pattern);
    const made = repetitions.map((least) => new ExampleReader(pattern, least).read());
    const texts = made.filter((text) => text !== undefined);
    return [...new Set(texts)].filter((text) => text.length <= longest && matcher.test(text));
  } catch {
    return [];
  }
}

interface Quantity {
  readonly least: number;
  readonly most: number;
}

/** Makes the text of one part, for the how-manieth time; undefined where it can't be made. */
type Maker = (turn: number) => string | undefined;

const nothing: Maker = () => '';
const impossible: Maker = () => undefined;

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

  /** The first alternative that can be made. */
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
    const times = Math.min(Math.max(least, this.#repeated), most, longest);
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
    const said = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
    if (said === undefined) return { least: 1, most: 1 };
    if (!said.startsWith('{'))
      return { least: said.startsWith('+') ? 1 : 0, most: said.startsWith('?') ? 1 : Infinity };
    const [least = 0, most = said.includes(',') ? Infinity : least] = (said.match(/\d+/g) ?? []).map(Number);
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

/** Another character each time, as long as there is one: `abc` for three letters. */
function oneOf(source: string): Maker {
  const matcher = new RegExp(`^${source}$`, 'u');
  const fitting = characters.filter((character) => matcher.test(character));
  return (turn) => fitting[turn % Math.max(1, fitting.length)];
}

const characters = Array.from(
  'abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:@#+=,;!?*%&$~^|<>()[]{}\'"`\\ \t\néß東😀',
);

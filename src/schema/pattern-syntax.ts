/** A part of a regular expression of JavaScript with the flag `u`. */
export type PatternPart =
  /**
   * Matches one character: `text` itself, or what an expression such as `[a-z]` or `\d` matches.
   */
  | { readonly kind: 'character'; readonly text: string; readonly isLiteral: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'alternatives'; readonly parts: readonly PatternPart[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternPart;
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'assertion'; readonly text: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'lookaround' }
  | { readonly kind: 'backreference' }
  /** Syntax that this parser doesn't know, such as `(?i:a)`, with the rest of the pattern. */
  | { readonly kind: 'unknown' };

/** Parses a pattern that the platform's engine accepts. */
export const parsePattern = (source: string): PatternPart => new PatternParser(source).parse();

class PatternParser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): PatternPart {
    return this.#alternatives();
  }

  #alternatives(): PatternPart {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) parts.push(this.#sequence());
    return { kind: 'alternatives', parts };
  }

  #sequence(): PatternPart {
    const parts: PatternPart[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at)))
      parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): PatternPart {
    const part = this.#part();
    const token = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
    if (token === undefined) return part;
    if (!token.startsWith('{')) {
      const most = token.startsWith('?') ? 1 : Infinity;
      return { kind: 'repeat', part, least: token.startsWith('+') ? 1 : 0, most };
    }
    const [least = 0, most = token.includes(',') ? Infinity : least] = (
      token.match(/\d+/g) ?? []
    ).map(Number);
    return { kind: 'repeat', part, least, most };
  }

  #part(): PatternPart {
    if (this.#take(/\(\?<?[=!]/y) !== undefined) {
      this.#group();
      return { kind: 'lookaround' };
    }
    if (this.#take(/\((?:\?(?::|<[^>]*>)|(?!\?))/y) !== undefined) return this.#group();
    const assertion = this.#take(/\^|\$|\\[bB]/y);
    if (assertion === '^' || assertion === '$' || assertion === '\\b' || assertion === '\\B')
      return { kind: 'assertion', text: assertion };
    if (this.#take(/\\(?:k<[^>]*>|[1-9]\d*)/y) !== undefined) return { kind: 'backreference' };
    const one =
      this.#take(/\[(?:\\.|[^\]\\])*\]/suy) ??
      this.#take(
        /\\(?:[pPu]\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c.|.)|\./suy,
      );
    if (one !== undefined) return { kind: 'character', text: one, isLiteral: false };
    const literal = this.#take(/[^$^\\.*+?()[\]{}|]/uy);
    if (literal !== undefined) return { kind: 'character', text: literal, isLiteral: true };
    this.#at = this.#source.length;
    return { kind: 'unknown' };
  }

  #group(): PatternPart {
    const groupPart = this.#alternatives();
    this.#at += 1;
    return groupPart;
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#source)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }
}

import { RE2JS } from 're2js';
import { objectOf } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from './json-schema.ts';

// Read from the pattern alone; a no is certain, a yes may be a false alarm.
/** Ways to match the same text, at most: the engine may have to try each. */
const mostWays = 64;

/** The pattern is one that the platform's engine takes with the flag `u`. */
function mayBacktrack(pattern: string): boolean {
  const shape = shapeOf(pattern);
  if (/\\/.test(shape)) return true;
  const { lookaheads, rest } = withoutLookaheads(shape);
  const isAnchored = rest.startsWith('^') && !hasTopLevelBar(rest);
  if (lookaheads.length > 0 && !isAnchored) return true;
  return [...lookaheads, rest].some((part) => mayBacktrackIn(part, isAnchored));
}

/** The pattern with one letter for each character and class; a backslash stands for what refers back. */
const shapeOf = (pattern: string): string =>
  pattern
    .replace(/\\(?:k<[^>]*>|[1-9]\d*)/g, '\u0000')
    .replace(/\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c.|.)/gsu, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replaceAll('\u0000', '\\');

/** Looked at one after the other from the same place, none is entered again. */
function withoutLookaheads(shape: string): { lookaheads: readonly string[]; rest: string } {
  const lookaheads: string[] = [];
  let rest = shape;
  const leading = /^\^\(\?[=!]([^()]*)\)/;
  for (let found = leading.exec(rest); found !== null; found = leading.exec(rest)) {
    lookaheads.push(found[1] ?? '');
    rest = `^${rest.slice(found[0].length)}`;
  }
  return { lookaheads, rest };
}

function hasTopLevelBar(shape: string): boolean {
  let depth = 0;
  for (const character of shape) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === '|' && depth === 0) return true;
  }
  return false;
}

/** Groups that are not repeated count as if they were not there. */
function mayBacktrackIn(shape: string, isAnchored: boolean): boolean {
  if (/\)(?:[*+]|\{)/.test(shape) || /\(\?(?:[=!]|<[=!])/.test(shape)) return true;
  const quantifiers = shape.replace(/\(\?(?::|<[^>]*>)/g, '(').match(/[*+?]|\{\d+(?:,\d*)?\}/g) ?? [];
  const isEndless = (quantifier: string): boolean => /[*+]|,\}/.test(quantifier);
  const endless = quantifiers.filter(isEndless).length;
  const bounded = quantifiers.filter((quantifier) => !isEndless(quantifier)).map(waysOf);
  const bars = (shape.match(/\|/g) ?? []).length;
  const ways = [bars + 1, ...bounded].reduce((all, each) => all * each, 1);
  if (endless > (isAnchored ? 1 : 0)) return true;
  return endless + (isAnchored ? 0 : 1) > 0 ? ways > mostWays : ways > mostWays * 1000;
}

function waysOf(quantifier: string): number {
  if (quantifier === '?') return 2;
  const [least = 0, most = least] = quantifier.slice(1, -1).split(',').map(Number);
  return most - least + 1;
}

// The platform's engine where it can't backtrack, else one that is linear.
/** Matches texts; its own text is the pattern's. */
export interface PatternMatcher {
  test(text: string): boolean;
  toString(): string;
}

/**
 * `native`: the platform's own engine will do. `unsafe`: no other engine takes it, and the platform's may take time without
 * end; for authors whom one trusts.
 */
export interface PatternReading {
  readonly kind: 'native' | 'linear' | 'unsafe';
  readonly matcher: PatternMatcher;
}

const readings = new Map<string, PatternReading>();
const mostReadings = 1000;

/** Throws a SyntaxError for a pattern that is none. */
export function readPattern(pattern: string): PatternReading {
  const known = readings.get(pattern);
  if (known !== undefined) return known;
  const reading = readAnew(pattern);
  if (readings.size >= mostReadings) readings.clear();
  readings.set(pattern, reading);
  return reading;
}

function readAnew(pattern: string): PatternReading {
  const native = new RegExp(pattern, 'u');
  if (!mayBacktrack(pattern)) return { kind: 'native', matcher: native };
  try {
    const linear = RE2JS.compile(RE2JS.translateRegExp(asRe2(pattern)));
    return {
      kind: 'linear',
      matcher: { test: (text) => linear.test(text), toString: () => `linear ${pattern}` },
    };
  } catch {
    // What looks around or refers back has no linear form.
    return { kind: 'unsafe', matcher: native };
  }
}

/** JavaScript's blanks and line ends are more than those of RE2. */
function asRe2(pattern: string): string {
  let isInClass = false;
  return pattern.replace(/\\.|\[|\]|\./gsu, (token) => {
    if (token === '[') isInClass = true;
    if (token === ']') isInClass = false;
    if (token === '\\s') return isInClass ? blanks : `[${blanks}]`;
    if (token === '\\S' && !isInClass) return `[^${blanks}]`;
    return token === '.' && !isInClass ? '[^\\n\\r\\x{2028}\\x{2029}]' : token;
  });
}

const blanks =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

// The others are taken out: what they ask for is not looked at.
export interface SafePatterns {
  readonly schema: SchemaObject;
  /** What the engine says of patterns that are none. */
  readonly broken: readonly string[];
  /** Patterns that were taken out. */
  readonly unchecked: readonly string[];
}

/** `isTrusted`: the author is the developer, whose patterns all count. */
export function withSafePatterns(root: SchemaObject, isTrusted: boolean): SafePatterns {
  const broken = new Set<string>();
  const unchecked = new Set<string>();
  const isKept = (pattern: string): boolean => {
    try {
      if (isTrusted || readPattern(pattern).kind !== 'unsafe') return true;
      unchecked.add(pattern);
    } catch (error) {
      broken.add(error instanceof Error ? error.message : String(error));
    }
    return false;
  };
  const safe = (schema: SchemaObject): SchemaObject => mapSubschemas(kept(schema, isKept), safe);
  return { schema: safe(root), broken: [...broken], unchecked: [...unchecked] };
}

function kept(schema: SchemaObject, isKept: (pattern: string) => boolean): SchemaObject {
  const { pattern, ...withoutPattern } = schema;
  const plain = typeof pattern !== 'string' || isKept(pattern) ? schema : withoutPattern;
  if (plain.patternProperties === undefined) return plain;
  const all: readonly (readonly [string, JsonSchema])[] = Object.entries(plain.patternProperties);
  const left = all.filter(([name]) => isKept(name));
  if (left.length === all.length) return plain;
  // Without the pattern nobody knows which keys are additional ones.
  const { additionalProperties: _closed, unevaluatedProperties: _alsoClosed, ...open } = plain;
  return { ...open, patternProperties: objectOf(left) };
}

// A short one that is made while the pattern is read, and kept only if it really matches. What looks around is passed
// over; there is none for what refers back.
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

import { type PatternPart, parsePattern } from './pattern-syntax.ts';
import { readPattern } from './patterns.ts';

/** Characters of an example. */
const maxLength = 400;

/** Repetitions of a quantified part that are tried, as far as the pattern allows them. */
const repetitions = [0, 1, 3];

/** A few strings that match a pattern, shortest first; empty if none is found or the pattern is invalid. */
export function patternExamples(source: string): readonly string[] {
  try {
    const { matcher } = readPattern(source);
    const parsed = parsePattern(source);
    const made = repetitions.map((least) => makerOf(parsed, least)(0));
    const texts = made.filter((text) => text !== undefined);
    return [...new Set(texts)].filter((text) => text.length <= maxLength && matcher.test(text));
  } catch {
    return [];
  }
}

/** Makes the text for one part; undefined if it can't. `turn`: the index of the repetition. */
type Maker = (turn: number) => string | undefined;

/** Makes the first alternative for which it can. Skips lookarounds; doesn't support backreferences and unknown syntax. */
function makerOf(part: PatternPart, repeated: number): Maker {
  if (part.kind === 'character') return part.isLiteral ? () => part.text : oneOf(part.text);
  if (part.kind === 'repeat') return makerOfRepeat(part, repeated);
  if (part.kind === 'backreference' || part.kind === 'unknown') return () => undefined;
  if (part.kind === 'assertion' || part.kind === 'lookaround') return () => '';
  const makers = part.parts.map((inside) => makerOf(inside, repeated));
  return part.kind === 'sequence'
    ? (turn) => joined(makers.map((make) => make(turn)))
    : (turn) => makers.map((make) => make(turn)).find((text) => text !== undefined);
}

function makerOfRepeat(
  { part, least, most }: Extract<PatternPart, { readonly kind: 'repeat' }>,
  repeated: number,
): Maker {
  const make = makerOf(part, repeated);
  const times = Math.min(Math.max(least, repeated), most, maxLength);
  return () => joined(Array.from({ length: times }, (_none, turn) => make(turn)));
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

import { attempt } from '../collections/attempt.ts';
import { setNewest } from '../collections/bounded-map.ts';
import { objectOf } from '../collections/objects.ts';
import { type JsonSchema, type SchemaObject, keywordsIn, mapSubschemas } from './json-schema.ts';
import { linearPattern } from './linear-pattern.ts';

/** Tests strings against a pattern. */
export interface PatternMatcher {
  test(text: string): boolean;
  /** Ajv identifies patterns by it. */
  toString(): string;
}

/**
 * `native`: the platform's engine, for a pattern that can't make it backtrack much. `linear`: an
 * automaton, whose time is linear. `unsafe`: the automaton can't express the pattern, and the
 * platform's engine may not terminate in practice; for trusted authors only.
 */
export interface Pattern {
  readonly kind: 'native' | 'linear' | 'unsafe';
  readonly matcher: PatternMatcher;
}

const cachedPatterns = new Map<string, Pattern>();
const maxKnown = 1000;

/** Throws a SyntaxError for an invalid pattern. */
export function readPattern(source: string): Pattern {
  const pattern = cachedPatterns.get(source) ?? compilePattern(source);
  if (!cachedPatterns.has(source)) setNewest(cachedPatterns, [source, pattern], maxKnown);
  return pattern;
}

function compilePattern(source: string): Pattern {
  const native = compileNative(source);
  if (!native.unicode)
    return { kind: isPlainSyntax(source) ? 'native' : 'unsafe', matcher: native };
  if (!mayBacktrack(source)) return { kind: 'native', matcher: native };
  const linear = linearPattern(source);
  if (linear === undefined) return { kind: 'unsafe', matcher: native };
  const matcher = { test: (text: string) => linear.test(text), toString: () => `linear ${source}` };
  return { kind: 'linear', matcher };
}

/**
 * JSON Schema's patterns are Unicode expressions. Many in use, such as `[\\w-.]`, compile only
 * without the flag.
 */
const compileNative = (source: string): RegExp =>
  attempt(() => new RegExp(source, 'u')) ??
  attempt(() => new RegExp(source)) ??
  new RegExp(source, 'u');

/**
 * Whether the form of a pattern without the flag is read correctly, and shows that it can't
 * backtrack much.
 */
const isPlainSyntax = (source: string): boolean =>
  !/\\[pPukc]/.test(source) && !mayBacktrack(source);

/** Ways in which a backtracking engine may try to match the same text. */
const maxWays = 64;

/**
 * Whether the platform's engine may backtrack much, by the form of the pattern. A false positive
 * costs only speed.
 */
function mayBacktrack(source: string): boolean {
  const shape = shapeOf(source);
  if (shape.includes('\\')) return true;
  const { lookaheads, rest } = splitLookaheads(shape);
  const isAnchored = rest.startsWith('^') && !hasAlternatives(rest);
  if (lookaheads.length > 0 && !isAnchored) return true;
  return [...lookaheads, rest].some((part) => hasManyWays(part, isAnchored));
}

/**
 * The pattern with each character and class replaced by `x`, and each backreference by a backslash.
 */
const shapeOf = (source: string): string =>
  source
    .replace(
      /\\(?:(k<[^>]*>|[1-9]\d*)|[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c.|.)/gsu,
      (_escape, backreference) => (backreference === undefined ? 'x' : '\\'),
    )
    .replace(/\[[^\]]*\]/g, 'x');

/** Splits off the lookaheads at the start, which are matched once each, from there. */
function splitLookaheads(shape: string): {
  readonly lookaheads: readonly string[];
  readonly rest: string;
} {
  const [leading = ''] = /^\^(?:\(\?[=!][^()]*\))+/.exec(shape) ?? [];
  const lookaheads = leading.match(/(?<=\(\?[=!])[^()]*/g) ?? [];
  return { lookaheads, rest: leading === '' ? shape : `^${shape.slice(leading.length)}` };
}

function hasAlternatives(shape: string): boolean {
  let depth = 0;
  for (const character of shape) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === '|' && depth === 0) return true;
  }
  return false;
}

function hasManyWays(shape: string, isAnchored: boolean): boolean {
  const hasRepeatedGroup = /\)(?:[*+]|\{)/.test(shape);
  const hasLookaround = /\(\?(?:[=!]|<[=!])/.test(shape);
  if (hasRepeatedGroup || hasLookaround) return true;
  const quantifiers =
    shape.replace(/\(\?(?::|<[^>]*>)/g, '(').match(/[*+?]|\{\d+(?:,\d*)?\}/g) ?? [];
  const isUnbounded = (quantifier: string): boolean => /[*+]|,\}/.test(quantifier);
  const unbounded = quantifiers.filter(isUnbounded).length;
  const alternatives = (shape.match(/\|/g) ?? []).length + 1;
  const ways = quantifiers
    .filter((quantifier) => !isUnbounded(quantifier))
    .reduce((product, quantifier) => product * waysOf(quantifier), alternatives);
  if (unbounded > (isAnchored ? 1 : 0)) return true;
  return ways > (isAnchored && unbounded === 0 ? maxWays * 1000 : maxWays);
}

function waysOf(quantifier: string): number {
  if (quantifier === '?') return 2;
  const [least = 0, most = least] = quantifier.slice(1, -1).split(',').map(Number);
  return most - least + 1;
}

export interface SafePatterns {
  readonly schema: SchemaObject;
  /** The engine's messages about invalid patterns. */
  readonly invalid: readonly string[];
  readonly unsafe: readonly string[];
}

/** A copy without invalid patterns, and without unsafe ones unless the author is trusted. */
export function withSafePatterns(root: SchemaObject, isTrusted: boolean): SafePatterns {
  const invalid = new Set<string>();
  const unsafe = new Set<string>();
  const isKept = (source: string): boolean => {
    try {
      if (isTrusted || readPattern(source).kind !== 'unsafe') return true;
      unsafe.add(source);
    } catch (error) {
      invalid.add(error instanceof Error ? error.message : String(error));
    }
    return false;
  };
  const copy = (schema: SchemaObject): SchemaObject =>
    mapSubschemas(keepPatterns(schema, isKept), copy);
  const keywords = keywordsIn(root);
  if (!keywords.has('pattern') && !keywords.has('patternProperties'))
    return { schema: root, invalid: [], unsafe: [] };
  return { schema: copy(root), invalid: [...invalid], unsafe: [...unsafe] };
}

function keepPatterns(schema: SchemaObject, isKept: (source: string) => boolean): SchemaObject {
  const { pattern, ...withoutPattern } = schema;
  const plain = typeof pattern !== 'string' || isKept(pattern) ? schema : withoutPattern;
  if (plain.patternProperties === undefined) return plain;
  const all: readonly (readonly [string, JsonSchema])[] = Object.entries(plain.patternProperties);
  const keptPatterns = all.filter(([source]) => isKept(source));
  if (keptPatterns.length === all.length) return plain;
  // Otherwise, keys that match the removed pattern would be refused as additional ones.
  const { additionalProperties: _closed, unevaluatedProperties: _alsoClosed, ...open } = plain;
  return { ...open, patternProperties: objectOf(keptPatterns) };
}

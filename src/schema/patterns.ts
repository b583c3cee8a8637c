import { RE2JS } from 're2js';
import { objectOf } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from './json-schema.ts';

/** Tests strings against a pattern. */
export interface PatternMatcher {
  test(text: string): boolean;
  /** Ajv tells patterns apart by it. */
  toString(): string;
}

/**
 * `native`: the platform's engine can't backtrack much. `linear`: RE2's engine, whose time is linear. `unsafe`: RE2 can't
 * match the pattern, and the platform's engine may take time without end; for trusted authors only.
 */
export interface Pattern {
  readonly kind: 'native' | 'linear' | 'unsafe';
  readonly matcher: PatternMatcher;
}

const known = new Map<string, Pattern>();
const maxKnown = 1000;

/** Throws a SyntaxError for an invalid pattern. */
export function readPattern(source: string): Pattern {
  let pattern = known.get(source);
  if (pattern === undefined) {
    pattern = compilePattern(source);
    if (known.size >= maxKnown) known.clear();
    known.set(source, pattern);
  }
  return pattern;
}

function compilePattern(source: string): Pattern {
  const native = new RegExp(source, 'u');
  if (!mayBacktrack(source)) return { kind: 'native', matcher: native };
  try {
    const linear = RE2JS.compile(RE2JS.translateRegExp(toRe2(source)));
    const matcher = { test: (text: string) => linear.test(text), toString: () => `linear ${source}` };
    return { kind: 'linear', matcher };
  } catch {
    // RE2 has no lookarounds and no backreferences.
    return { kind: 'unsafe', matcher: native };
  }
}

/** In JavaScript, `\s` and `.` know more blanks and line ends than in RE2. */
function toRe2(source: string): string {
  let isInClass = false;
  return source.replace(/\\.|\[|\]|\./gsu, (token) => {
    if (token === '[') isInClass = true;
    if (token === ']') isInClass = false;
    if (token === '\\s') return isInClass ? blanks : `[${blanks}]`;
    if (token === '\\S' && !isInClass) return `[^${blanks}]`;
    return token === '.' && !isInClass ? '[^\\n\\r\\x{2028}\\x{2029}]' : token;
  });
}

const blanks =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** Ways in which an engine that backtracks may have to match the same text. */
const maxWays = 64;

/** Whether the platform's engine may backtrack much, judged by the pattern alone. A false alarm costs only speed. */
function mayBacktrack(source: string): boolean {
  const shape = shapeOf(source);
  if (shape.includes('\\')) return true;
  const { lookaheads, rest } = splitLookaheads(shape);
  const isAnchored = rest.startsWith('^') && !hasAlternatives(rest);
  if (lookaheads.length > 0 && !isAnchored) return true;
  return [...lookaheads, rest].some((part) => hasManyWays(part, isAnchored));
}

/** The pattern with an `x` for each character and class, and a backslash for each backreference. */
const shapeOf = (source: string): string =>
  source
    .replace(/\\(?:k<[^>]*>|[1-9]\d*)/g, '\u0000')
    .replace(/\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c.|.)/gsu, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replaceAll('\u0000', '\\');

/** Lookaheads at the start are matched one after the other from there, and never again. */
function splitLookaheads(shape: string): { readonly lookaheads: readonly string[]; readonly rest: string } {
  const lookaheads: string[] = [];
  let rest = shape;
  const leading = /^\^\(\?[=!]([^()]*)\)/;
  for (let found = leading.exec(rest); found !== null; found = leading.exec(rest)) {
    lookaheads.push(found[1] ?? '');
    rest = `^${rest.slice(found[0].length)}`;
  }
  return { lookaheads, rest };
}

/** Outside all groups. */
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
  const quantifiers = shape.replace(/\(\?(?::|<[^>]*>)/g, '(').match(/[*+?]|\{\d+(?:,\d*)?\}/g) ?? [];
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
  /** Why patterns are invalid. */
  readonly invalid: readonly string[];
  /** Patterns that were left out. */
  readonly unsafe: readonly string[];
}

/** A copy without invalid patterns and, unless the author is trusted, without unsafe ones. */
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
  const copy = (schema: SchemaObject): SchemaObject => mapSubschemas(keepPatterns(schema, isKept), copy);
  return { schema: copy(root), invalid: [...invalid], unsafe: [...unsafe] };
}

function keepPatterns(schema: SchemaObject, isKept: (source: string) => boolean): SchemaObject {
  const { pattern, ...withoutPattern } = schema;
  const plain = typeof pattern !== 'string' || isKept(pattern) ? schema : withoutPattern;
  if (plain.patternProperties === undefined) return plain;
  const all: readonly (readonly [string, JsonSchema])[] = Object.entries(plain.patternProperties);
  const kept = all.filter(([source]) => isKept(source));
  if (kept.length === all.length) return plain;
  // Keys that matched the pattern must not be refused as additional ones.
  const { additionalProperties: _closed, unevaluatedProperties: _alsoClosed, ...open } = plain;
  return { ...open, patternProperties: objectOf(kept) };
}

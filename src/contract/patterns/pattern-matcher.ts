// What matches a pattern that somebody else wrote, without ever taking long? The platform's engine where it can't backtrack,
// else one that is linear.
import { RE2JS } from 're2js';
import { mayBacktrack } from './backtracking.ts';

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

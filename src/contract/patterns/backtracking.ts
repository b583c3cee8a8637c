// Could the platform's engine take more than a time that grows with the text to match a pattern? Read from the pattern alone;
// a no is certain, a yes may be a false alarm.

/** Ways to match the same text, at most: the engine may have to try each. */
const mostWays = 64;

/** The pattern is one that the platform's engine takes with the flag `u`. */
export function mayBacktrack(pattern: string): boolean {
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

// These names are suggested in messages; no call is changed because of them.

const longestName = 64;
const mostSuggestions = 3;

/** The one name nearest to what was written, whatever its case, separators or surplus words; undefined if there isn't exactly one. */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  const [nearest] = groupsByDistance(wanted, names);
  return nearest?.length === 1 ? nearest[0] : undefined;
}

/** Up to three near names, nearest first. Names equally near come all together or not at all. */
export function nearestNames(wanted: string, names: Iterable<string>): readonly string[] {
  const found: string[] = [];
  for (const group of groupsByDistance(wanted, names)) {
    if (found.length + group.length > mostSuggestions) break;
    found.push(...group);
  }
  return found;
}

/** Whether two names differ by one edit or in number, or the first has all words of the second: `new_text` and `new`. */
export function isNearName(wanted: string, known: string): boolean {
  const [words, others] = [wordsInName(wanted), wordsInName(known)];
  if (hasWords(words, others)) return true;
  const [left, right] = [words.join(''), others.join('')];
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  if (shorter.length < 3) return false;
  const isPlural = longer === `${shorter}es` || longer === shorter.replace(/y$/, 'ies');
  return isPlural || (longer.length - shorter.length < 2 && editDistance(left, right, 1) <= 1);
}

function groupsByDistance(wanted: string, names: Iterable<string>): readonly (readonly string[])[] {
  if (wanted.length > longestName || /[,;|&]/.test(wanted)) return [];
  const groups = new Map<number, string[]>();
  const words = wordsInName(wanted);
  for (const name of new Set(names)) {
    const distance = distanceIfNear(words, wordsInName(name));
    if (distance !== undefined) groups.set(distance, [...(groups.get(distance) ?? []), name]);
  }
  return [...groups].toSorted(([left], [right]) => left - right).map(([, group]) => group);
}

/** `readFiles`, `read_files` and `READ-FILES` have the same two words. */
export const wordsInName = (name: string): readonly string[] => wordsIn(name.slice(0, longestName));

export const wordsIn = (text: string): readonly string[] =>
  text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

function distanceIfNear(wanted: readonly string[], known: readonly string[]): number | undefined {
  const [left, right] = [wanted.join(''), known.join('')];
  if (deniedBy(wanted) !== deniedBy(known)) return undefined;
  const longer = Math.max(left.length, right.length);
  if (hasWords(wanted, known) || hasWords(known, wanted)) return Math.abs(left.length - right.length);
  const most = Math.max(1, Math.floor(longer / 3));
  if (longer < 2 || Math.abs(left.length - right.length) > most) return undefined;
  const distance = editDistance(left, right, most);
  return distance <= most ? distance : undefined;
}

/** Words that turn a name into another one: `not_open`, `open or closed`. */
const deniedBy = (words: readonly string[]): string =>
  words.filter((word) => /^(?:not?|non|n?or|without|except)$/.test(word)).join(' ');

const hasWords = (words: readonly string[], part: readonly string[]): boolean =>
  part.join('').length > 2 && ` ${words.join(' ')} `.includes(` ${part.join(' ')} `);

/** Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment). Returns `far` above `most`. */
function editDistance(left: string, right: string, most: number): number {
  let beforeLast = new Float64Array(right.length + 1);
  let last = Float64Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = new Float64Array(right.length + 1).fill(far);
    current[0] = row;
    let least = row;
    // Cells farther from the diagonal than `most` cannot lead to a distance within it.
    for (
      let column = row > most ? row - most : 1;
      column <= right.length && column <= row + most;
      column += 1
    ) {
      const same = left[row - 1] === right[column - 1];
      let distance = at(last, column - 1) + (same ? 0 : 1);
      distance = smaller(distance, smaller(at(last, column), at(current, column - 1)) + 1);
      if (!same && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        distance = smaller(distance, at(beforeLast, column - 2) + 1);
      }
      current[column] = distance;
      least = smaller(least, distance);
    }
    if (least > most) return far;
    [beforeLast, last] = [last, current];
  }
  return at(last, right.length);
}

const far = 1_000;
const smaller = (one: number, other: number): number => (one < other ? one : other);
const at = (row: Float64Array, column: number): number => row[column] ?? far;

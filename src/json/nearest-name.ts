import { memoize } from '../collections/memoize.ts';
import { spellingOf } from './key-spelling.ts';

// Except for the words and single edits that a rule asks for, no call is changed because of these
// names: messages suggest them, and they stop repairs.

const longestName = 64;
const mostSuggestions = 3;

/**
 * The one name nearest to what was written, whatever its case, separators or surplus words;
 * undefined if there isn't exactly one. `isOut`: whether a name is no candidate. An array of names
 * must not change, because what is known of it is kept.
 */
export function nearestName(
  name: string,
  names: Iterable<string>,
  isOut: (name: string) => boolean = () => false,
): string | undefined {
  if (isNoName(name)) return undefined;
  const letters = lettersOf(name);
  let nearest: string | undefined;
  let least = far;
  for (const candidate of lettersOfAll(names)) {
    const distance = distanceIfNear(letters, candidate, least);
    if (distance === undefined || isOut(candidate.name)) continue;
    nearest = distance === least ? undefined : candidate.name;
    least = distance;
  }
  return nearest;
}

/** Up to three near names, nearest first. Names equally near come all together or not at all. */
export function nearestNames(name: string, names: Iterable<string>): readonly string[] {
  const nearNames: string[] = [];
  for (const group of groupsByDistance(name, names)) {
    if (nearNames.length + group.length > mostSuggestions) break;
    nearNames.push(...group);
  }
  return nearNames;
}

/**
 * Whether two names differ by one edit or in number, or the first has all words of the second:
 * `new_text` and `new`.
 */
export function isNearName(name: string, candidate: string): boolean {
  const [words, others] = [wordsInName(name), wordsInName(candidate)];
  if (hasWords(words, others)) return true;
  const [left, right] = [words.join(''), others.join('')];
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  if (longer.length < 3 || shorter.length < 2) return false;
  const isPlural = longer === `${shorter}es` || longer === shorter.replace(/y$/, 'ies');
  return isPlural || (longer.length - shorter.length < 2 && editDistance(left, right, 1) <= 1);
}

/** Whether a letter was inserted, left out or replaced, or two neighbours were exchanged. */
export const isOneEdit = (left: string, right: string): boolean =>
  Math.abs(left.length - right.length) < 2 && editDistance(left, right, 1) === 1;

/** Whether a key may stand for an absent one: it spells it, is near it, or one has all words of the other. */
export const mayMean = (key: string, absent: string): boolean =>
  spellingOf(key) === spellingOf(absent) || isNearName(key, absent) || isNearName(absent, key);

function groupsByDistance(name: string, names: Iterable<string>): readonly (readonly string[])[] {
  if (isNoName(name)) return [];
  const groups = new Map<number, string[]>();
  const letters = lettersOf(name);
  for (const candidate of lettersOfAll(names)) {
    const distance = distanceIfNear(letters, candidate, far);
    if (distance !== undefined)
      groups.set(distance, [...(groups.get(distance) ?? []), candidate.name]);
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

const isNoName = (name: string): boolean => name.length > longestName || /[,;|&]/.test(name);

/** What is compared of a name. */
interface Letters {
  readonly name: string;
  /** Its words, with a blank before each and after the last one. */
  readonly words: string;
  /** Its words without anything between them. */
  readonly letters: string;
  readonly denial: string;
  /** How often it has each letter, in a few classes of letters. */
  readonly counts: Uint8Array;
}

const classes = 32;

function lettersOf(name: string): Letters {
  const words = wordsInName(name);
  const letters = words.join('');
  const counts = new Uint8Array(classes);
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters.charCodeAt(index) % classes;
    counts[letter] = (counts[letter] ?? 0) + 1;
  }
  return { name, words: wordsBetweenSpaces(words), letters, denial: deniedBy(words), counts };
}

const lettersOfArray = memoize((names: readonly string[]): readonly Letters[] =>
  [...new Set(names)].map(lettersOf),
);

const lettersOfAll = (names: Iterable<string>): readonly Letters[] =>
  lettersOfArray(isList(names) ? names : [...names]);

const isList = (names: Iterable<string>): names is readonly string[] => Array.isArray(names);

/** undefined: farther than `atMost`, or too far to be meant. */
function distanceIfNear(target: Letters, candidate: Letters, atMost: number): number | undefined {
  if (target.denial !== candidate.denial) return undefined;
  const [left, right] = [target.letters, candidate.letters];
  const apart = Math.abs(left.length - right.length);
  if (holdsWords(target, candidate) || holdsWords(candidate, target))
    return apart <= atMost ? apart : undefined;
  const longer = Math.max(left.length, right.length);
  const most = Math.min(atMost, Math.max(1, Math.floor(longer / 3)));
  if (longer < 2 || apart > most || otherLetters(target, candidate) > most) return undefined;
  const distance = editDistance(left, right, most);
  return distance <= most ? distance : undefined;
}

/** Letters that one name has more often than the other: each of them takes an edit. */
function otherLetters({ counts: left }: Letters, { counts: right }: Letters): number {
  let [more, fewer] = [0, 0];
  for (let index = 0; index < classes; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference > 0) more += difference;
    else fewer -= difference;
  }
  return Math.max(more, fewer);
}

/** Words that turn a name into another one: `not_open`, `open or closed`. */
const deniedBy = (words: readonly string[]): string =>
  words.filter((word) => /^(?:not?|non|n?or|without|except)$/.test(word)).join(' ');

const wordsBetweenSpaces = (words: readonly string[]): string => ` ${words.join(' ')} `;

const hasWords = (words: readonly string[], part: readonly string[]): boolean =>
  part.join('').length > 2 && wordsBetweenSpaces(words).includes(wordsBetweenSpaces(part));

const holdsWords = (name: Letters, part: Letters): boolean =>
  part.letters.length > 2 && name.words.includes(part.words);

/**
 * Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment).
 * Returns `far` above `most`.
 */
function editDistance(left: string, right: string, most: number): number {
  let [beforeLast, last, current] = right.length < rowSize ? rows : newRows(right.length + 1);
  for (let column = 0; column <= right.length; column += 1) last[column] = column;
  for (let row = 1; row <= left.length; row += 1) {
    current.fill(far, 0, right.length + 1);
    current[0] = row;
    let least = row;
    // Cells farther from the diagonal than `most` cannot lead to a distance within it.
    const [from, to] = [Math.max(1, row - most), Math.min(right.length, row + most)];
    for (let column = from; column <= to; column += 1) {
      const isSame = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      const exchange =
        !isSame && column > 1 && row > 1 && areExchanged(left, row, right, column)
          ? at(beforeLast, column - 2) + 1
          : far;
      const replacement = at(last, column - 1) + (isSame ? 0 : 1);
      const insertion = smaller(at(last, column), at(current, column - 1)) + 1;
      const distance = smaller(smaller(replacement, insertion), exchange);
      current[column] = distance;
      least = smaller(least, distance);
    }
    if (least > most) return far;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, right.length);
}

/** Of most names; a letter may become two in lower case. */
const rowSize = 2 * longestName;

const newRows = (size: number): readonly [Int32Array, Int32Array, Int32Array] => [
  new Int32Array(size),
  new Int32Array(size),
  new Int32Array(size),
];

/** Used by one comparison after the other, because to make them takes longer than to compare. */
const rows = newRows(rowSize);

const areExchanged = (left: string, row: number, right: string, column: number): boolean =>
  left.charCodeAt(row - 1) === right.charCodeAt(column - 2) &&
  left.charCodeAt(row - 2) === right.charCodeAt(column - 1);

const far = 1_000;
const smaller = (one: number, other: number): number => (one < other ? one : other);
const at = (row: Int32Array, column: number): number => row[column] ?? far;

import type { ReadValue } from '../../json/lenient-parser.ts';
import { type JsonValue, isJsonArray, isContainer } from '../../json/value.ts';
import { type Built, type BuiltReading, type QuotedText, buildReading } from './build-reading.ts';
import * as edit from './edits.ts';
import { type Exploration, type Path, explore } from './explore.ts';

/** Characters of text that is read in all ways. */
const maxSize = 256 * 1024;
/** Characters of text in which closers may be missing or surplus at places that fit. */
const maxClosersSize = 64 * 1024;

/** One reading of broken text. A witness is never accepted: it shows that another reading is not the only one. */
export interface TextReading extends BuiltReading {
  readonly isWitness: boolean;
}

/** `none`: no reading is whole. `refused`: no reading may be accepted. */
export type BrokenText =
  | { readonly kind: 'none' }
  | { readonly kind: 'readings'; readonly readings: readonly TextReading[] }
  | { readonly kind: 'refused'; readonly reason: 'too_many' | 'too_large' }
  | Extract<Built, { readonly kind: 'refused' }>;

interface BrokenTextOptions {
  readonly maxDepth: number;
  /** The provider says that the answer ended normally. */
  readonly isComplete: boolean;
  /** `arguments`: the argument text itself. `inside`: text inside a value. */
  readonly place: 'arguments' | 'inside';
}

/** Reads text that is nearly JSON in every way that takes the fewest edits, and in those that take one more. */
export function readBrokenText(text: string, options: BrokenTextOptions): BrokenText {
  if (text.length > maxSize || !startsLikeJson.test(text)) return { kind: 'none' };
  const found = exploreText(text, options, 1);
  if (found.kind === 'none') return { kind: 'none' };
  if (found.kind !== 'paths') return { kind: 'refused', reason: found.kind };
  const readings: TextReading[] = [];
  const odd: TextReading[] = [];
  for (const path of found.paths) {
    const built = buildReading(text, path, options.maxDepth);
    if (built.kind === 'refused') return built;
    if (built.kind === 'none') continue;
    const { reading } = built;
    // A bracket that was left out or put in explains a text only if nothing else does at that cost.
    if ((reading.edits & edit.opener) !== 0 && reading.cost > found.least) continue;
    (reading.quoted.some(isOdd) ? odd : readings).push({
      ...reading,
      isWitness: isWitness(reading, options.isComplete),
    });
  }
  if (readings.length > 0) return { kind: 'readings', readings };
  const [inches, ...others] = odd;
  const isOnly = inches !== undefined && others.length === 0 && isOnlyReading(text, options);
  return isOnly && inches.quoted.every((quoted) => !isOdd(quoted) || quoted.areInches)
    ? { kind: 'readings', readings: [inches] }
    : { kind: 'none' };
}

const startsLikeJson = /^[\s\uFEFF]*[{["]/;

/** Looks for missing and surplus closers at places that fit only if the text has wrong closers, or can't be read otherwise. */
function exploreText(text: string, { maxDepth, place }: BrokenTextOptions, slack: number): Exploration {
  const options = { maxDepth, bareWords: place === 'arguments', slack };
  const found = explore(text, { ...options, closers: 'misfits', edits: slack === 1 ? 'faults' : 'all' });
  if (found.kind === 'too_many' || found.kind === 'too_large') return found;
  if (found.kind === 'paths' && !isMoving(found.paths)) return found;
  const isLong = text.length > maxClosersSize;
  return explore(text, { ...options, closers: isLong ? 'misfits' : 'fits', edits: 'all' });
}

const isMoving = (paths: readonly Path[]): boolean =>
  paths.some((path) => path.some(({ edits }) => (edits & (edit.movingEdits | edit.closersBehind)) !== 0));

/** Whether a text has one reading at any cost. */
function isOnlyReading(text: string, options: BrokenTextOptions): boolean {
  const all = exploreText(text, options, Number.POSITIVE_INFINITY);
  return all.kind === 'paths' && all.paths.length === 1;
}

/** A quote may have been lost. */
const isOdd = ({ quotes }: QuotedText): boolean => quotes % 2 === 1;

function isWitness({ edits, quoted, value }: BuiltReading, isComplete: boolean): boolean {
  if (quoted.some(({ mayEndEarly }) => mayEndEarly)) return true;
  if ((edits & edit.content) !== 0 && hasHalves(value)) return true;
  if ((edits & (edit.doubtful | edit.opener)) !== 0) return true;
  const mayHaveMoved = (edits & (edit.movingEdits | edit.closersBehind)) !== 0;
  const mayMove = edits & (edit.commaBehindCloser | edit.trailingComma);
  if (mayMove !== 0 && (mayHaveMoved || mayMove === (edit.commaBehindCloser | edit.trailingComma)))
    return true;
  const isBesideContent = (edits & edit.contentEdits) !== 0 && mayHaveMoved;
  if ((edits & edit.emptyContainer) !== 0 && (isBesideContent || keysIn(value).size === 0)) return true;
  const others = edit.contentEdits | edit.brace | edit.listBracket;
  return (edits & edit.missingCloser) !== 0 && (!isComplete || (edits & others) !== 0);
}

/** All keys in a value. */
export function keysIn(value: JsonValue, keys = new Set<string>()): ReadonlySet<string> {
  if (!isContainer(value)) return keys;
  for (const [key, member] of Object.entries(value)) {
    if (!isJsonArray(value)) keys.add(key);
    keysIn(member, keys);
  }
  return keys;
}

/** Whether a list has two neighbouring strings that may be one with unescaped quotes in it: `["s.join(", ")"]`. */
function hasHalves(value: JsonValue): boolean {
  if (!isContainer(value)) return false;
  if (!isJsonArray(value)) return Object.values(value).some(hasHalves);
  return value.some((element, index) => {
    const before = value[index - 1];
    return typeof element === 'string' && typeof before === 'string'
      ? areHalves(before, element)
      : hasHalves(element);
  });
}

function areHalves(one: string, other: string): boolean {
  const opened = one
    .replace(/[^()[\]{}]/g, '')
    .replace(pairs, '')
    .replace(pairs, '');
  if (/[([{]$/.test(opened) && /^[^([{]*[)\]}]/.test(other)) return true;
  return /[\s=,:+]$/.test(one) && /^[\s)\]},;:.+]/.test(other);
}

const pairs = /\(\)|\[\]|\{\}/g;

/** The value of the loose reader as a reading without edits, so that its quoted numbers are checked. */
export const readingOf = (read: ReadValue): TextReading => ({
  ...read,
  cost: 0,
  edits: edit.none,
  quoted: [],
  bareWords: [],
  movedKeys: [],
  keysBehindEmpty: [],
  isWitness: false,
});

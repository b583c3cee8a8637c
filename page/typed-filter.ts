// What a person types into the filter box: `model:atlas-mini status:rejected any text`.
import { type CallFilter, type FilterKey, filterKeys } from '../src/page/page-data.ts';

/** The values that calls have for a key. */
type KnownValues = (key: FilterKey) => readonly string[];

const keys = filterKeys.join('|');
/** A quote that isn't closed goes to the end: it is still being written. */
const value = `(?:"([^"]*)(?:"|$)|((?!(?:${keys}):)\\S+))`;
const keyOrWord = new RegExp(`(${keys}):\\s*${value}?|${value}`, 'g');

interface TypedPart {
  /** Absent: words without a key. */
  readonly key?: FilterKey;
  readonly isQuoted: boolean;
  /** The words up to the next key. */
  readonly words: readonly string[];
  readonly start: number;
  /** Where the last word begins. */
  readonly lastStart: number;
}

function partsOf(line: string): readonly TypedPart[] {
  const parts: TypedPart[] = [];
  for (const match of line.matchAll(keyOrWord)) {
    const { index: start } = match;
    const key = filterKeys.find((one) => one === match[1]);
    const quotedValue = match[2] ?? match[4];
    const words = [quotedValue ?? match[3] ?? match[5] ?? []].flat();
    const former = parts.at(-1);
    if (key !== undefined || former === undefined) {
      const isQuoted = quotedValue !== undefined;
      parts.push({ ...(key && { key }), isQuoted, words, start, lastStart: start });
    } else {
      parts[parts.length - 1] = {
        ...former,
        words: [...former.words, ...words],
        lastStart: start,
      };
    }
  }
  return parts;
}

/**
 * The filters of a line. A value is one word, or in quotes, or several words if calls have it, such as `issue:type /limit`.
 * All other words are text.
 */
export function typedFilter(line: string, knownValues: KnownValues): CallFilter {
  const filter: Partial<Record<FilterKey, string>> = {};
  const text: string[] = [];
  for (const { key, isQuoted, words } of partsOf(line)) {
    const known = key === undefined || isQuoted ? [] : knownValues(key);
    const lengths = words.map((_word, at) => words.length - at);
    const length =
      lengths.find((count) => known.includes(words.slice(0, count).join(' '))) ??
      (key === undefined ? 0 : 1);
    const typedValue = words.slice(0, length).join(' ');
    if (key === 'text') text.push(typedValue);
    else if (key !== undefined && typedValue !== '') filter[key] = typedValue;
    text.push(...words.slice(length));
  }
  const typedText = text.join(' ').trim();
  return typedText === '' ? filter : { ...filter, text: typedText };
}

export interface Suggestion {
  readonly word: string;
  /** The line with the word in the place of its last part. */
  readonly line: string;
}

const mostSuggested = 9;

/** Values of the last key, or keys that begin with the last word. */
export function suggestionsFor(line: string, knownValues: KnownValues): readonly Suggestion[] {
  const last = partsOf(line).at(-1);
  if (last === undefined) return [];
  const { key, words, start, lastStart } = last;
  const typedValue = words.join(' ');
  const values = key === undefined ? [] : [...new Set(knownValues(key))];
  const valueSuggestions = values
    .filter((one) => one.toLowerCase().includes(typedValue.toLowerCase()) && one !== typedValue)
    .slice(0, mostSuggested)
    .map((one) => ({ word: `${key}:${one}`, line: `${line.slice(0, start)}${key}:${one}` }));
  if (valueSuggestions.length > 0) return valueSuggestions;
  const lastWord = line.slice(lastStart);
  return filterKeys
    .filter((one) => one.startsWith(lastWord))
    .map((one) => ({ word: `${one}:`, line: `${line.slice(0, lastStart)}${one}:` }));
}

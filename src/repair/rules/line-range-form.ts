import { spellingOf } from '../../json/key-spelling.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import { isOfKind } from '../../validate/value-kinds.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send a range of lines in another form than the declared one: `10-20`, `L10-L20`,
 * `lines 10 to 20`, `[10, 20]`, `{start, end}` and the like.
 * Becomes the declared form: the list `[10, 20]`, or the text `10-20`.
 * Not when: one line, from which or of which may be meant; `10:20`, which may be a line and a
 * column; a range that ends before it starts.
 */
export const lineRangeForm: ValueRule = {
  id: 'line_range_form',
  level: 'value',
  answers: ['type', 'value'],
  kind: 'line_range',
  keeps: 'lossless',
  propose({ value, view: { types } }) {
    const range = rangeIn(value);
    if (range === undefined) return types.has('array') && typeof value === 'string' ? refuse : skip;
    const [first, last] = range;
    const becomes = types.has('array') ? range : `${first}-${last}`;
    return isOfKind('line_range', becomes) ? replaceWith(becomes) : refuse;
  },
};

type Range = readonly [first: number, last: number];

function rangeIn(value: JsonValue): Range | undefined {
  if (typeof value === 'string') return rangeInText(value);
  if (isJsonArray(value)) return value.length === 2 ? linesOf(value[0], value[1]) : undefined;
  if (!isJsonObject(value)) return undefined;
  const [one, other, ...others] = Object.entries(value);
  if (one === undefined || other === undefined || others.length > 0) return undefined;
  const [first, last] = endKeys.has(spellingOf(one[0])) ? [other, one] : [one, other];
  const areEnds = startKeys.has(spellingOf(first[0])) && endKeys.has(spellingOf(last[0]));
  return areEnds ? linesOf(first[1], last[1]) : undefined;
}

function rangeInText(text: string): Range | undefined {
  const inBrackets = /^\s*\[\s*(-?\d+)\s*,\s*(-?\d+)\s*\]\s*$/.exec(text) ?? inWords.exec(text);
  return inBrackets === null ? undefined : linesOf(inBrackets[1], inBrackets[2]);
}

/** Two numbers with a dash, two or three dots, a comma or a word between them. */
const inWords = /^\s*(?:#|lines?\s+)?L?(\d+)\s*(?:-|–|—|\.{2,3}|…|,|to|through)\s*L?(\d+)\s*$/i;

function linesOf(first: JsonValue | undefined, last: JsonValue | undefined): Range | undefined {
  const [start, end] = [lineOf(first), lineOf(last)];
  return start === undefined || end === undefined ? undefined : [start, end];
}

function lineOf(value: JsonValue | undefined): number | undefined {
  const isText = typeof value === 'string' && /^-?\d{1,15}$/.test(value);
  const line = isText ? Number(value) : value;
  return typeof line === 'number' && Number.isSafeInteger(line) ? line : undefined;
}

const startKeys: ReadonlySet<string> = new Set(
  ['start', 'startline', 'from', 'fromline', 'first', 'firstline', 'begin'].map(spellingOf),
);
const endKeys: ReadonlySet<string> = new Set(
  ['end', 'endline', 'to', 'toline', 'last', 'lastline'].map(spellingOf),
);

// What a repair changed, for people: lines of JSON with marks, and words of text that is not JSON.

/** A line of JSON with two blanks for each level. */
export interface JsonLine {
  readonly indent: number;
  /** The JSON of a key with a colon and a blank; empty for elements and closers. */
  readonly key: string;
  readonly value: string;
  /** JSON Pointer of the value. */
  readonly path: string;
}

/** The lines of JSON text. Literals stay as they are written: a number may have many digits. */
export function jsonLines(json: string): readonly JsonLine[] {
  return new LineWriter(json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []).lines();
}

class LineWriter {
  readonly #tokens: readonly string[];
  readonly #lines: JsonLine[] = [];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  lines(): readonly JsonLine[] {
    this.#value(0, '', '');
    return this.#lines;
  }

  #next(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? '';
  }

  #value(indent: number, key: string, path: string): void {
    const opener = this.#next();
    const isObject = opener === '{';
    const closer = isObject ? '}' : ']';
    const isEmpty = this.#tokens[this.#at] === closer;
    if ((!isObject && opener !== '[') || isEmpty) {
      const value = isEmpty && (isObject || opener === '[') ? opener + this.#next() : opener;
      this.#lines.push({ indent, key, value: value + this.#comma(), path });
      return;
    }
    this.#lines.push({ indent, key, value: opener, path });
    for (let index = 0; this.#at < this.#tokens.length; index += 1) {
      const name = isObject ? this.#next() : undefined;
      if (isObject) this.#next();
      const step = name === undefined ? String(index) : keyOf(name);
      const inner = `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      this.#value(indent + 1, name === undefined ? '' : `${name}: `, inner);
      if (this.#tokens[this.#at] === closer) break;
    }
    this.#lines.push({ indent, key: '', value: this.#next() + this.#comma(), path });
  }

  #comma(): string {
    return this.#tokens[this.#at] === ',' ? this.#next() : '';
  }
}

/** A key without its quotes. */
function keyOf(literal: string): string {
  return literal
    .slice(1, -1)
    .replaceAll(
      /\\(?:u([\da-fA-F]{4})|(.))/g,
      (_all, code: string | undefined, sign: string | undefined = '') =>
        code === undefined
          ? (escapes.get(sign) ?? sign)
          : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** A step of a repair, as `Operation`, without its value. */
export interface ChangedPlace {
  readonly op: 'add' | 'replace' | 'remove' | 'move';
  readonly path: string;
  readonly from?: string;
}

/** A line of a difference. `marks`: the numbers, from 1, of the repairs that changed it. */
export interface MarkedLine extends JsonLine {
  readonly number: number;
  readonly marks: readonly number[];
  /** The key is as it was, and only the value has changed. */
  readonly keepsKey: boolean;
}

/** Lines that both have, or lines of which those on the right stand in place of those on the left. */
export interface Hunk {
  readonly isSame: boolean;
  readonly left: readonly MarkedLine[];
  readonly right: readonly MarkedLine[];
}

/** The difference of two JSON texts. `repairs`: the operations of each repair, in their order. */
export function jsonDifference(
  sentText: string,
  usedText: string,
  repairs: readonly (readonly ChangedPlace[])[],
): readonly Hunk[] {
  const [left, right] = [jsonLines(sentText), jsonLines(usedText)];
  const pairs = commonPairs(left.map(comparable), right.map(comparable));
  const places = placesOf(repairs);
  const hunks: Hunk[] = [];
  let [fromLeft, fromRight] = [0, 0];
  for (const [toLeft, toRight] of [...pairs, [left.length, right.length] as const]) {
    if (toLeft > fromLeft || toRight > fromRight) {
      const [removedLines, addedLines] = [
        left.slice(fromLeft, toLeft),
        right.slice(fromRight, toRight),
      ];
      hunks.push({
        isSame: false,
        left: markedLines(removedLines, fromLeft, places.left, addedLines),
        right: markedLines(addedLines, fromRight, places.right, removedLines),
      });
    }
    const [same, other] = [left[toLeft], right[toRight]];
    if (same !== undefined && other !== undefined)
      hunks.push({
        isSame: true,
        left: [{ ...same, number: toLeft + 1, marks: [], keepsKey: true }],
        right: [{ ...other, number: toRight + 1, marks: [], keepsKey: true }],
      });
    [fromLeft, fromRight] = [toLeft + 1, toRight + 1];
  }
  return hunks;
}

/** A line may be followed by a comma, and stand deeper. */
const comparable = ({ key, value }: JsonLine): string => key + value.replace(/,$/, '');

interface Place {
  readonly path: string;
  readonly mark: number;
}

/**
 * Where each repair acted, on the value as sent and on the value as used. An operation names its
 * place as it is after the operations before it: keys that were moved are followed both ways.
 */
function placesOf(repairs: readonly (readonly ChangedPlace[])[]): {
  readonly left: readonly Place[];
  readonly right: readonly Place[];
} {
  const steps = repairs.flatMap((operations, index) =>
    operations.map((operation) => ({ operation, mark: index + 1 })),
  );
  const moves = steps.map(({ operation: { op, from, path } }) =>
    op === 'move' && from !== undefined ? { from, to: path } : undefined,
  );
  const before = (path: string, at: number): string =>
    moves
      .slice(0, at)
      .reduceRight(
        (place, move) => (move === undefined ? place : movedPlace(place, move.to, move.from)),
        path,
      );
  const after = (path: string, at: number): string =>
    moves
      .slice(at + 1)
      .reduce(
        (place, move) => (move === undefined ? place : movedPlace(place, move.from, move.to)),
        path,
      );
  const left = steps.flatMap(({ operation: { op, path, from = path }, mark }, at) =>
    op === 'add' ? [] : [{ path: before(from, at), mark }],
  );
  const right = steps.flatMap(({ operation: { op, path }, mark }, at) =>
    op === 'remove' ? [] : [{ path: after(path, at), mark }],
  );
  return { left, right };
}

const isUnder = (path: string, other: string): boolean =>
  path === other || path.startsWith(`${other}/`);

const movedPlace = (path: string, from: string, to: string): string =>
  isUnder(path, from) ? to + path.slice(from.length) : path;

/** A mark is shown once on lines that follow each other. */
function markedLines(
  lines: readonly JsonLine[],
  offset: number,
  places: readonly Place[],
  others: readonly JsonLine[],
): readonly MarkedLine[] {
  let shownText = '';
  return lines.map((line, index) => {
    const marks = [
      ...new Set(places.filter(({ path }) => isUnder(line.path, path)).map(({ mark }) => mark)),
    ];
    const isRepeated = marks.join() === shownText;
    shownText = marks.join();
    const keepsKey = line.key !== '' && others.some(({ key }) => key === line.key);
    return { ...line, number: offset + index + 1, marks: isRepeated ? [] : marks, keepsKey };
  });
}

/** A piece of text that is only on one side, or on both. */
export interface TextPiece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** The words that differ between what was sent, which is not JSON, and what was used. */
export function textDifference(
  sentText: string,
  usedText: string,
): { readonly left: readonly TextPiece[]; readonly right: readonly TextPiece[] } {
  const [left, right] = [wordsOf(sentText), wordsOf(usedText)];
  const pairs = commonPairs(left, right);
  const piecesOf = (words: readonly string[], same: ReadonlySet<number>): readonly TextPiece[] => {
    const pieces: { text: string; isChanged: boolean }[] = [];
    for (const [index, text] of words.entries()) {
      const last = pieces.at(-1);
      const isChanged = text.trim() === '' ? (last?.isChanged ?? false) : !same.has(index);
      if (last?.isChanged === isChanged) last.text += text;
      else pieces.push({ text, isChanged });
    }
    return pieces;
  };
  return {
    left: piecesOf(left, new Set(pairs.map(([at]) => at))),
    right: piecesOf(right, new Set(pairs.map(([, at]) => at))),
  };
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_$]+|\s+|[^]/gu) ?? [];

/** Beyond this many comparisons, what is between the common ends counts as changed. */
const mostCompared = 4_000_000;

/** The indices of a longest common part, in order. */
function commonPairs(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(left.length, right.length) - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end += 1;
  const head = Array.from({ length: start }, (_none, at) => [at, at] as const);
  const tail = Array.from(
    { length: end },
    (_none, at) => [left.length - end + at, right.length - end + at] as const,
  );
  const inner = longestCommon(
    left.slice(start, left.length - end),
    right.slice(start, right.length - end),
  );
  return [...head, ...inner.map(([one, other]) => [one + start, other + start] as const), ...tail];
}

function longestCommon(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [number, number])[] {
  const width = right.length + 1;
  if (left.length * width > mostCompared) return [];
  const lengths = new Uint32Array((left.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        left[row] === right[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

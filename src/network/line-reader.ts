/** What ends a line. `line_feed`: JSON lines, whose strings may have any other separator. */
export type LineEnds = 'line_feed' | 'any';

const separators: Readonly<Record<LineEnds, RegExp>> = {
  line_feed: /\n/,
  any: /\r\n|\n|\r/,
};

/**
 * Cuts text into lines, whatever the chunks. Only the new chunk is searched: the time grows with
 * the length of a line, not with its square.
 */
export class LineReader {
  readonly #ends: LineEnds;
  #rest = '';
  #isAfterReturn = false;

  constructor(ends: LineEnds) {
    this.#ends = ends;
  }

  /** What came after the last line. */
  get rest(): string {
    return this.#rest;
  }

  /** The lines that end in this chunk, without what ends them. */
  add(chunk: string): readonly string[] {
    if (chunk === '') return [];
    const separator = separators[this.#ends];
    // A carriage return at the end of a chunk has ended its line: the line feed belongs to it.
    const isSecondHalf = this.#isAfterReturn && chunk.startsWith('\n');
    const [first = '', ...others] = (isSecondHalf ? chunk.slice(1) : chunk).split(separator);
    this.#isAfterReturn = this.#ends === 'any' && chunk.endsWith('\r');
    const firstLine = this.#rest + first;
    const last = others.pop();
    this.#rest = last ?? firstLine;
    return last === undefined ? [] : [firstLine, ...others];
  }
}

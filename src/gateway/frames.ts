// Cuts a streamed answer into its events, with the bytes of each as they came.

/** One event, or what is between two: comments, blank lines. */
export interface Frame {
  /** The bytes as they came, the end of the event included. */
  readonly bytes: Buffer;
  /** What the event says; undefined if it says nothing. */
  readonly data: string | undefined;
  /** The bytes with other data. */
  withData(data: string): Buffer;
}

/** How a stream's events are written. `sse`: server-sent events. `ndjson`: a JSON value a line. */
export type Framing = 'sse' | 'ndjson';

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Cuts bytes into frames, whatever the chunks. All frames' bytes and the rest, in order, are the
 * bytes that were added.
 */
export class FrameReader {
  readonly #framing: Framing;
  #pendingChunks: Buffer[] = [];
  #pendingBytes = 0;
  /** The line that is being read has no character yet. */
  #isLineEmpty = true;
  #isAfterReturn = false;

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  /** The number of bytes of the frame that has not ended. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The frames that end in this chunk. */
  add(chunk: Buffer): readonly Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const isEnd = this.#endsFrame(byte);
      this.#isAfterReturn = byte === carriageReturn;
      if (!isEnd) continue;
      // A line feed behind a carriage return belongs to the same end.
      const end = byte === carriageReturn && chunk[at + 1] === lineFeed ? at + 2 : at + 1;
      frames.push(this.#frame(chunk.subarray(start, end)));
      start = end;
      this.#isAfterReturn = byte === carriageReturn && end === at + 1;
      at = end - 1;
    }
    if (start < chunk.length) {
      this.#pendingChunks.push(chunk.subarray(start));
      this.#pendingBytes += chunk.length - start;
    }
    return frames;
  }

  #endsFrame(byte: number | undefined): boolean {
    if (this.#framing === 'ndjson') return byte === lineFeed;
    const isLineEnd = byte === lineFeed || byte === carriageReturn;
    if (byte === lineFeed && this.#isAfterReturn) return false;
    const isBlankLine = isLineEnd && this.#isLineEmpty;
    this.#isLineEmpty = isLineEnd;
    return isBlankLine;
  }

  /** What was added behind the last frame: an event without its end. */
  rest(): Frame | undefined {
    return this.#pendingChunks.length === 0 ? undefined : this.#frame(Buffer.alloc(0));
  }

  #frame(last: Buffer): Frame {
    const bytes =
      this.#pendingChunks.length === 0 ? last : Buffer.concat([...this.#pendingChunks, last]);
    this.#pendingChunks = [];
    this.#pendingBytes = 0;
    return this.#framing === 'sse' ? eventFrame(bytes) : lineFrame(bytes);
  }
}

function lineFrame(bytes: Buffer): Frame {
  const text = textOf(bytes);
  const data = text.trim();
  return {
    bytes,
    data: data === '' ? undefined : data,
    withData: (other) => Buffer.from(text.replace(/\S[^]*\S|\S/, () => other)),
  };
}

const lineEnd = /\r\n|\n|\r/;

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
function eventFrame(bytes: Buffer): Frame {
  const text = textOf(bytes);
  const data = text.split(lineEnd).flatMap((line) => {
    const dataLine = /^data(?:: ?(.*))?$/s.exec(line);
    return dataLine === null ? [] : [dataLine[1] ?? ''];
  });
  return {
    bytes,
    data: data.length === 0 ? undefined : data.join('\n'),
    withData: (other) => Buffer.from(withDataLines(text, other)),
  };
}

/** The other lines of the event stay as they are. */
function withDataLines(text: string, data: string): string {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  let isWritten = false;
  return lines
    .map((line) => {
      if (!/^data(?::|\r|\n|$)/.test(line)) return line;
      if (isWritten) return '';
      isWritten = true;
      const end = lineEnd.exec(line)?.[0] ?? '\n';
      return data
        .split(lineEnd)
        .map((part) => `data: ${part}${end}`)
        .join('');
    })
    .join('');
}

/** Clients read a byte that is not UTF-8 as U+FFFD, so that it belongs to what it stands in. */
const decoder = new TextDecoder();

const textOf = (bytes: Buffer): string => decoder.decode(bytes);

import { type FileHandle, open, stat } from 'node:fs/promises';

/** A line of a file, without its end. */
export interface TailLine {
  /** Where it begins, in bytes since the first that was read: unlike those of all other lines. */
  readonly at: number;
  readonly text: string;
  /** When its file was written last. */
  readonly modified: Date;
}

const lineFeed = 0x0a;
const chunkBytes = 1024 * 1024;
/** A longer line is not read. */
const longestLine = 64 * 1024 * 1024;

/**
 * Reads the lines of a file that grows: each call reads those that are complete since the last. A file that was emptied
 * begins anew, and so does another file at its path, as rotation leaves it.
 */
export class TailLines {
  readonly #path: string;
  #file: FileHandle;
  /** Where the file begins, counted as lines are. */
  #start = 0;
  /** The next byte of the file. */
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<TailLines> {
    return new TailLines(path, await open(path));
  }

  /** `end`: a last line without an end is complete too. */
  async *next(end?: 'end'): AsyncGenerator<TailLine> {
    if (await this.#isReplaced()) {
      // What was written before the file was moved away.
      yield* this.#newLines('end');
      const following = await open(this.#path);
      await this.#file.close();
      this.#file = following;
      this.#beginAnew();
    }
    yield* this.#newLines(end);
  }

  /** A file that was moved away is read until there is another. */
  async #isReplaced(): Promise<boolean> {
    const current = await this.#file.stat();
    const following = await stat(this.#path).catch(() => undefined);
    return (
      following !== undefined && (following.ino !== current.ino || following.dev !== current.dev)
    );
  }

  #beginAnew(): void {
    this.#start += this.#at;
    this.#at = 0;
    this.#rest = Buffer.alloc(0);
  }

  async *#newLines(end: 'end' | undefined): AsyncGenerator<TailLine> {
    const { size, mtime: modified } = await this.#file.stat();
    if (size < this.#at) this.#beginAnew();
    const chunk = Buffer.alloc(chunkBytes);
    for (;;) {
      const { bytesRead } = await this.#file.read(chunk, 0, chunkBytes, this.#at);
      if (bytesRead === 0) break;
      const bytes = Buffer.concat([this.#rest, chunk.subarray(0, bytesRead)]);
      yield* this.#linesOf(bytes, bytesRead, modified);
    }
    if (end === undefined || this.#rest.length === 0) return;
    const at = this.#start + this.#at - this.#rest.length;
    const text = this.#rest.toString();
    this.#rest = Buffer.alloc(0);
    yield { at, text, modified };
  }

  *#linesOf(bytes: Buffer, bytesRead: number, modified: Date): Generator<TailLine> {
    const start = this.#start + this.#at - this.#rest.length;
    this.#at += bytesRead;
    let from = 0;
    for (let to = bytes.indexOf(lineFeed); to !== -1; to = bytes.indexOf(lineFeed, from)) {
      if (to - from <= longestLine)
        yield { at: start + from, text: bytes.toString('utf8', from, to), modified };
      from = to + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(from));
  }

  /** The line that begins at this byte. Undefined: its file was emptied or replaced. */
  async lineAt(at: number): Promise<TailLine | undefined> {
    const begin = at - this.#start;
    if (begin < 0) return undefined;
    const parts: Buffer[] = [];
    for (let from = begin; from - begin <= longestLine; from += chunkBytes) {
      const chunk = Buffer.alloc(chunkBytes);
      const { bytesRead } = await this.#file.read(chunk, 0, chunkBytes, from);
      const end = chunk.subarray(0, bytesRead).indexOf(lineFeed);
      parts.push(chunk.subarray(0, end === -1 ? bytesRead : end));
      if (end !== -1 || bytesRead < chunkBytes) break;
    }
    const { mtime: modified } = await this.#file.stat();
    return { at, text: Buffer.concat(parts).toString(), modified };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

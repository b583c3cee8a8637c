import { type FileHandle, open } from 'node:fs/promises';

/** A line of a file, without its end. */
export interface TailLine {
  /** Where it begins, in bytes. */
  readonly at: number;
  readonly text: string;
}

const lineFeed = 0x0a;
const chunkBytes = 1024 * 1024;
/** A longer line is not read. */
const longestLine = 64 * 1024 * 1024;

/** Reads the lines of a file that grows: each call reads those that are complete since the last. */
export class TailLines {
  readonly #file: FileHandle;
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<TailLines> {
    return new TailLines(await open(path));
  }

  /** `end`: a last line without an end is complete too. */
  async *next(end?: 'end'): AsyncGenerator<TailLine> {
    const { size } = await this.#file.stat();
    // The file has been emptied, and begins anew.
    if (size < this.#at) {
      this.#at = 0;
      this.#rest = Buffer.alloc(0);
    }
    const chunk = Buffer.alloc(chunkBytes);
    for (;;) {
      const { bytesRead } = await this.#file.read(chunk, 0, chunkBytes, this.#at);
      if (bytesRead === 0) break;
      yield* this.#linesOf(Buffer.concat([this.#rest, chunk.subarray(0, bytesRead)]), bytesRead);
    }
    if (end === undefined || this.#rest.length === 0) return;
    const line = { at: this.#at - this.#rest.length, text: this.#rest.toString() };
    this.#rest = Buffer.alloc(0);
    yield line;
  }

  *#linesOf(bytes: Buffer, bytesRead: number): Generator<TailLine> {
    const start = this.#at - this.#rest.length;
    this.#at += bytesRead;
    let from = 0;
    for (let to = bytes.indexOf(lineFeed); to !== -1; to = bytes.indexOf(lineFeed, from)) {
      if (to - from <= longestLine)
        yield { at: start + from, text: bytes.toString('utf8', from, to) };
      from = to + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(from));
  }

  /** The line that begins at this byte. */
  async lineAt(at: number): Promise<string> {
    const parts: Buffer[] = [];
    for (let from = at; from - at <= longestLine; from += chunkBytes) {
      const chunk = Buffer.alloc(chunkBytes);
      const { bytesRead } = await this.#file.read(chunk, 0, chunkBytes, from);
      const end = chunk.subarray(0, bytesRead).indexOf(lineFeed);
      parts.push(chunk.subarray(0, end === -1 ? bytesRead : end));
      if (end !== -1 || bytesRead < chunkBytes) break;
    }
    return Buffer.concat(parts).toString();
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  async modificationTime(): Promise<Date> {
    return (await this.#file.stat()).mtime;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

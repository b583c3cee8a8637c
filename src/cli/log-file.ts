import { once } from 'node:events';
import { closeSync, createWriteStream, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { attempt } from '../collections/attempt.ts';
import { memberOf } from '../collections/objects.ts';
import { ToolmendError } from '../errors/errors.ts';
import { printable } from '../json/preview.ts';

/**
 * A file to which lines are appended, under its name: if the file was renamed or deleted, as by a
 * rotation of logs, the next line is the first one of a new file. A line is in the file when `write`
 * returns, so that none is lost if the process is killed. A pipe gets its lines as it reads them.
 */
export class LogFile {
  readonly #path: string;
  readonly #onError: (error: Error) => void;
  #file: OpenFile;

  /** Throws a ToolmendError if the file can't be written. `onError`: a line is lost. */
  constructor(path: string, onError: (error: Error) => void) {
    this.#path = path;
    this.#onError = onError;
    try {
      this.#file = openFile(path, onError);
    } catch (error) {
      throw new ToolmendError('log', whyNotWritten(path, error), { cause: error });
    }
  }

  write(line: string): void {
    if (this.#isReplaced())
      try {
        const newFile = openFile(this.#path, this.#onError);
        void this.#file.close();
        this.#file = newFile;
      } catch (error) {
        // The lines go on into the file that is open.
        if (error instanceof Error) this.#onError(error);
      }
    this.#file.write(line);
  }

  /** Resolves when all lines are written. */
  close(): Promise<void> {
    return this.#file.close();
  }

  /** A pipe or a terminal is not replaced. */
  #isReplaced(): boolean {
    const { place } = this.#file;
    return place !== undefined && place !== attempt(() => placeOf(statSync(this.#path)));
  }
}

interface OpenFile {
  /** Two open files with the same one are the same file. Undefined for a pipe or a terminal. */
  readonly place: string | undefined;
  write(line: string): void;
  close(): Promise<void>;
}

/** Only the user reads it: lines may have contents. */
function openFile(path: string, onError: (error: Error) => void): OpenFile {
  const fd = openSync(path, 'a', 0o600);
  const stats = fstatSync(fd);
  return stats.isFile()
    ? regularFile(fd, placeOf(stats), onError)
    : streamedFile(path, fd, onError);
}

function regularFile(fd: number, place: string, onError: (error: Error) => void): OpenFile {
  let isOpen = true;
  return {
    place,
    write(line) {
      // The number of a closed file may be that of another one now.
      if (!isOpen) return;
      try {
        writeSync(fd, line);
      } catch (error) {
        // A full disk ends the log, not the program.
        if (error instanceof Error) onError(error);
      }
    },
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
      return Promise.resolve();
    },
  };
}

/** Its reader may be slow, so the lines wait in memory. */
function streamedFile(path: string, fd: number, onError: (error: Error) => void): OpenFile {
  const stream = createWriteStream(path, { fd });
  stream.on('error', onError);
  return {
    place: undefined,
    write: (line) => void stream.write(line),
    async close() {
      if (stream.closed) return;
      const closing = once(stream, 'close').catch(() => undefined);
      stream.end();
      await closing;
    },
  };
}

const placeOf = ({ dev, ino }: { readonly dev: number; readonly ino: number }): string =>
  `${dev} ${ino}`;

function whyNotWritten(path: string, error: unknown): string {
  const place = `--log ${printable(path, 400)}`;
  const code = memberOf(error, 'code');
  if (code === 'ENOENT')
    return `${place} is in a folder that does not exist: make the folder first`;
  if (code === 'EISDIR') return `${place} is a folder: name a file in it`;
  if (code === 'EACCES') return `${place} may not be written by this user: name another file`;
  return `${place} can't be written (${error instanceof Error ? error.message : String(error)})`;
}

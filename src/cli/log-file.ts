import { once } from 'node:events';
import { type WriteStream, createWriteStream, fstatSync, openSync, statSync } from 'node:fs';
import { attempt } from '../collections/attempt.ts';
import { memberOf } from '../collections/objects.ts';
import { ToolmendError } from '../errors/errors.ts';
import { printable } from '../json/preview.ts';

/**
 * A file to which lines are appended, under its name: if the file was renamed or deleted, as by a
 * rotation of logs, the next line is the first one of a new file.
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
        const { stream } = this.#file;
        this.#file = openFile(this.#path, this.#onError);
        stream.end();
      } catch (error) {
        // The lines go on into the file that is open.
        if (error instanceof Error) this.#onError(error);
      }
    this.#file.stream.write(line);
  }

  /** Resolves when all lines are written. */
  async close(): Promise<void> {
    const { stream } = this.#file;
    if (stream.closed) return;
    const closing = once(stream, 'close').catch(() => undefined);
    stream.end();
    await closing;
  }

  /** A pipe or a terminal is not replaced. */
  #isReplaced(): boolean {
    const { isRegular, place } = this.#file;
    return isRegular && place !== attempt(() => placeOf(statSync(this.#path)));
  }
}

interface OpenFile {
  readonly stream: WriteStream;
  readonly isRegular: boolean;
  /** Two open files with the same one are the same file. */
  readonly place: string;
}

/** Only the user reads it: lines may have contents. */
function openFile(path: string, onError: (error: Error) => void): OpenFile {
  const fd = openSync(path, 'a', 0o600);
  const stats = fstatSync(fd);
  const stream = createWriteStream(path, { fd });
  // A full disk ends the log, not the program.
  stream.on('error', onError);
  return { stream, isRegular: stats.isFile(), place: placeOf(stats) };
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

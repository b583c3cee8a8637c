// How is a file of any size read line by line? In pieces; only a line feed ends a line, as JSON's own strings may hold
// every other separator.
import { createReadStream } from 'node:fs';

export interface Line {
  /** From 1 on. */
  readonly number: number;
  /** undefined: longer than any line that is looked at. */
  readonly text: string | undefined;
}

/** Characters of a line, at most. */
const longestLine = 64 * 1024 * 1024;

/** The lines that are not blank; without a byte order mark. Rejects as `node:fs` does if the file can't be read. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  let isTooLong = false;
  const end = (text: string): Line | undefined => {
    number += 1;
    const line = { number, text: isTooLong ? undefined : number === 1 ? text.replace(/^\uFEFF/, '') : text };
    isTooLong = false;
    return line.text?.trim() === '' ? undefined : line;
  };
  const stream: AsyncIterable<string> = createReadStream(file, { encoding: 'utf8' });
  for await (const chunk of stream) {
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    for (const next of others) {
      const line = end(rest);
      if (line !== undefined) yield line;
      rest = next;
    }
    if (rest.length > longestLine) {
      isTooLong = true;
      rest = '';
    }
  }
  const last = end(rest);
  if (last !== undefined) yield last;
}

// How an answer is written: servers and proxies send streams under any content type.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { chunksOf } from './answer.ts';
import type { Protocol } from './protocol.ts';

/** `unread`: neither a stream of the API nor JSON. */
export type AnswerForm = 'stream' | 'whole' | 'unread' | 'empty';

export const isStream = (type: string, { framing }: Protocol): boolean =>
  framing === 'sse' ? /^text\/event-stream\b/i.test(type) : /ndjson/i.test(type);

/** Characters that tell an event from JSON. */
const headLength = 8;

/** A line of a server-sent event, or its beginning. */
const eventLine = /^(?::|(?:data|event|id|retry)(?:[:\r\n]|$))/;

/** JSON that is laid out over several lines is one value. */
const openLine = /^\{[\t ]*[\r\n]/;

/** Finds the form of an answer by its first bytes, and sees each byte once. */
export class FormReader {
  readonly #framing: Protocol['framing'];
  readonly #isStreamed: boolean;
  #head = '';
  #isLineOver = false;
  #hasSecondLine = false;

  /** `isStreamed`: the request wants a stream. */
  constructor({ framing }: Protocol, isStreamed: boolean) {
    this.#framing = framing;
    this.#isStreamed = isStreamed;
  }

  /** Whether the form is known. */
  get isKnown(): boolean {
    if (this.#head.length < headLength) return false;
    return this.#hasSecondLine || !this.#mayHaveLines;
  }

  get #mayHaveLines(): boolean {
    const isLine = this.#head.startsWith('{') && !openLine.test(this.#head);
    return this.#framing === 'ndjson' && this.#isStreamed && isLine;
  }

  add(chunk: Buffer): void {
    for (const byte of chunk) {
      if (this.#hasSecondLine) return;
      const isBlank = byte === 32 || (byte >= 9 && byte <= 13);
      if (isBlank && this.#head === '') continue;
      if (this.#head.length < headLength) this.#head += String.fromCharCode(byte);
      if (byte === 10) this.#isLineOver = true;
      else if (!isBlank) this.#hasSecondLine = this.#isLineOver;
    }
  }

  get form(): AnswerForm {
    if (this.#head === '') return 'empty';
    if (this.#framing === 'sse' && eventLine.test(this.#head)) return 'stream';
    if (!this.#head.startsWith('{')) return 'unread';
    return this.#mayHaveLines && this.#hasSecondLine ? 'stream' : 'whole';
  }
}

/** An answer whose form is known, and all of its bytes. */
export interface BegunAnswer {
  readonly form: AnswerForm;
  readonly body: Readable;
}

/** Waits until the form of an answer can be told, or until it has ended. Never rejects. */
export async function beginAnswer(
  answer: IncomingMessage,
  reader: FormReader,
): Promise<BegunAnswer> {
  const chunks = chunksOf(answer);
  const first: Buffer[] = [];
  let rest: AsyncIterable<Buffer> = chunks;
  try {
    while (!reader.isKnown) {
      const next = await chunks.next();
      if (next.done === true) break;
      first.push(next.value);
      reader.add(next.value);
    }
  } catch (error) {
    rest = brokenStream(error);
  }
  return { form: reader.form, body: Readable.from(joinedChunks(first, rest)) };
}

async function* joinedChunks(
  first: readonly Buffer[],
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}

// eslint-disable-next-line require-yield -- it ends before its first value
async function* brokenStream(error: unknown): AsyncGenerator<Buffer> {
  throw error;
}

// Passes a streamed answer to the client, with its calls repaired.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { AnswerEnd, AnswerTimes, ChunkWork, HeldAnswer, ReadOptions } from './answer.ts';
import { isAnswer, isFailed, keepAliveMs, passChunks, readNext, textTools } from './answer.ts';
import { AnswerRepair, type CheckedCall } from './answer-repair.ts';
import { type Frame, FrameReader } from './frames.ts';
import type { ModelTurn } from './model-turn.ts';
import type { Protocol } from './protocol.ts';
import { StreamedTextCalls } from './text-calls.ts';

export const isStream = (type: string, { framing }: Protocol): boolean =>
  framing === 'sse' ? /^text\/event-stream\b/i.test(type) : /ndjson/i.test(type);

/** The client has the head already. */
export async function passStream(
  answer: AsyncIterable<unknown>,
  response: ServerResponse,
  options: ReadOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const { protocol, holdsToEnd, join } = options;
  const stream = new RepairedStream(options);
  const end = await passChunks(answer, response, stream);
  const { calls } = stream;
  if (end !== 'complete') return { kind: 'ended', end, calls };
  response.write(stream.end());
  const finish = (last: Buffer, status?: number): Promise<AnswerEnd> => {
    response.end(last);
    return Promise.resolve({ kind: 'ended', end, calls, ...(status === undefined ? {} : { status }) });
  };
  if (!holdsToEnd || !stream.isHolding || !calls.some(isFailed)) return finish(stream.rest());
  return {
    kind: 'held',
    calls,
    turn: stream.turn,
    release: () => finish(stream.rest()),
    reject: (error) => finish(Buffer.from(protocol.errorEvent(error)), error.status),
    async continueWith(next) {
      const timer = setInterval(() => {
        const bytes = stream.keepAlive();
        if (bytes !== undefined) response.write(bytes);
      }, keepAliveMs);
      const bytes = await readNext(next).finally(() => clearInterval(timer));
      if (bytes === undefined || !isStream(next.headers['content-type'] ?? '', protocol)) return undefined;
      const frames = new FrameReader(protocol.framing);
      const read = [...frames.add(bytes), ...[frames.rest()].flatMap((last) => last ?? [])];
      if (!isAnswer(read)) return undefined;
      join?.next();
      return passStream(Readable.from([bytes]), response, options);
    },
  };
}

/** A streamed answer, from chunks as they come to the bytes for the client. */
class RepairedStream implements ChunkWork {
  readonly #frames: FrameReader;
  readonly #repair: AnswerRepair;
  readonly #times: AnswerTimes;
  readonly #isSse: boolean;
  readonly #textCalls: StreamedTextCalls | undefined;
  readonly turn: ModelTurn | undefined;
  #heldSince: number | undefined;

  constructor(options: ReadOptions) {
    const { protocol, tools, holdsToEnd, join, newTurn, times, callsInText } = options;
    this.#frames = new FrameReader(protocol.framing);
    this.#isSse = protocol.framing === 'sse';
    this.#times = times;
    const { text, framing } = protocol;
    this.#textCalls =
      callsInText && text !== undefined
        ? new StreamedTextCalls(text, framing, textTools(options))
        : undefined;
    this.turn = newTurn?.();
    this.#repair = new AnswerRepair({
      read: protocol.eventReader(),
      check: (call, isMisshaped) => tools.check(call, isMisshaped),
      holdsToEnd,
      join,
      turn: this.turn,
    });
  }

  get calls(): readonly CheckedCall[] {
    return this.#repair.checked;
  }

  get isHolding(): boolean {
    return this.#repair.isHolding;
  }

  change(chunk: Buffer): readonly Buffer[] {
    return this.#timed(() =>
      this.#frames
        .add(chunk)
        .flatMap((frame) => this.#read(frame))
        .flatMap((frame) => this.#repair.add(frame)),
    );
  }

  giveUp(): readonly Buffer[] {
    const left = [...(this.#textCalls?.giveUp() ?? []), ...this.#lastFrame()];
    return [...this.#repair.giveUp(), ...left.map(({ bytes }) => bytes)];
  }

  /** The frames that a frame makes certain. */
  #read(frame: Frame): readonly Frame[] {
    return this.#textCalls?.add(frame) ?? [frame];
  }

  keepAlive(): Buffer | undefined {
    return this.#isSse && this.isHolding ? keepAliveComment : undefined;
  }

  /** What can be sent at the end; the rest may be held. */
  end(): Buffer {
    const passed = this.#timed(() => {
      const last = [
        ...this.#lastFrame().flatMap((frame) => this.#read(frame)),
        ...(this.#textCalls?.end() ?? []),
      ];
      return last.flatMap((frame) => this.#repair.add(frame));
    });
    this.#repair.end();
    return Buffer.concat(passed);
  }

  rest(): Buffer {
    return Buffer.concat(this.#timed(() => this.#repair.rest()));
  }

  #lastFrame(): readonly Frame[] {
    const last = this.#frames.rest();
    return last === undefined ? [] : [last];
  }

  #timed(work: () => readonly Buffer[]): readonly Buffer[] {
    const begun = performance.now();
    const bytes = work();
    const now = performance.now();
    this.#times.addedMs += now - begun;
    if (this.#heldSince !== undefined && !this.isHolding) this.#times.heldMs += now - this.#heldSince;
    this.#heldSince = this.isHolding ? (this.#heldSince ?? now) : undefined;
    return bytes;
  }
}

/** Tells a client that waits for the rest of a long call that the connection lives. */
const keepAliveComment = Buffer.from(': a tool call is on its way\n\n');

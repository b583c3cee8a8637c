// Passes a streamed answer to the client, with its calls repaired.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { plainJson } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import {
  type AnswerEnd,
  type AnswerTimes,
  type ChunkWork,
  type HeldAnswer,
  type ReadAnswerOptions,
  isAnswer,
  isFailed,
  keepAliveMs,
  passChunks,
  readNext,
  textTools,
} from './answer.ts';
import { FormReader, isStream } from './answer-form.ts';
import { AnswerRepair, type CheckedCall } from './answer-repair.ts';
import { type Frame, FrameReader } from './frames.ts';
import type { ModelTurn } from './model-turn.ts';
import type { EventReader, Protocol } from './protocol.ts';
import { type CallError, callErrorIn, recoveredCall, unreadCall } from './server-error.ts';
import { StreamedTextCalls } from './text-calls.ts';
import { UnreadTexts } from './unread-texts.ts';

/** The client has the head already. */
export async function passStream(
  answer: AsyncIterable<unknown>,
  response: ServerResponse,
  options: ReadAnswerOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const { protocol, holdsToEnd, join } = options;
  const stream = new RepairedStream(options);
  const end = await passChunks(answer, response, stream);
  const { calls } = stream;
  if (end !== 'complete') return { kind: 'ended', end, calls };
  response.write(stream.end());
  const finish = (last: Buffer, status?: number): Promise<AnswerEnd> => {
    response.end(last);
    return Promise.resolve({
      kind: 'ended',
      end,
      calls,
      ...(status === undefined ? {} : { status }),
    });
  };
  if (!holdsToEnd || !stream.isHolding || !calls.some(isFailed)) return finish(stream.rest());
  return {
    kind: 'held',
    calls,
    turn: stream.turn,
    release: () => finish(stream.rest()),
    reject: (error) => finish(Buffer.from(protocol.errorEvent(error)), error.status),
    async continueWith(next, nextProtocol) {
      const timer = setInterval(() => {
        const bytes = stream.keepAlive();
        if (bytes !== undefined) response.write(bytes);
      }, keepAliveMs);
      const bytes = await readNext(next).finally(() => clearInterval(timer));
      if (bytes === undefined) return undefined;
      const isNamed = isStream(next.headers['content-type'] ?? '', protocol);
      const form = new FormReader(protocol, true);
      form.add(bytes);
      if (!isNamed && form.form !== 'stream') return undefined;
      const frames = new FrameReader(protocol.framing);
      const read = [...frames.add(bytes), ...[frames.rest()].flatMap((last) => last ?? [])];
      if (!isAnswer(read)) return undefined;
      join?.next();
      return passStream(Readable.from([bytes]), response, { ...options, protocol: nextProtocol });
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
  readonly #options: ReadAnswerOptions;
  /** Calls of which the server said that it could not read them. */
  readonly #errorCalls: CheckedCall[] = [];
  readonly turn: ModelTurn | undefined;
  readonly #unreadTexts: UnreadTexts | undefined;
  #heldSince: number | undefined;
  /** An event without an end: from there on the answer passes as it comes. */
  #isGivenUp = false;
  /** A call ended the answer: what follows the server's error is not sent. */
  #isOver = false;

  constructor(options: ReadAnswerOptions) {
    const { protocol, tools, holdsToEnd, join, newTurn, times } = options;
    this.#options = options;
    this.#frames = new FrameReader(protocol.framing);
    this.#isSse = protocol.framing === 'sse';
    this.#times = times;
    const { text, framing } = protocol;
    const { callsInText, isTextAlone } = options;
    if (!isTextAlone && callsInText === undefined)
      this.#unreadTexts = new UnreadTexts(text, textTools(options));
    else if (!isTextAlone)
      this.#textCalls = new StreamedTextCalls(text, framing, textTools(options));
    this.turn = newTurn?.();
    this.#repair = new AnswerRepair({
      read: this.#eventReader(protocol),
      check: (call, isMisshaped) => tools.check(call, isMisshaped),
      holdsToEnd,
      join,
      turn: this.turn,
    });
  }

  get calls(): readonly CheckedCall[] {
    return [...this.#repair.checkedCalls, ...this.#errorCalls];
  }

  get isHolding(): boolean {
    return this.#repair.isHolding;
  }

  change(chunk: Buffer): readonly Buffer[] {
    if (this.#isGivenUp) return [chunk];
    return this.#timed(() => {
      const bytes = this.#frames.add(chunk).flatMap((frame) => this.#pass(frame));
      this.#isGivenUp = this.#frames.pendingBytes > maxEventBytes;
      return this.#isGivenUp ? [...bytes, ...this.giveUp()] : bytes;
    });
  }

  giveUp(): readonly Buffer[] {
    const frames = [...(this.#textCalls?.giveUp() ?? []), ...this.#lastFrame()];
    return [...this.#repair.giveUp(), ...frames.map(({ bytes }) => bytes)];
  }

  /** What can be sent with this frame. */
  #pass(frame: Frame): readonly Buffer[] {
    if (this.#isOver) return [];
    const error = errorIn(frame);
    if (error !== undefined) return this.#passError(frame, error);
    return (this.#textCalls?.add(frame) ?? [frame]).flatMap((read) => this.#repair.add(read));
  }

  /**
   * An error about the model's own call becomes the call, if it has one. The call comes behind the
   * calls before it, and ends the answer. If one of those was cut off, it may be the same call.
   */
  #passError(frame: Frame, error: CallError): readonly Buffer[] {
    const earlierBytes = this.#textCalls?.end().flatMap((read) => this.#repair.add(read)) ?? [];
    this.#repair.endCalls();
    const { tools, protocol, model } = this.#options;
    const index = this.#repair.nextIndex;
    const recovered =
      error.raw === undefined || index === undefined ? undefined : recoveredCall(error.raw, tools);
    const callAnswer = recovered && protocol.callAnswer?.(model ?? '', recovered.call, index);
    this.#isOver = callAnswer !== undefined;
    this.#errorCalls.push(callAnswer && recovered ? recovered.checkedCall : unreadCall(error));
    const last: Frame =
      callAnswer === undefined
        ? frame
        : { bytes: Buffer.from(callAnswer.events), data: undefined, withData: () => frame.bytes };
    return [...earlierBytes, ...this.#repair.add(last)];
  }

  keepAlive(): Buffer | undefined {
    return this.#isSse && this.isHolding ? keepAliveComment : undefined;
  }

  /** What can be sent at the end; the rest may be held. */
  end(): Buffer {
    if (this.#isGivenUp) return Buffer.alloc(0);
    const bytes = this.#timed(() => {
      const last = this.#lastFrame().flatMap((frame) => this.#pass(frame));
      const lastFrames = this.#textCalls?.end() ?? [];
      return [...last, ...lastFrames.flatMap((frame) => this.#repair.add(frame))];
    });
    this.#repair.end();
    this.#unreadTexts?.end();
    return Buffer.concat(bytes);
  }

  rest(): Buffer {
    return Buffer.concat(this.#timed(() => this.#repair.rest()));
  }

  #eventReader(protocol: Protocol): EventReader {
    const read = protocol.eventReader();
    return (event, text) => {
      this.#unreadTexts?.add(event);
      return read(event, text);
    };
  }

  #lastFrame(): readonly Frame[] {
    const last = this.#frames.rest();
    return last === undefined ? [] : [last];
  }

  #timed(work: () => readonly Buffer[]): readonly Buffer[] {
    const startedAt = performance.now();
    const bytes = work();
    const now = performance.now();
    this.#times.addedMs += now - startedAt;
    if (this.#heldSince !== undefined && !this.isHolding)
      this.#times.heldMs += now - this.#heldSince;
    this.#heldSince = this.isHolding ? (this.#heldSince ?? now) : undefined;
    return bytes;
  }
}

/** What a server says of a call that it could not read. */
function errorIn({ data }: Frame): CallError | undefined {
  if (data?.includes('"error"') !== true) return undefined;
  const event = plainJson(data);
  return isJsonObject(event) ? callErrorIn(event) : undefined;
}

/** The most bytes of one event. */
const maxEventBytes = 64 * 1024 * 1024;

/** Tells a client that waits for the rest of a long call that the connection lives. */
const keepAliveComment = Buffer.from(': a tool call is on its way\n\n');

// Passes an answer that is one JSON value to the client, with its calls repaired.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { textOfBytes } from '../json/parse.ts';
import {
  type AnswerEnd,
  type HeldAnswer,
  type ReadAnswerOptions,
  breakOff,
  isAnswer,
  isFailed,
  markHeader,
  nothing,
  passChunks,
  readNext,
  readWhole,
  textTools,
  writeHead,
} from './answer.ts';
import { type CheckedCall, AnswerRepair, statusOf } from './answer-repair.ts';
import type { Frame } from './frames.ts';
import { withTextCalls } from './text-calls.ts';

/** Reads an answer that is one JSON value, and sends it with its calls repaired. */
export async function passWhole(
  answer: IncomingMessage,
  response: ServerResponse,
  options: ReadAnswerOptions,
  body: Readable = answer,
): Promise<AnswerEnd | HeldAnswer> {
  const read = await readWhole(body);
  if (response.destroyed) return { kind: 'ended', end: 'client_closed', calls: [] };
  if (read.kind === 'broken') {
    writeHead(answer, response);
    breakOff(response, read.bytes);
    return { kind: 'ended', end: 'upstream_closed', calls: [] };
  }
  if (read.kind === 'too_large') {
    writeHead(answer, response);
    response.write(read.bytes);
    const end = await passChunks(body, response, nothing);
    if (end === 'complete') response.end();
    return { kind: 'ended', end, calls: [] };
  }
  return sendWhole(answer, wholeFrame(read.bytes), response, options);
}

function sendWhole(
  answer: IncomingMessage,
  frame: Frame,
  response: ServerResponse,
  options: ReadAnswerOptions,
): Promise<AnswerEnd> | HeldAnswer {
  const { protocol, tools, holdsToEnd, times } = options;
  const startedAt = performance.now();
  const turn = options.newTurn?.();
  const repair = new AnswerRepair({
    read: (event, text) => protocol.readAnswer(event, text),
    check: (call, isMisshaped) => tools.check(call, isMisshaped),
    holdsToEnd: true,
    turn,
  });
  const frames = repair.add(
    options.isTextAlone ? frame : withTextCalls(frame, protocol.text, textTools(options)),
  );
  repair.end();
  const body = Buffer.concat([...frames, ...repair.rest()]);
  times.addedMs += performance.now() - startedAt;
  const calls = repair.checkedCalls;
  const release = (): Promise<AnswerEnd> => {
    writeHead(answer, response, { length: body.length, marks: marksOf(calls) });
    response.end(body);
    return Promise.resolve({ kind: 'ended', end: 'complete', calls });
  };
  if (!holdsToEnd || !calls.some(isFailed)) return release();
  return {
    kind: 'held',
    calls,
    turn,
    release,
    reject(error) {
      response.writeHead(error.status, {
        'content-type': 'application/json',
        [markHeader]: marksOf(calls) ?? '',
      });
      response.end(protocol.errorBody(error));
      return Promise.resolve({ kind: 'ended', end: 'complete', calls, status: error.status });
    },
    async continueWith(next, nextProtocol) {
      const bytes = await readNext(next);
      const other = bytes === undefined ? undefined : wholeFrame(bytes);
      return other === undefined || !isAnswer([other])
        ? undefined
        : sendWhole(next, other, response, { ...options, protocol: nextProtocol });
    },
  };
}

function wholeFrame(bytes: Buffer): Frame {
  return { bytes, data: textOfBytes(bytes), withData: (text) => Buffer.from(text) };
}

function marksOf(calls: readonly CheckedCall[]): string | undefined {
  const counts = (['repaired', 'rejected', 'unknown_tool'] as const).flatMap((kind) => {
    const count = calls.filter((call) => statusOf(call) === kind).length;
    return count === 0 ? [] : [`${kind}=${count}`];
  });
  return counts.length === 0 ? undefined : counts.join(', ');
}

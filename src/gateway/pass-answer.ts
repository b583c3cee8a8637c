// Gets an answer to the client: as a stream, as one value, or as it comes, as its content type or its
// first bytes say.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { FormReader, beginAnswer, isStream } from './answer-form.ts';
import {
  type AnswerEnd,
  type AnswerOptions,
  type HeldAnswer,
  type ReadAnswerOptions,
  passThrough,
  sendHead,
  writeHead,
} from './answer.ts';
import { passStream } from './streamed-answer.ts';
import { passWhole } from './whole-answer.ts';

/** Repairs the calls of an answer that may have some; any other answer passes as it comes. */
export function passAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  options: AnswerOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const { protocol, tools, isStreamed } = options;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = answer.headers;
  if (tools === undefined || answer.statusCode !== 200) return passThrough(answer, response);
  if (encoding !== 'identity') return passUnread(answer, response);
  if (isStream(type, protocol)) {
    writeHead(answer, response, { length: 'unknown' });
    sendHead(response);
    return passStream(answer, response, { ...options, tools });
  }
  if (!isStreamed && /\bjson\b/i.test(type))
    return passWhole(answer, response, { ...options, tools });
  return passByForm(answer, response, { ...options, tools });
}

/** Passes an answer whose content type does not say how it is written, or may be wrong. */
async function passByForm(
  answer: IncomingMessage,
  response: ServerResponse,
  options: ReadAnswerOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const reader = new FormReader(options.protocol, options.isStreamed);
  const { form, body } = await beginAnswer(answer, reader);
  switch (form) {
    case 'stream':
      writeHead(answer, response, { length: 'unknown' });
      return passStream(body, response, options);
    case 'whole':
      return passWhole(answer, response, options, body);
    case 'empty':
      return passThrough(answer, response, body);
    default:
      return passUnread(answer, response, body);
  }
}

async function passUnread(
  answer: IncomingMessage,
  response: ServerResponse,
  body: Readable = answer,
): Promise<AnswerEnd> {
  const answerEnd = await passThrough(answer, response, body);
  return answerEnd.end === 'complete' ? { ...answerEnd, end: 'unread' } : answerEnd;
}

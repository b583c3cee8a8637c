// Outcomes, progress and errors as the protocol has them.
import type { CallToolResult, ContentBlock, ProgressToken } from '@modelcontextprotocol/server';
import { type ToolOutcome, toolMessage } from '../../outcomes/tool-outcome.ts';
import type { ResultFile } from '../../outcomes/tool-result.ts';
import { writeJson } from '../../json/serialize.ts';
import { defined, ownValue } from '../../collections/objects.ts';
import { isJsonObject } from '../../json/value.ts';
import { textOfFile, typeOf } from '../result-files.ts';
import type { RequestFacts } from './first-sdk.ts';

/**
 * Sends updates as `notifications/progress`. A number is the progress, a string the message; an
 * object may have `progress`, `total` and `message`. Anything else is the message as JSON. The
 * protocol requires a growing number: the last one plus 1 replaces a missing or smaller one.
 */
export function progressReport(
  progressToken: ProgressToken,
  send: RequestFacts['notify'],
): (update: unknown) => void {
  let last = 0;
  return (update) => {
    const { progress, ...rest } = readUpdate(update);
    last = progress !== undefined && progress > last ? progress : last + 1;
    const params = { progressToken, progress: last, ...rest };
    // The client may be gone.
    void send({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

export interface ProgressUpdate {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

export function readUpdate(update: unknown): ProgressUpdate {
  if (typeof update === 'number' && Number.isFinite(update)) return { progress: update };
  if (update === undefined) return {};
  if (typeof update === 'string') return { message: update };
  const { text, value } = writeJson(update);
  if (!isJsonObject(value)) return { message: text };
  const [progress, total, message] = ['progress', 'total', 'message'].map((key) =>
    ownValue(value, key),
  );
  if (typeof progress !== 'number' && typeof message !== 'string') return { message: text };
  return defined({
    progress: typeof progress === 'number' ? progress : undefined,
    total: typeof total === 'number' ? total : undefined,
    message: typeof message === 'string' ? message : undefined,
  });
}

/** Text, images, files, then each note in a block of its own, marked as meant for the model. */
export function callResult(outcome: ToolOutcome): CallToolResult {
  const message = toolMessage(outcome);
  const { text, images = [], files = [], notes, structured: structuredResult, isError } = message;
  const content: ContentBlock[] = [
    ...(text === '' && images.length + files.length > 0 ? [] : [textBlock(text)]),
    ...images.map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }) as const),
    ...files.map(fileBlock),
    ...notes.map((note) => ({
      ...textBlock(note),
      annotations: { audience: ['assistant' as const] },
    })),
  ];
  return {
    content,
    ...defined({ structuredContent: structuredResult }),
    ...(isError ? { isError } : {}),
  };
}

function fileBlock(file: ResultFile): ContentBlock {
  if (file.kind === 'linked') {
    const { kind: _kind, mediaType: mimeType, ...facts } = file;
    return { type: 'resource_link', ...facts, ...defined({ mimeType }) };
  }
  const { data, mediaType: mimeType, name = 'file' } = file;
  if (typeOf(file).startsWith('audio/')) return { type: 'audio', data, mimeType };
  // The protocol requires an address.
  const uri = file.uri ?? `attachment:${encodeURIComponent(name)}`;
  const text = textOfFile(file);
  const content = text === undefined ? { blob: data } : { text };
  return { type: 'resource', resource: { uri, mimeType, ...content } };
}

export const textBlock = (text: string) => ({ type: 'text', text }) as const;

/** https://www.jsonrpc.org/specification#error_object */
export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;

/** The protocol sends the code and the message. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

import { ToolRetry } from '../errors/errors.ts';
import type { BackgroundCall, EndedCall } from '../outcomes/background-call.ts';
import { RunContext, type ToolContext } from '../run/tool-context.ts';
import { type ResultFile, ToolResult } from '../outcomes/tool-result.ts';
import { waitedFor } from '../messages/call-messages.ts';
import { printable, quote } from '../json/preview.ts';
import { writeJson } from '../json/serialize.ts';
import { attempt } from '../collections/attempt.ts';
import type { TimeLimits } from '../tool/time-limits.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { BackgroundCalls } from '../run/background-calls.ts';
import { defineTool } from './define-tool.ts';

export const checkToolName = 'check_background';

interface CheckArguments {
  readonly handle: string;
  readonly wait_seconds?: number;
  readonly cancel?: boolean;
}

/**
 * The tool with which a model asks for the progress and the result of a background call, or cancels
 * it.
 */
export const checkBackgroundTool = (
  background: BackgroundCalls,
  limits: TimeLimits,
): ToolContract =>
  defineTool<CheckArguments>({
    name: checkToolName,
    description:
      'Ask for a call that runs in the background: its result if it has ended, else how far it is. Results also come without asking.',
    inputSchema: {
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'The handle that the call returned.' },
        wait_seconds: {
          type: 'integer',
          minimum: 0,
          maximum: maxSeconds,
          description: 'Seconds to wait for the end. Without it: 0.',
        },
        cancel: { type: 'boolean', description: 'Whether to cancel the call. Without it: false.' },
      },
      required: ['handle'],
      additionalProperties: false,
    },
    polls: true,
    execute: (values, context) => check(background, values, { context, limits }),
  });

const maxSeconds = 60;
const spareMs = 500;

async function check(
  background: BackgroundCalls,
  { handle, wait_seconds: seconds = 0, cancel = false }: CheckArguments,
  { context, limits }: { readonly context: ToolContext; readonly limits: TimeLimits },
): Promise<unknown> {
  const scope = { tenant: RunContext.slotOf(context)?.request.tenant ?? '' };
  const backgroundCall = cancel
    ? await background.cancel(handle, scope)
    : await background.get(handle, scope);
  // A call that waits for a slot may wait for the one of this call.
  const goesOn =
    backgroundCall?.state === 'running' ||
    (backgroundCall?.state === 'waiting' && backgroundCall.waitsFor === 'worker');
  const isWorthWaiting = goesOn && seconds > 0;
  const { signal } = context;
  // The wait ends before the time limit, so that the model reads how far the call is.
  const most = Math.max(0, (limits.timeoutMs ?? Infinity) - spareMs);
  const call = isWorthWaiting
    ? await background.wait(handle, Math.min(seconds * 1000, most), { ...scope, signal })
    : backgroundCall;
  if (call === undefined)
    throw new ToolRetry(
      `There is no background call ${quote(handle)}. Send a handle exactly as it was returned.`,
    );
  if (call.state !== 'ended') return runningText(call);
  await background.markTaken(handle);
  return endedResult(call);
}

function runningText(call: Exclude<BackgroundCall, EndedCall>): string {
  const seconds = Math.round((Date.now() - call.since) / 1000);
  if (call.state === 'waiting') {
    const { waitsFor } = call;
    const what = waitsFor === undefined ? 'other calls' : waitedFor[waitsFor];
    return `${call.tool} waits for ${what}, for ${seconds} s so far.`;
  }
  if (call.isAbandoned === true)
    return `${call.tool} was started ${seconds} s ago, and the process that ran it has stopped answering. ${takenOver}`;
  const report = progressText(call.progress);
  const progress = report === '' ? '' : `\nIts last report: ${report}`;
  return `${call.tool} is still running, for ${seconds} s so far.${progress}`;
}

const takenOver =
  'When another process takes the call over, it runs again if that does no harm; otherwise a person decides. Do not send it again.';

const maxReportLength = 1000;

/** Empty for an update without a JSON form. */
function progressText(update: unknown): string {
  const text = typeof update === 'string' ? update : attempt(() => writeJson(update).text);
  return text === undefined ? '' : printable(text, maxReportLength);
}

function withFile(result: ToolResult, file: ResultFile): ToolResult {
  if (file.kind === 'linked') {
    const { kind: _kind, uri, ...facts } = file;
    return result.link(uri, facts);
  }
  const { kind: _kind, data, mediaType, ...facts } = file;
  return result.file(data, mediaType, facts);
}

function endedResult({ outcome, text }: EndedCall): ToolResult {
  const { images = [], files = [] } = outcome.status === 'completed' ? outcome.content : {};
  const withImages = images.reduce(
    (result, { data, mediaType }) => result.image(data, mediaType),
    ToolResult.of().text(text),
  );
  return files.reduce(withFile, withImages);
}

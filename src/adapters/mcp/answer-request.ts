// What does a server answer to `tools/call`? The outcome of the call; what the model did wrong is a result with `isError`.
import type {
  CallToolRequest,
  CallToolResult,
  ContentBlock,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { newErrorId } from '../../errors/error-id.ts';
import { signalTextOf } from '../../errors/tool-signals.ts';
import { toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { CallOptions } from '../../registry/running/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { tell } from '../../telemetry/tell.ts';
import { progressReport } from './progress-report.ts';

export interface ServeOptions {
  /**
   * What is to be said of a call by what the server knows of its request: the tenant as `context`, the `caller`, a
   * `memory`. The request's own abort and progress are added. A `ToolFailure` that it throws is the answer.
   */
  readonly callOptions?: (request: ServerContext) => CallOptions | Promise<CallOptions>;
  /**
   * Told of what became of each call, with repairs, artifact and cause; of one that waits, the approval for `tools.decide`.
   * What it throws or rejects with is dropped.
   */
  readonly onOutcome?: (outcome: ToolOutcome, request: ServerContext) => unknown;
}

/** What an McpServer stands on. */
export type LowLevelServer = McpServer['server'];

export interface Serving {
  readonly tools: ToolSet;
  readonly options: ServeOptions;
  readonly protocol: LowLevelServer;
}

/** Rejects for a tool that there is not, as the protocol says, and shows nobody another exception's text. */
export async function answerRequest(
  params: CallToolRequest['params'],
  context: ServerContext,
  { tools, options, protocol }: Serving,
): Promise<CallToolResult> {
  let outcome: ToolOutcome;
  try {
    const own = (await options.callOptions?.(context)) ?? {};
    const { name, arguments: sent = {} } = params;
    const call = { id: String(context.mcpReq.id), name, arguments: sent, dialect: 'mcp' } as const;
    outcome = await tools.call(call, withRequest(own, params, context));
  } catch (error) {
    return failedAnswer(error, protocol);
  }
  tell(() => options.onOutcome?.(outcome, context));
  if (outcome.outcome === 'unknown-tool') throw new ProtocolFault(invalidParams, outcome.message);
  return protocol.projectCallToolResult(callResult(outcome), undefined);
}

/** The request's cancellation and progress beside those of the application. */
function withRequest(
  own: CallOptions,
  { _meta: meta }: CallToolRequest['params'],
  { mcpReq: { signal, notify } }: ServerContext,
): CallOptions {
  const token = meta?.progressToken;
  const report = token === undefined ? undefined : progressReport(token, notify);
  return {
    ...own,
    signal: own.signal === undefined ? signal : AbortSignal.any([signal, own.signal]),
    ...(report === undefined ? {} : { progress: both(report, own.progress) }),
  };
}

type Progress = NonNullable<CallOptions['progress']>;

const both = (first: Progress, second: Progress | undefined): Progress =>
  second === undefined
    ? first
    : (update) => {
        first(update);
        // What it promises is dropped where progress is told.
        return second(update);
      };

function failedAnswer(error: unknown, protocol: LowLevelServer): CallToolResult {
  const signal = signalTextOf(error);
  if (signal !== undefined) return errorResult(signal.text);
  const errorId = newErrorId();
  tell(() => protocol.onerror?.(new Error(`tools/call failed (error ${errorId})`, { cause: error })));
  throw new ProtocolFault(internalError, `The server failed with an internal error (error ${errorId}).`);
}

/** Text, images, then each note in a block of its own, which is marked as being for the model. */
function callResult(outcome: ToolOutcome): CallToolResult {
  const { text, images = [], notes, structured, isError } = toolMessage(outcome);
  const shown = images.map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }) as const);
  const content: ContentBlock[] = [
    ...(text === '' && shown.length > 0 ? [] : [textBlock(text)]),
    ...shown,
    ...notes.map((note) => ({ ...textBlock(note), annotations: { audience: ['assistant' as const] } })),
  ];
  return {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

const errorResult = (text: string): CallToolResult => ({ content: [textBlock(text)], isError: true });

const textBlock = (text: string) => ({ type: 'text', text }) as const;

/** JSON-RPC's codes: https://www.jsonrpc.org/specification#error_object */
const invalidParams = -32602;
const internalError = -32603;

/** An error whose code and text the protocol sends. */
class ProtocolFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

// How does a program offer tools in the Responses API, and what becomes of a response? One step of its loop.
import type {
  FunctionTool,
  ResponseInputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import { readStream } from '../../interpret/streaming/read-stream.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { CallOptions } from '../../registry/running/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import type { OpenAiOptions } from './openai-options.ts';
import { readResponse, type ResponseAnswer, type ResponseOutput } from './response-calls.ts';
import { ResponseCollector } from './response-collector.ts';
import { outputItems, understoodItems } from './response-items.ts';

/** A response, or a streamed one: collected, or still to be read. */
export type ResponseSource = ResponseOutput | ResponseCollector | AsyncIterable<ResponseStreamEvent>;

/** What came of one response. */
export interface ResponseTurn {
  /** To append to the input: all that the model gave out, and the outputs of its calls. */
  readonly items: ResponseInputItem[];
  /** The outputs alone, for a request that names the response as `previous_response_id`. */
  readonly outputs: ResponseInputItem[];
  /** In the order of the calls; empty: the model has made none, and is done. */
  readonly outcomes: readonly ToolOutcome[];
}

/** Tools as the Responses API takes and calls them. */
export interface ResponseTools {
  /** The `tools` of a request: a new list, the same every time. */
  readonly tools: FunctionTool[];
  /** The calls of a response, for a program that runs them itself with the dialect that they carry. */
  calls(response: ResponseOutput): readonly ToolCall[];
  /**
   * Runs the calls of a response, side by side. Never rejects for what a model or a tool did; a stream that breaks off or is
   * aborted rejects, and nothing has run then.
   */
  answer(source: ResponseSource, options?: Omit<CallOptions, 'dialect'>): Promise<ResponseTurn>;
}

/** For OpenAI's Responses API. */
export function responses(
  tools: ToolSet,
  { strict = false, notes = 'parts' }: OpenAiOptions = {},
): ResponseTools {
  const dialect = strict ? 'openai-responses-strict' : 'openai-responses';
  return Object.freeze({
    get tools(): FunctionTool[] {
      return tools.schemas(dialect);
    },
    calls: (response: ResponseOutput): readonly ToolCall[] =>
      readResponse(response).calls.map((call) => ({ ...call, dialect })),
    async answer(source: ResponseSource, options: Omit<CallOptions, 'dialect'> = {}): Promise<ResponseTurn> {
      const answer = await readSource(source);
      const outcomes = await tools.callAll(answer.calls, { ...options, dialect });
      const history = outcomes.map((outcome) => tools.history(outcome));
      const outputs = [...outputItems(outcomes, notes)];
      return { items: [...understoodItems(answer, history), ...outputs], outputs, outcomes };
    },
  });
}

async function readSource(source: ResponseSource): Promise<ResponseAnswer> {
  if (source instanceof ResponseCollector) return source.end();
  if (!(Symbol.asyncIterator in source)) return readResponse(source);
  const collector = new ResponseCollector();
  await readStream(source, (event) => collector.add(event));
  return collector.end();
}

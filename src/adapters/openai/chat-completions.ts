// How does a program offer tools in Chat Completions, and what becomes of an answer? One step of its loop.
import type {
  ChatCompletionChunk,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import { readStream } from '../../interpret/streaming/read-stream.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { CallOptions } from '../../registry/running/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { type ChatAnswer, type CompletionContent, readCompletion } from './chat-calls.ts';
import { ChatCollector } from './chat-collector.ts';
import { assistantMessage, resultMessages } from './chat-messages.ts';
import type { OpenAiOptions } from './openai-options.ts';

/** A completion, or a streamed one: collected, or still to be read. */
export type ChatSource = CompletionContent | ChatCollector | AsyncIterable<ChatCompletionChunk>;

/** What came of one answer. */
export interface ChatTurn {
  /** To append to the conversation: the model's message, and the results of its calls. */
  readonly messages: ChatCompletionMessageParam[];
  /** In the order of the calls; empty: the model has made none, and is done. */
  readonly outcomes: readonly ToolOutcome[];
}

/** Tools as Chat Completions takes and calls them. */
export interface ChatTools {
  /** The `tools` of a request: a new list, the same every time. */
  readonly tools: ChatCompletionFunctionTool[];
  /** The calls of an answer, for a program that runs them itself with the dialect that they carry. */
  calls(completion: CompletionContent): readonly ToolCall[];
  /**
   * Runs the calls of an answer, side by side. Never rejects for what a model or a tool did; a stream that breaks off or is
   * aborted rejects, and nothing has run then.
   */
  answer(source: ChatSource, options?: Omit<CallOptions, 'dialect'>): Promise<ChatTurn>;
}

/** For OpenAI's Chat Completions, and for servers that speak like it: vLLM, Ollama, llama.cpp, OpenRouter. */
export function chatCompletions(
  tools: ToolSet,
  { strict = false, notes = 'parts' }: OpenAiOptions = {},
): ChatTools {
  const dialect = strict ? 'openai-strict' : 'openai';
  return Object.freeze({
    get tools(): ChatCompletionFunctionTool[] {
      return tools.schemas(dialect);
    },
    calls: (completion: CompletionContent): readonly ToolCall[] =>
      (readCompletion(completion)?.calls ?? []).map((call) => ({ ...call, dialect })),
    async answer(source: ChatSource, options: Omit<CallOptions, 'dialect'> = {}): Promise<ChatTurn> {
      const answer = await readSource(source);
      if (answer === undefined) return { messages: [], outcomes: [] };
      const outcomes = await tools.callAll(answer.calls, { ...options, dialect });
      const history = outcomes.map((outcome) => tools.history(outcome));
      const messages = [assistantMessage(answer, history), ...resultMessages(outcomes, notes)];
      return { messages, outcomes };
    },
  });
}

async function readSource(source: ChatSource): Promise<ChatAnswer | undefined> {
  if (source instanceof ChatCollector) return source.end();
  if (!(Symbol.asyncIterator in source)) return readCompletion(source);
  const collector = new ChatCollector();
  await readStream(source, (chunk) => collector.add(chunk));
  return collector.end();
}

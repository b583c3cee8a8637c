// How does a program offer tools to Claude in the Messages API, and what becomes of an answer? One step of its loop.
import type {
  MessageParam,
  RawMessageStreamEvent,
  Tool,
} from '@anthropic-ai/sdk/resources/messages/messages';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import { readStream } from '../../interpret/streaming/read-stream.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { CallOptions } from '../../registry/running/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { MessageCollector } from './message-collector.ts';
import { resultBlock, understoodBlocks } from './result-blocks.ts';
import { type MessageAnswer, type MessageContent, readMessage } from './tool-uses.ts';

export interface AnthropicOptions {
  /** The provider holds the model to the schema; constraints are said in words, maps are lists. Default: false. */
  readonly strict?: boolean;
}

/**
 * A message, or a streamed one: collected, or still to be read. A stream has the text of the inputs, so that every digit of
 * a number is known.
 */
export type MessageSource = MessageContent | MessageCollector | AsyncIterable<RawMessageStreamEvent>;

/** What came of one message. */
export interface AnthropicTurn {
  /** To append to the conversation: the model's message, and the results of its calls in one. */
  readonly messages: MessageParam[];
  /** In the order of the calls; empty: the model has made none. */
  readonly outcomes: readonly ToolOutcome[];
}

/** Tools as the Messages API takes and calls them. */
export interface AnthropicTools {
  /** The `tools` of a request: a new list, the same every time. */
  readonly tools: Tool[];
  /** The calls of a message, for a program that runs them itself with the dialect that they carry. */
  calls(message: MessageContent): readonly ToolCall[];
  /**
   * Runs the calls of a message, side by side. Never rejects for what a model or a tool did; a stream that breaks off or is
   * aborted rejects, and nothing has run then.
   */
  answer(source: MessageSource, options?: Omit<CallOptions, 'dialect'>): Promise<AnthropicTurn>;
}

/** For Anthropic's Messages API. */
export function anthropicMessages(tools: ToolSet, { strict = false }: AnthropicOptions = {}): AnthropicTools {
  const dialect = strict ? 'anthropic-strict' : 'anthropic';
  return Object.freeze({
    get tools(): Tool[] {
      return tools.schemas(dialect).map(asTool);
    },
    calls: (message: MessageContent): readonly ToolCall[] =>
      readMessage(message).calls.map((call) => ({ ...call, dialect })),
    async answer(source: MessageSource, options: Omit<CallOptions, 'dialect'> = {}): Promise<AnthropicTurn> {
      const { content, calls } = await readSource(source);
      const outcomes = await tools.callAll(calls, { ...options, dialect });
      const history = outcomes.map((outcome) => tools.history(outcome));
      const said = [...understoodBlocks(content, history)];
      const results = outcomes.map(resultBlock);
      const messages: MessageParam[] = [
        { role: 'assistant', content: said },
        { role: 'user', content: results },
      ];
      return { messages: messages.filter(({ content: blocks }) => blocks.length > 0), outcomes };
    },
  });
}

const asTool = ({ input_schema: schema, ...tool }: ShownTool): Tool => {
  const { required, ...rest } = schema;
  const names = required === undefined ? {} : { required: [...required] };
  return { ...tool, input_schema: { ...rest, ...names, type: 'object' } };
};

type ShownTool = ReturnType<typeof ToolSet.prototype.schemas<'anthropic' | 'anthropic-strict'>>[number];

async function readSource(source: MessageSource): Promise<MessageAnswer> {
  if (source instanceof MessageCollector) return source.end();
  if (!(Symbol.asyncIterator in source)) return readMessage(source);
  const collector = new MessageCollector();
  await readStream(source, (event) => collector.add(event));
  return collector.end();
}

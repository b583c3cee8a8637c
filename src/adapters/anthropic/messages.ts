import { isContainer } from '../../collections/objects.ts';
import type {
  Base64ImageSource,
  ContentBlock,
  ContentBlockParam,
  ImageBlockParam,
  Message,
  MessageParam,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
  ToolUseBlock,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { type OptionKinds, boolean, checkOptions } from '../../options/check-options.ts';
import { type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import type { ResultImage } from '../../execute/tool-result.ts';
import { BlockNumbers } from '../../wire/block-numbers.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import type { ToolCall } from '../../providers/tool-call.ts';
import { parseJson } from '../../json/parse.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endedEarly, textEndOf } from '../../text/decode-arguments.ts';
import type { ToolContract } from '../../tool/tool-contract.ts';
import {
  type ToolTurns,
  type TurnOutcomes,
  inputExamplesOf,
  historyArguments,
  byIndex,
  contentParts,
  objectsIn,
  toolCallsFrom,
  textIn,
  toolTurns,
} from '../tool-turn.ts';

/** The options of `anthropicMessages`. */
export interface AnthropicOptions {
  /** Strict mode: the provider makes the model follow the schema. Default: false. */
  readonly strict?: boolean;
  /**
   * Tools with `deferred: true` have `defer_loading`: Claude finds them by a tool search tool,
   * which the program adds to the request. Default: false.
   */
  readonly deferLoading?: boolean;
  /**
   * Examples of all arguments (`@Example` on a class, `examples` of a schema) are Claude's
   * `input_examples` and not part of the schema. Examples that the shown schema refuses are left
   * out, because the API refuses requests with them. Default: false.
   */
  readonly inputExamples?: boolean;
}

const anthropicOptionKinds: OptionKinds<AnthropicOptions> = {
  strict: boolean,
  deferLoading: boolean,
  inputExamples: boolean,
};

/** The members of a message that the adapter reads. */
export type MessageContent = Pick<Message, 'content' | 'model' | 'stop_reason'>;

export interface MessageAnswer {
  readonly content: readonly ContentBlock[];
  /** In the order of their blocks. */
  readonly calls: readonly ToolCall[];
}

/** One step of a conversation. */
export interface AnthropicTurn extends TurnOutcomes {
  /**
   * To append to the conversation: the model's message, and one message with the results of its
   * calls.
   */
  readonly messages: MessageParam[];
}

/**
 * Tools for the Messages API. Prefer streams to whole messages. A stream has the text of the
 * inputs, so that broken JSON can be repaired and no digit of a number is lost.
 */
export interface AnthropicTools extends ToolTurns<
  MessageContent,
  MessageCollector,
  RawMessageStreamEvent,
  AnthropicTurn
> {
  /** The `tools` of a request: a new array of the same tools each time. */
  readonly tools: Tool[];
}

/** For Anthropic's Messages API. */
export function anthropicMessages(tools: ToolSet, options: AnthropicOptions = {}): AnthropicTools {
  checkOptions('anthropicMessages', options, anthropicOptionKinds);
  const provider = options.strict === true ? 'anthropic-strict' : 'anthropic';
  return Object.freeze({
    get tools(): Tool[] {
      const contracts = tools.contracts();
      return tools.schemas(provider).map((tool, index) => ({
        ...mutableTool(
          options.inputExamples === true ? withInputExamples(tool, contracts[index]) : tool,
        ),
        ...(options.deferLoading === true && contracts[index]?.deferred === true
          ? { defer_loading: true }
          : {}),
      }));
    },
    ...toolTurns(tools, {
      provider,
      read: (message: MessageContent) => readMessage(message),
      Collector: MessageCollector,
      messages({ content }, history, outcomes) {
        const messages: MessageParam[] = [
          { role: 'assistant', content: [...inputBlocks(content, history)] },
          { role: 'user', content: outcomes.map(resultBlock) },
        ];
        return { messages: messages.filter(({ content: blocks }) => blocks.length > 0) };
      },
    }),
  });
}

type ProviderTool = ReturnType<
  typeof ToolSet.prototype.schemas<'anthropic' | 'anthropic-strict'>
>[number];

function withInputExamples(tool: ProviderTool, contract: ToolContract | undefined): ExampleTool {
  const { schema, examples } = inputExamplesOf(contract, tool.input_schema);
  return {
    ...tool,
    input_schema: schema,
    ...(examples.length === 0 ? {} : { input_examples: [...examples] }),
  };
}

type ExampleTool = ProviderTool & Pick<Tool, 'input_examples'>;

/** The SDK's type has a mutable `required`. */
const mutableTool = ({ input_schema: schema, ...tool }: ExampleTool): Tool => {
  const { required, ...rest } = schema;
  const names = required === undefined ? {} : { required: [...required] };
  return { ...tool, input_schema: { ...rest, ...names, type: 'object' } };
};

/** `texts`: the JSON text of inputs that were streamed. */
function readMessage(
  { content: sent, model, stop_reason: reason }: MessageContent,
  texts: ReadonlyMap<ContentBlock, string> = new Map(),
): MessageAnswer {
  const content = objectsIn(sent);
  const calls = content.filter(isToolUse).map((block) => ({
    id: block.id,
    name: block.name,
    arguments: texts.get(block) ?? block.input,
    finishReason: endOf(reason, block === content.at(-1) ? 'last' : 'earlier'),
  }));
  return { content, calls: toolCallsFrom(calls, model) };
}

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use';

/**
 * Servers may omit the reason, or send one that the SDK doesn't know. The SDK has null for a stream
 * that broke off.
 */
type StopReason = string | null | undefined;

/**
 * The SDK completes a partial input, so that only the stop reason shows that the last call was cut
 * off. Earlier ones are whole.
 */
function endOf(reason: StopReason, call: 'last' | 'earlier'): string | undefined {
  if (reason === undefined || (reason !== null && textEndOf(reason) === 'normal')) return reason;
  if (call === 'earlier') return 'tool_use';
  return reason !== null && endedEarly(textEndOf(reason)) ? reason : 'incomplete';
}

interface CollectedBlock {
  readonly block: ContentBlock;
  /** The JSON text of its input. */
  readonly text: string;
}

/** Collects the events of one streamed message. */
export class MessageCollector {
  readonly #blocks = new Map<number, CollectedBlock>();
  readonly #numbers = new BlockNumbers();
  #model = '';
  #stopReason: MessageContent['stop_reason'] = null;

  /** Adds one event and returns this collector. */
  add(event: RawMessageStreamEvent): this {
    if (!isContainer(event)) return this;
    switch (event.type) {
      case 'message_start':
        this.#model = textIn(event.message?.model);
        break;
      case 'content_block_start':
        if (isContainer(event.content_block))
          this.#blocks.set(this.#numbers.begin(event.index), {
            block: event.content_block,
            text: '',
          });
        break;
      case 'content_block_delta': {
        const number = this.#numbers.find(event.index) ?? event.index;
        const before = this.#blocks.get(number);
        if (before !== undefined && isContainer(event.delta))
          this.#blocks.set(number, withDelta(before, event.delta));
        break;
      }
      case 'message_delta':
        this.#stopReason = event.delta?.stop_reason ?? this.#stopReason;
        break;
      default:
    }
    return this;
  }

  /** The answer. A call that hasn't ended when the stream ends was cut off. */
  end(): MessageAnswer {
    const texts = new Map<ContentBlock, string>();
    const content = byIndex(this.#blocks).map(({ block, text }) => {
      if (text === '') return block;
      const whole = withInput(block, text);
      texts.set(whole, text);
      return whole;
    });
    return readMessage({ content, model: this.#model, stop_reason: this.#stopReason }, texts);
  }
}

function withDelta({ block, text }: CollectedBlock, delta: RawContentBlockDelta): CollectedBlock {
  if (delta.type === 'input_json_delta') return { block, text: text + textIn(delta.partial_json) };
  if (delta.type === 'text_delta' && block.type === 'text')
    return { text, block: { ...block, text: textIn(block.text) + textIn(delta.text) } };
  if (delta.type === 'citations_delta' && block.type === 'text')
    return { text, block: { ...block, citations: [...(block.citations ?? []), delta.citation] } };
  if (delta.type === 'thinking_delta' && block.type === 'thinking')
    return { text, block: { ...block, thinking: textIn(block.thinking) + textIn(delta.thinking) } };
  if (delta.type === 'signature_delta' && block.type === 'thinking')
    return { text, block: { ...block, signature: delta.signature } };
  return { block, text };
}

/** A copy with the parsed input, if the text is JSON. */
function withInput(block: ContentBlock, text: string): ContentBlock {
  if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return { ...block };
  const reading = parseJson(text);
  return reading.kind === 'read' ? { ...block, input: reading.value } : { ...block };
}

/** The blocks in their order, with thinking, which the provider requires back with its calls. */
function inputBlocks(
  content: readonly ContentBlock[],
  history: readonly HistoryCall[],
): readonly ContentBlockParam[] {
  const remaining = [...history];
  return content.filter(hasContent).map((block): ContentBlockParam => {
    if (!isToolUse(block)) return block;
    const call = remaining.shift();
    return call === undefined
      ? block
      : { ...block, id: call.id, name: call.name, input: historyArguments(call) };
  });
}

/** The provider refuses a text of whitespace alone. */
const hasContent = (block: ContentBlock): boolean =>
  block.type !== 'text' || textIn(block.text).trim() !== '';

function resultBlock(outcome: ToolOutcome): ToolResultBlockParam {
  const message = toolMessage(outcome);
  const content = contentParts(message, blockFormat).filter(
    (part) => part.type !== 'text' || part.text !== '',
  );
  return {
    type: 'tool_result',
    tool_use_id: outcome.call.id,
    ...(content.length === 0 ? {} : { content }),
    ...(message.isError ? { is_error: true } : {}),
  };
}

const textBlock = (text: string): TextBlockParam | ImageBlockParam => ({ type: 'text', text });

const blockFormat = {
  text: textBlock,
  image: ({ data, mediaType }: ResultImage): TextBlockParam | ImageBlockParam =>
    isSupported(mediaType)
      ? { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
      : textBlock(`An image of the type ${mediaType}, which can't be shown.`),
};

const isSupported = (mediaType: string): mediaType is Base64ImageSource['media_type'] =>
  /^image\/(?:jpeg|png|gif|webp)$/.test(mediaType);

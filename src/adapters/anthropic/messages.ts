import { defined } from '../../collections/objects.ts';
import type {
  Base64ImageSource,
  ContentBlock,
  DocumentBlockParam,
  ImageBlockParam,
  Message,
  MessageParam,
  RawMessageStreamEvent,
  TextBlockParam,
  Tool,
  ToolChoiceTool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { type OptionKinds, boolean, checkOptions } from '../../options/check-options.ts';
import { type ToolOutcome, toolMessage } from '../../outcomes/tool-outcome.ts';
import type { EmbeddedFile, ResultFile, ResultImage } from '../../outcomes/tool-result.ts';
import { type PartialArguments, partialArguments } from '../../interpret/partial-arguments.ts';
import { type PartialListener, PartialListeners } from '../../interpret/partial-calls.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endedEarly, textEndOf } from '../../text/decode-arguments.ts';
import type { ToolContract } from '../../tool/tool-contract.ts';
import {
  StreamedMessage,
  anthropicMessages as wire,
  inputText,
  isBlankText,
  toolResult,
  toolUse,
  wholeBlock,
} from '../../wire/anthropic-messages.ts';
import { each, objectsAt, partsOfCall, valueAtPath } from '../../wire/wire-api.ts';
import { textOfFile, typeOf } from '../result-files.ts';
import {
  type ToolTurns,
  type RetryTurn,
  inputExamplesOf,
  contentParts,
  jsonOf,
  textIn,
  toolCallsFrom,
  toolToRetry,
  toolTurns,
  withHistory,
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
export interface AnthropicTurn extends RetryTurn<ToolChoiceTool> {
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
      read: (message: MessageContent) => readMessage(jsonOf(message)),
      Collector: MessageCollector,
      messages({ content }, history, outcomes): Omit<AnthropicTurn, 'outcomes'> {
        // With thoughts, which the API requires back with the calls.
        const repeatedBlocks = content.map(jsonOf).filter((block) => !isBlankText(block));
        const messages: MessageParam[] = [
          {
            role: 'assistant',
            content: withHistory(toolUse, repeatedBlocks, history).filter(isBlock),
          },
          { role: 'user', content: outcomes.map(resultBlock) },
        ];
        const name = toolToRetry(outcomes);
        const isThinking = content.some(({ type }) => type.endsWith('thinking'));
        return {
          messages: messages.filter(({ content: blocks }) => blocks.length > 0),
          ...(name === undefined || isThinking ? {} : { toolChoice: { type: 'tool', name } }),
        };
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

/** The SDK's types have mutable lists. */
const mutableTool = ({ input_schema: schema, allowed_callers, ...tool }: ExampleTool): Tool => {
  const { required, ...rest } = schema;
  const names = required === undefined ? {} : { required: [...required] };
  return {
    ...tool,
    ...(allowed_callers === undefined ? {} : { allowed_callers: [...allowed_callers] }),
    input_schema: { ...rest, ...names, type: 'object' },
  };
};

function readMessage(message: JsonObject): MessageAnswer {
  const { answer } = wire;
  const blocks = objectsAt(message, ['content', each]);
  const reason = valueAtPath(message, answer.finishReason);
  const calls = blocks.filter(toolUse.isCall).map((block) => ({
    ...partsOfCall(toolUse, block),
    ...defined({ arguments: inputText(block) }),
    finishReason: endOf(reason, block === blocks.at(-1) ? 'last' : 'earlier'),
  }));
  return {
    content: blocks.map(wholeBlock).filter(isBlock),
    calls: toolCallsFrom(calls, valueAtPath(message, answer.model)),
  };
}

/** The API takes back what it sent. */
const isBlock = (block: JsonObject): block is JsonObject & ContentBlock =>
  Object.hasOwn(block, 'type');

/**
 * The SDK completes a partial input, so that only the stop reason shows that the last call was cut
 * off. Earlier ones are whole.
 */
function endOf(reason: JsonValue | undefined, call: 'last' | 'earlier'): string | undefined {
  if (reason === undefined) return reason;
  const word = textIn(reason);
  const end = textEndOf(word);
  if (end === 'normal') return word;
  if (call === 'earlier') return 'tool_use';
  return endedEarly(end) ? word : 'incomplete';
}

/** Collects the events of one streamed message. */
export class MessageCollector {
  readonly #streamed = new StreamedMessage();
  readonly #listeners = new PartialListeners();

  /** Adds one event and returns this collector. */
  add(event: RawMessageStreamEvent): this {
    const json = jsonOf(event);
    for (const number of this.#streamed.add(json))
      this.#listeners.update(number, () => {
        const block = this.#streamed.block(number);
        if (block === undefined || !toolUse.isCall(block)) return undefined;
        const { id, name } = partsOfCall(toolUse, block);
        return {
          index: this.#streamed.countBefore(number, toolUse.isCall),
          callId: textIn(id),
          tool: textIn(name),
          text: inputText(block) ?? '',
          piece: textIn(valueAtPath(json, ['delta', 'partial_json'])),
        };
      });
    return this;
  }

  /**
   * As `ToolCallCollector.partial`: what to show of a call while it comes. `index`: among the calls.
   * Default: the last one.
   */
  partial<Values extends object = JsonObject>(index = -1): PartialArguments<Values> | undefined {
    const block = this.#callBlocks().at(index);
    return block && partialArguments<Values>(inputText(block) ?? '{}');
  }

  /**
   * Calls the listener when a call begins, and with each piece of its arguments, to show them to a
   * person: see `PartialCall`. Returns the function that ends it.
   */
  onPartial<Values extends object = JsonObject>(listener: PartialListener<Values>): () => void {
    return this.#listeners.add(listener);
  }

  #callBlocks(): readonly JsonObject[] {
    return this.#streamed.blocks.filter(toolUse.isCall);
  }

  /** The answer. A call that hasn't ended when the stream ends was cut off. */
  end(): MessageAnswer {
    return readMessage(this.#streamed.message);
  }
}

function resultBlock(outcome: ToolOutcome): ToolResultBlockParam {
  const message = toolMessage(outcome);
  const content = contentParts(message, blockFormat).filter(
    (part) => part.type !== 'text' || part.text !== '',
  );
  return toolResult(outcome.call.id, message.isError, content.length === 0 ? undefined : content);
}

type ResultBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

const textBlock = (text: string): ResultBlock => ({ type: 'text', text });

const blockFormat = {
  text: textBlock,
  image: ({ data, mediaType }: ResultImage): ResultBlock =>
    isSupported(mediaType)
      ? { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
      : textBlock(`An image of the type ${mediaType}, which can't be shown.`),
  file(file: ResultFile): DocumentBlockParam | undefined {
    const source = file.kind === 'embedded' ? documentSource(file) : undefined;
    return source && { type: 'document', source, ...defined({ title: file.name }) };
  },
};

/** The API takes PDF and text: https://platform.claude.com/docs/en/build-with-claude/files */
function documentSource(file: EmbeddedFile): DocumentBlockParam['source'] | undefined {
  if (typeOf(file) === 'application/pdf')
    return { type: 'base64', media_type: 'application/pdf', data: file.data };
  const text = textOfFile(file);
  return text === undefined || text === ''
    ? undefined
    : { type: 'text', media_type: 'text/plain', data: text };
}

const isSupported = (mediaType: string): mediaType is Base64ImageSource['media_type'] =>
  /^image\/(?:jpeg|png|gif|webp)$/.test(mediaType);

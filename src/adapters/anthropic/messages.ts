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
import { type OptionKinds, boolean, checkOptions } from '../../errors/check-options.ts';
import { type ToolMessage, type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/history.ts';
import { isThere, objectsIn, readStream, textIn, withOwnIds } from '../../interpret/tool-call-collector.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { parseJson } from '../../json/parse.ts';
import type { CallOptions } from '../../registry/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { textEndOf } from '../../repair/finish-reason.ts';

// Its input has been parsed already, so what was cut off can't be told by it.
/** What of a message is read. */
export type MessageContent = Pick<Message, 'content' | 'model' | 'stop_reason'>;

export interface MessageAnswer {
  readonly content: readonly ContentBlock[];
  /** In the order of the blocks that make them. */
  readonly calls: readonly ToolCall[];
}

/** `texts`: the JSON text of inputs as it was streamed, where there is one. */
function readMessage(
  { content: sent, model, stop_reason: reason }: MessageContent,
  texts: ReadonlyMap<ContentBlock, string> = new Map(),
): MessageAnswer {
  const content = objectsIn(sent);
  const calls = content.filter(isToolUse).map((block): ToolCall => {
    const ending = block === content.at(-1) ? endOfLast(reason) : endOfEarlier(reason);
    return {
      id: textIn(block.id),
      name: textIn(block.name),
      arguments: texts.get(block) ?? block.input,
      ...(typeof model === 'string' && model !== '' ? { model } : {}),
      ...(ending === undefined ? {} : { finishReason: ending }),
    };
  });
  return { content, calls: withOwnIds(calls) };
}

/** What servers send as the reason: it may be missing, or a word that the SDK doesn't know yet. */
type SentReason = string | null | undefined;

/** Another block began behind it, so it had ended. */
const endOfEarlier = (reason: SentReason): string | undefined => (isWhole(reason) ? reason : 'tool_use');

/** A message that ended in its middle, or of whose end nobody has told, has ended inside its last block. */
const endOfLast = (reason: SentReason): string | undefined =>
  isWhole(reason) || (reason !== null && textEndOf(reason) === 'cut') ? reason : 'incomplete';

/** A server that never says how a message ended says nothing by that; the SDK's null stands for a stream that broke off. */
const isWhole = (reason: SentReason): reason is string | undefined =>
  reason === undefined || (reason !== null && textEndOf(reason) === 'normal');

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use';

// Its blocks, with the JSON text of inputs as it was sent.
/** Deeper than any arguments that are accepted. */

interface CollectedBlock {
  readonly block: ContentBlock;
  /** Pieces of the JSON text of its input. */
  readonly text: string;
}

/** Collects the events of one streamed message. */
export class MessageCollector {
  readonly #blocks = new Map<number, CollectedBlock>();
  #model = '';
  #stopReason: MessageContent['stop_reason'] = null;

  /** Adds one event and returns this collector. */
  add(event: RawMessageStreamEvent): this {
    if (!isThere(event)) return this;
    switch (event.type) {
      case 'message_start':
        this.#model = textIn(event.message?.model);
        break;
      case 'content_block_start':
        if (isThere(event.content_block))
          this.#blocks.set(event.index, { block: event.content_block, text: '' });
        break;
      case 'content_block_delta': {
        const known = this.#blocks.get(event.index);
        if (known !== undefined && isThere(event.delta))
          this.#blocks.set(event.index, grown(known, event.delta));
        break;
      }
      case 'message_delta':
        this.#stopReason = event.delta?.stop_reason ?? this.#stopReason;
        break;
      case 'content_block_stop':
      case 'message_stop':
        break;
    }
    return this;
  }

  /** What was said; a call that has not ended when the stream has was cut off. */
  end(): MessageAnswer {
    const collected = [...this.#blocks].toSorted(([one], [other]) => one - other).map(([, block]) => block);
    const texts = new Map<ContentBlock, string>();
    const content = collected.map(({ block, text }) => {
      const whole = text === '' ? block : withInput(block, text);
      if (text !== '') texts.set(whole, text);
      return whole;
    });
    return readMessage({ content, model: this.#model, stop_reason: this.#stopReason }, texts);
  }
}

function grown({ block, text }: CollectedBlock, delta: RawContentBlockDelta): CollectedBlock {
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

/** What can't be read stays as the block began; the text is validated. */
function withInput(block: ContentBlock, text: string): ContentBlock {
  if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return { ...block };
  const reading = parseJson(text, deepest);
  return reading.kind === 'read' ? { ...block, input: reading.value } : { ...block };
}

// What it said, with its calls as they were understood, and a result for each in one message.
/** Deeper than any arguments that are accepted. */
const deepest = 256;

/** The blocks in their order; thinking included: the provider wants it back with the calls that came of it. */
function understoodBlocks(
  content: readonly ContentBlock[],
  calls: readonly HistoryCall[],
): readonly ContentBlockParam[] {
  const remaining = [...calls];
  return content.filter(hasContent).map((block): ContentBlockParam => {
    if (!isToolUse(block)) return block;
    const call = remaining.shift();
    return call === undefined ? block : { ...block, id: call.id, name: call.name, input: inputOf(call) };
  });
}

/** The provider doesn't take back a text of spaces alone. */
const hasContent = (block: ContentBlock): boolean =>
  block.type !== 'text' || textIn(block.text).trim() !== '';

/** Anthropic wants an object, not its text. */
function inputOf({ arguments: text }: HistoryCall): unknown {
  const reading = parseJson(text, deepest);
  return reading.kind === 'read' ? reading.value : {};
}

function resultBlock(outcome: ToolOutcome): ToolResultBlockParam {
  const message = toolMessage(outcome);
  const content = contentOf(message);
  return {
    type: 'tool_result',
    tool_use_id: outcome.call.id,
    ...(content.length === 0 ? {} : { content }),
    ...(message.isError ? { is_error: true } : {}),
  };
}

/** The result, its images, and each note as a block of its own. */
function contentOf({ text, notes, images = [] }: ToolMessage): (TextBlockParam | ImageBlockParam)[] {
  return [
    ...textBlocks([text]),
    ...images.map(({ data, mediaType }): TextBlockParam | ImageBlockParam =>
      isTaken(mediaType)
        ? { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
        : { type: 'text', text: `An image of the type ${mediaType}, which can't be shown.` },
    ),
    ...textBlocks(notes),
  ];
}

const textBlocks = (texts: readonly string[]): TextBlockParam[] =>
  texts.filter((text) => text !== '').map((text) => ({ type: 'text', text }));

const takenTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

const isTaken = (mediaType: string): mediaType is Base64ImageSource['media_type'] =>
  takenTypes.has(mediaType);

// One step of its loop.
export interface AnthropicOptions {
  /** The provider holds the model to the schema; constraints are said in words, maps are lists. Default: false. */
  readonly strict?: boolean;
}

const anthropicOptionKinds: OptionKinds<AnthropicOptions> = { strict: boolean };

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
  /** The calls of a message, for a program that runs them itself with the provider that they carry. */
  calls(message: MessageContent): readonly ToolCall[];
  /**
   * Runs the calls of a message, side by side. Never rejects for what a model or a tool did; a stream that breaks off or is
   * aborted rejects, and nothing has run then.
   */
  answer(source: MessageSource, options?: Omit<CallOptions, 'provider'>): Promise<AnthropicTurn>;
}

/** For Anthropic's Messages API. */
export function anthropicMessages(tools: ToolSet, options: AnthropicOptions = {}): AnthropicTools {
  checkOptions('anthropicMessages', options, anthropicOptionKinds);
  const { strict = false } = options;
  const provider = strict ? 'anthropic-strict' : 'anthropic';
  return Object.freeze({
    get tools(): Tool[] {
      return tools.schemas(provider).map(asTool);
    },
    calls: (message: MessageContent): readonly ToolCall[] =>
      readMessage(message).calls.map((call) => ({ ...call, provider })),
    async answer(
      source: MessageSource,
      callOptions: Omit<CallOptions, 'provider'> = {},
    ): Promise<AnthropicTurn> {
      const { content, calls } = await readSource(source);
      const outcomes = await tools.callAll(calls, { ...callOptions, provider });
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

import { isContainer } from '../../collections/objects.ts';
import type {
  CitationsContentBlock,
  CitationsDelta,
  ContentBlock,
  ContentBlockDelta,
  DocumentFormat,
  ConverseResponse,
  ConverseStreamOutput,
  ConverseStreamResponse,
  ImageFormat,
  Message,
  Tool,
  ToolChoice,
  ToolResultBlock,
  ToolResultBlockDelta,
  ToolResultContentBlock,
  ToolUseBlock,
} from '@aws-sdk/client-bedrock-runtime';
import { type OptionKinds, boolean, checkOptions } from '../../options/check-options.ts';
import { ToolmendError } from '../../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../../outcomes/tool-outcome.ts';
import type { EmbeddedFile, ResultFile, ResultImage } from '../../outcomes/tool-result.ts';
import { BlockNumbers } from '../../wire/block-numbers.ts';
import { type PartialArguments, partialArguments } from '../../interpret/partial-arguments.ts';
import { PartialListeners, type PartialListener } from '../../interpret/partial-calls.ts';
import type { JsonObject } from '../../json/value.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import { unreadableCall } from '../../messages/call-messages.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { CallOptions } from '../../run/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { earlierFinishReason } from '../../text/decode-arguments.ts';
import { bytesOf } from '../../platform/base64.ts';
import { documentFormat, fileName } from '../result-files.ts';
import {
  type ToolTurns,
  type RetryTurn,
  historyArguments,
  byIndex,
  contentParts,
  objectsIn,
  toolCallsFrom,
  textIn,
  toolToRetry,
  toolTurns,
} from '../tool-turn.ts';

/** The options of `bedrockConverse`. */
export interface BedrockOptions {
  /** Strict mode: the provider makes the model follow the schema. Default: false. */
  readonly strict?: boolean;
}

const bedrockOptionKinds: OptionKinds<BedrockOptions> = { strict: boolean };

/** The members of a response that the adapter reads. */
export type BedrockResponse = Pick<ConverseResponse, 'output' | 'stopReason'>;

export interface BedrockAnswer {
  /** With reasoning and its signatures, which models require back with their calls. */
  readonly content: readonly ContentBlock[];
  /** In the order of their blocks. */
  readonly calls: readonly ToolCall[];
  /** The model wrote a call that the provider couldn't read. */
  readonly isMalformed: boolean;
}

/** One step of a conversation. */
export interface BedrockTurn extends RetryTurn<ToolChoice> {
  /**
   * To append to the conversation: the model's message, and one message with the results of its
   * calls. If the provider couldn't read a call (`malformed_tool_use`) and there are no outcomes,
   * the message asks the model to send it again.
   */
  readonly messages: Message[];
}

/** Tools for Converse. */
export interface BedrockTools extends ToolTurns<
  BedrockResponse,
  ConverseCollector,
  ConverseStreamOutput,
  BedrockTurn
> {
  /**
   * The `toolConfig` of a request. Undefined without tools, because the API refuses an empty list.
   */
  readonly toolConfig: { tools: Tool[] } | undefined;
  /**
   * Runs the calls of an answer side by side. A response of `ConverseStreamCommand` may be passed
   * as it is. Rejects if a stream breaks off or is aborted; then no tool has run.
   */
  answer(
    source:
      | BedrockResponse
      | ConverseStreamResponse
      | ConverseCollector
      | AsyncIterable<ConverseStreamOutput>,
    options?: Omit<CallOptions, 'provider'>,
  ): Promise<BedrockTurn>;
}

/** For the Converse API of Amazon Bedrock. */
export function bedrockConverse(tools: ToolSet, options: BedrockOptions = {}): BedrockTools {
  checkOptions('bedrockConverse', options, bedrockOptionKinds);
  const provider = options.strict === true ? 'bedrock-strict' : 'bedrock';
  const turns = toolTurns(tools, {
    provider,
    read: ({ output, stopReason }: BedrockResponse) =>
      readContent(objectsIn(output?.message?.content), stopReason),
    Collector: ConverseCollector,
    messages({ content, isMalformed }, history, outcomes) {
      const name = toolToRetry(outcomes);
      const isThinking = content.some((block) => block.reasoningContent !== undefined);
      return {
        messages: messagesOf(content, history, outcomes, isMalformed),
        ...(name === undefined || isThinking ? {} : { toolChoice: { tool: { name } } }),
      };
    },
  });
  return Object.freeze({
    ...turns,
    get toolConfig() {
      const shownTools: Tool[] = tools.schemas(provider);
      return shownTools.length === 0 ? undefined : { tools: shownTools };
    },
    answer: async (source: BedrockSource, callOptions?: Omit<CallOptions, 'provider'>) =>
      turns.answer(await wholeSource(source), callOptions),
  });
}

type BedrockSource = Parameters<BedrockTools['answer']>[0];

const noAnswer: BedrockResponse = { output: undefined, stopReason: undefined };

const isStream = (source: object): source is AsyncIterable<ConverseStreamOutput> =>
  Symbol.asyncIterator in source;

const isStreamResponse = (source: BedrockSource): source is ConverseStreamResponse =>
  !isStream(source) && 'stream' in source;

/**
 * The AWS SDK ends an aborted stream, and one whose connection broke, without an error. Its calls
 * must not run.
 */
async function wholeSource(source: BedrockSource): Promise<BedrockResponse | ConverseCollector> {
  const events = isStreamResponse(source) ? (source.stream ?? noAnswer) : source;
  if (!isStream(events)) return events;
  const collector = new ConverseCollector();
  for await (const event of events) collector.add(event);
  if (!collector.isStopped)
    throw new ToolmendError(
      'stream_broken',
      'The stream broke off or was aborted before the answer ended.',
    );
  return collector;
}

/** `texts`: the JSON text of inputs that were streamed. */
function readContent(
  content: readonly ContentBlock[],
  reason: string | undefined,
  texts: ReadonlyMap<ToolUseBlock, string> = new Map(),
): BedrockAnswer {
  const uses = content.flatMap(({ toolUse }) => (isOwnCall(toolUse) ? [toolUse] : []));
  const calls = uses.map((use) => ({
    id: use.toolUseId,
    name: use.name,
    arguments: texts.get(use) ?? use.input,
    finishReason: use === content.at(-1)?.toolUse ? reason : earlierFinishReason(reason),
  }));
  return {
    content,
    calls: toolCallsFrom(calls, undefined),
    isMalformed: reason === 'malformed_tool_use',
  };
}

/** The provider runs the calls of its own tools, and sends their results in the same answer. */
const isOwnCall = (use: ToolUseBlock | undefined): use is ToolUseBlock =>
  isContainer(use) && use.type !== 'server_tool_use';

interface CollectedBlock {
  readonly block: ContentBlock;
  /** The JSON text of its input. */
  readonly text: string;
}

/** Collects the events of one stream. */
export class ConverseCollector {
  readonly #blocks = new Map<number, CollectedBlock>();
  readonly #numbers = new BlockNumbers();
  readonly #listeners = new PartialListeners();
  #stopReason: string | undefined;

  /** Adds one event and returns this collector. */
  add(event: ConverseStreamOutput): this {
    if (!isContainer(event)) return this;
    const { contentBlockStart: start, contentBlockDelta: delta, messageStop: stop } = event;
    if (isContainer(start?.start?.toolUse))
      this.#begin(start.contentBlockIndex, {
        block: { toolUse: { ...start.start.toolUse, input: {} } },
        text: '',
      });
    if (isContainer(start?.start?.toolResult))
      this.#begin(start.contentBlockIndex, {
        block: { toolResult: { ...start.start.toolResult, content: [] } },
        text: '',
      });
    if (isContainer(delta?.delta)) this.#addDelta(delta.contentBlockIndex, delta.delta);
    if (isContainer(stop)) this.#stopReason = textIn(stop.stopReason);
    return this;
  }

  /**
   * As `ToolCallCollector.partial`: what to show of a call while it comes. `index`: among the calls.
   * Default: the last one.
   */
  partial<Values extends object = JsonObject>(index = -1): PartialArguments<Values> | undefined {
    const call = byIndex(this.#blocks)
      .filter(({ block }) => isOwnCall(block.toolUse))
      .at(index);
    return call && partialArguments<Values>(call.text);
  }

  /**
   * Calls the listener when a call begins, and with each piece of its arguments, to show them to a
   * person: see `PartialCall`. Returns the function that ends it.
   */
  onPartial<Values extends object = JsonObject>(listener: PartialListener<Values>): () => void {
    return this.#listeners.add(listener);
  }

  /** Whether the answer has ended. */
  get isStopped(): boolean {
    return this.#stopReason !== undefined;
  }

  /** The answer. A call that hasn't ended when the stream ends was cut off. */
  end(): BedrockAnswer {
    const texts = new Map<ToolUseBlock, string>();
    const content = byIndex(this.#blocks).map(({ block, text }) => {
      if (block.toolUse === undefined) return block;
      const { toolUseId = '', name = '' } = block.toolUse;
      const toolUse = {
        ...block.toolUse,
        input: asDocument(historyArguments({ id: toolUseId, name, arguments: text })),
      };
      texts.set(toolUse, text);
      return { toolUse };
    });
    return readContent(content, this.#stopReason ?? 'incomplete', texts);
  }

  #begin(index: number | undefined, block: CollectedBlock | undefined): void {
    if (block !== undefined) this.#set(this.#numbers.begin(index), block);
  }

  /** `piece`: the end of the text that has just come. */
  #set(number: number, collectedBlock: CollectedBlock, piece = ''): void {
    this.#blocks.set(number, collectedBlock);
    this.#listeners.update(number, () => {
      const { block, text } = collectedBlock;
      if (!isOwnCall(block.toolUse)) return undefined;
      const { toolUseId, name } = block.toolUse;
      const index = this.#callsBefore(number);
      return { index, callId: textIn(toolUseId), tool: textIn(name), text, piece };
    });
  }

  #callsBefore(number: number): number {
    const calls = [...this.#blocks].filter(([, { block }]) => isOwnCall(block.toolUse));
    return calls.filter(([other]) => other < number).length;
  }

  #addDelta(index: number | undefined, delta: ContentBlockDelta): void {
    const number = this.#numbers.find(index);
    const blockBefore = number === undefined ? undefined : this.#blocks.get(number);
    if (number === undefined || (blockBefore !== undefined && !isPartOf(delta, blockBefore.block)))
      return this.#begin(index, withDelta(undefined, delta));
    const block = withDelta(blockBefore, delta);
    if (block !== undefined) this.#set(number, block, textIn(delta.toolUse?.input));
    return undefined;
  }
}

/**
 * Text and reasoning begin blocks without an event of their own, also with the index of another
 * block.
 */
function isPartOf(delta: ContentBlockDelta, block: ContentBlock): boolean {
  const isCall = block.toolUse !== undefined || block.toolResult !== undefined;
  const isReasoning = block.reasoningContent !== undefined;
  if (isContainer(delta.reasoningContent)) return isReasoning;
  const isText = typeof delta.text === 'string' || isContainer(delta.citation);
  return !isText || !(isCall || isReasoning);
}

/**
 * Undefined for a delta of an unknown kind. A block of text or reasoning begins with its first
 * delta.
 */
function withDelta(
  blockBefore: CollectedBlock | undefined,
  delta: ContentBlockDelta,
): CollectedBlock | undefined {
  const { block, text } = blockBefore ?? { block: undefined, text: '' };
  if (isContainer(delta.toolUse))
    return block?.toolUse === undefined
      ? blockBefore
      : { block, text: text + textIn(delta.toolUse.input) };
  if (Array.isArray(delta.toolResult))
    return blockBefore && { text, block: withResult(blockBefore.block, delta.toolResult) };
  if (isContainer(delta.citation)) return { text, block: withCitation(block, delta.citation) };
  if (typeof delta.text === 'string') return { text, block: withText(block, delta.text) };
  if (!isContainer(delta.reasoningContent)) return blockBefore;
  const { text: thoughtText, signature, redactedContent } = delta.reasoningContent;
  if (redactedContent !== undefined)
    return { text, block: { reasoningContent: { redactedContent } } };
  const former = block?.reasoningContent?.reasoningText;
  const currentSignature = signature ?? former?.signature;
  const reasoningText = {
    text: textIn(former?.text) + textIn(thoughtText),
    ...(currentSignature === undefined ? {} : { signature: currentSignature }),
  };
  return { text, block: { reasoningContent: { reasoningText } } };
}

/** The text of a block with citations is inside them. */
const withText = (block: ContentBlock | undefined, text: string): ContentBlock =>
  block?.citationsContent === undefined
    ? { text: textIn(block?.text) + text }
    : {
        citationsContent: {
          ...block.citationsContent,
          content: [{ text: citedText(block.citationsContent) + text }],
        },
      };

const citedText = ({ content }: CitationsContentBlock): string =>
  objectsIn(content)
    .map(({ text }) => textIn(text))
    .join('');

function withCitation(block: ContentBlock | undefined, delta: CitationsDelta): ContentBlock {
  const { content = [{ text: textIn(block?.text) }], citations = [] } =
    block?.citationsContent ?? {};
  const { sourceContent, ...citation } = delta;
  const sources = objectsIn(sourceContent).map(({ text }) => ({ text: textIn(text) }));
  const citationWithSource =
    sourceContent === undefined ? citation : { ...citation, sourceContent: sources };
  return { citationsContent: { content, citations: [...citations, citationWithSource] } };
}

/** A delta continues the text that the one before began. */
function withResult(block: ContentBlock, parts: readonly ToolResultBlockDelta[]): ContentBlock {
  if (block.toolResult === undefined) return block;
  const content = [...objectsIn(block.toolResult.content)];
  for (const part of objectsIn(parts)) {
    const last = content.at(-1);
    if (part.json !== undefined) content.push({ json: part.json });
    else if (last?.text === undefined) content.push({ text: textIn(part.text) });
    else content.splice(-1, 1, { text: last.text + textIn(part.text) });
  }
  return { toolResult: { ...block.toolResult, content } };
}

type Document = NonNullable<ToolUseBlock['input']>;

const isDocument = (value: object): value is { [key: string]: Document } => !Array.isArray(value);

const asDocument = (value: object): Document => (isDocument(value) ? value : {});

function messagesOf(
  content: readonly ContentBlock[],
  history: readonly HistoryCall[],
  outcomes: readonly ToolOutcome[],
  isMalformed: boolean,
): Message[] {
  const results = outcomes.map((outcome): ContentBlock => ({ toolResult: resultBlock(outcome) }));
  const unreadableNotes: ContentBlock[] =
    isMalformed && results.length === 0 ? [{ text: unreadableCall }] : [];
  const messages: Message[] = [
    { role: 'assistant', content: [...inputBlocks(content, history)] },
    { role: 'user', content: [...results, ...unreadableNotes] },
  ];
  return messages.filter((message) => message.content?.length !== 0);
}

/** The blocks in their order, with calls as in the history. */
function inputBlocks(
  content: readonly ContentBlock[],
  history: readonly HistoryCall[],
): readonly ContentBlock[] {
  const remainingMessages = [...history];
  return content.filter(hasContent).map((block): ContentBlock => {
    const call = isOwnCall(block.toolUse) ? remainingMessages.shift() : undefined;
    if (call === undefined || block.toolUse === undefined) return block;
    const input = asDocument(historyArguments(call));
    return { toolUse: { ...block.toolUse, toolUseId: call.id, name: call.name, input } };
  });
}

/** The provider refuses a text of whitespace alone. */
const hasContent = (block: ContentBlock): boolean =>
  block.text === undefined || textIn(block.text).trim() !== '';

function resultBlock(outcome: ToolOutcome): ToolResultBlock {
  const message = toolMessage(outcome);
  return {
    toolUseId: outcome.call.id,
    content: contentParts(message, blockFormat(outcome.call.id)).filter(
      (part) => part.text?.trim() !== '',
    ),
    // Some models refuse a status, so that it is left out if it says nothing.
    ...(message.isError ? { status: 'error' } : {}),
  };
}

const textBlock = (text: string): ToolResultContentBlock => ({ text });

/** `callId`: makes the names of documents unique in a conversation, as the API requires. */
const blockFormat = (callId: string) => ({
  text: textBlock,
  image: ({ data, mediaType }: ResultImage): ToolResultContentBlock => {
    const format = imageFormats.get(mediaType);
    return format === undefined
      ? textBlock(`An image of the type ${mediaType}, which can't be shown.`)
      : { image: { format, source: { bytes: bytesOf(data) } } };
  },
  file: (file: ResultFile): ToolResultContentBlock | undefined =>
    file.kind === 'embedded' ? documentBlock(file, callId) : undefined,
});

function documentBlock(file: EmbeddedFile, callId: string): ToolResultContentBlock | undefined {
  const format = documentFormat(file);
  if (format === undefined || !isDocumentFormat(format)) return undefined;
  const name = documentName(`${fileName(file, format)} (${callId})`);
  return { document: { format, name, source: { bytes: bytesOf(file.data) } } };
}

const isDocumentFormat = (format: string): format is DocumentFormat =>
  ['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'].includes(format);

/**
 * The API takes letters, digits, hyphens, brackets and single blanks:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
const documentName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9()[\]-]+/g, ' ')
    .trim()
    .slice(-maxDocumentName);

const maxDocumentName = 200;

const imageFormats: ReadonlyMap<string, ImageFormat> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);

// What has a streamed message of Claude's said, once it has ended? Its blocks, with the JSON text of inputs as it was sent.
import type {
  ContentBlock,
  RawContentBlockDelta,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { isThere, textIn } from '../../interpret/streaming/sent-parts.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { type MessageAnswer, type MessageContent, readMessage } from './tool-uses.ts';

/** Deeper than any arguments that are accepted. */
const deepest = 256;

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

/** What can't be read stays as the block began; the text is judged. */
function withInput(block: ContentBlock, text: string): ContentBlock {
  if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return { ...block };
  const reading = parseJson(text, deepest, 'approximate');
  return reading.kind === 'read' ? { ...block, input: reading.value } : { ...block };
}

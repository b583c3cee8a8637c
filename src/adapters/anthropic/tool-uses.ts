// Which calls does a message of Claude's make? Its input has been parsed already, so what was cut off can't be told by it.
import type { ContentBlock, Message, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages/messages';
import { textEndOf } from '../../decode/text-end.ts';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';
import { objectsIn, textIn } from '../../interpret/streaming/sent-parts.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';

/** What of a message is read. */
export type MessageContent = Pick<Message, 'content' | 'model' | 'stop_reason'>;

export interface MessageAnswer {
  readonly content: readonly ContentBlock[];
  /** In the order of the blocks that make them. */
  readonly calls: readonly ToolCall[];
}

/** `texts`: the JSON text of inputs as it was streamed, where there is one. */
export function readMessage(
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

export const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use';

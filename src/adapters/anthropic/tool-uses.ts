// Which calls does a message of Claude's make? Its input has been parsed already, so what was cut off can't be told by it.
import type { ContentBlock, Message, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages/messages';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';
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
  { content, model, stop_reason: reason }: MessageContent,
  texts: ReadonlyMap<ContentBlock, string> = new Map(),
): MessageAnswer {
  const isCut = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
  const calls = content.filter(isToolUse).map((block: SentUse): ToolCall => {
    const isLast = block === content.at(-1);
    const text = texts.get(block);
    return {
      id: block.id ?? '',
      name: block.name ?? '',
      // A message that ended at its limit has ended inside its last block: whatever was parsed may be half of it.
      arguments: text ?? (isCut && isLast ? undefined : block.input),
      ...(typeof model === 'string' && model !== '' ? { model } : {}),
      ...(typeof reason === 'string' ? { finishReason: finishReason(reason, isCut, isLast) } : {}),
    };
  });
  return { content, calls: withOwnIds(calls) };
}

/** What servers send for a call: ids may be missing. */
type SentUse = ToolUseBlock & { readonly id?: string | null; readonly name?: string | null };

/** Calls before the last block had ended. */
function finishReason(reason: string, isCut: boolean, isLast: boolean): string {
  if (!isCut) return reason;
  return isLast ? 'length' : 'tool_use';
}

export const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use';

// What does a LangChain model read of a call? A tool message: content, notes and images in blocks of their own, and a status.
import { ToolMessage } from '@langchain/core/messages';
import { toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';

type Blocks = Exclude<ToolMessage['content'], string>;

/** Without an id the content alone, as LangChain does where nobody has called. */
export function contentOf(outcome: ToolOutcome): string | Blocks {
  const { text, notes, images = [] } = toolMessage(outcome);
  if (notes.length === 0 && images.length === 0) return text;
  const textBlock = (said: string) => ({ type: 'text', text: said });
  const shown = images.map(({ data, mediaType }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  return [textBlock(text), ...shown, ...notes.map(textBlock)];
}

export function langChainMessage(outcome: ToolOutcome, id: string, name: string): ToolMessage {
  const artifact = artifactOf(outcome);
  return new ToolMessage({
    content: contentOf(outcome),
    tool_call_id: id,
    name,
    status: toolMessage(outcome).isError ? 'error' : 'success',
    ...(artifact === undefined ? {} : { artifact }),
  });
}

/** The tool's own artifact, else its result as data; of a call that waits, what to hand to `tools.decide`. */
function artifactOf(outcome: ToolOutcome): unknown {
  if (outcome.outcome === 'waiting') return outcome.approval;
  return outcome.outcome === 'completed' ? (outcome.artifact ?? outcome.content.structured) : undefined;
}

// What does an outcome look like as a result of `tools/call`? https://modelcontextprotocol.io/specification
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';

/** Text, images, then each note in a block of its own, which is marked as being for the model. */
export function callResult(outcome: ToolOutcome): CallToolResult {
  const { text, images = [], notes, structured, isError } = toolMessage(outcome);
  const shown = images.map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }) as const);
  const content: ContentBlock[] = [
    ...(text === '' && shown.length > 0 ? [] : [textBlock(text)]),
    ...shown,
    ...notes.map((note) => ({ ...textBlock(note), annotations: { audience: ['assistant' as const] } })),
  ];
  return {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

export const errorResult = (text: string): CallToolResult => ({ content: [textBlock(text)], isError: true });

const textBlock = (text: string) => ({ type: 'text', text }) as const;

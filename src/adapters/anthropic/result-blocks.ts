// Which blocks go back to Claude? What it said, with its calls as they were understood, and a result for each in one message.
import type {
  Base64ImageSource,
  ContentBlock,
  ContentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { type ToolMessage, toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/records/history-call.ts';
import { textIn } from '../../interpret/streaming/sent-parts.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { isToolUse } from './tool-uses.ts';

/** Deeper than any arguments that are accepted. */
const deepest = 256;

/** The blocks in their order; thinking included: the provider wants it back with the calls that came of it. */
export function understoodBlocks(
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
  const reading = parseJson(text, deepest, 'approximate');
  return reading.kind === 'read' ? reading.value : {};
}

export function resultBlock(outcome: ToolOutcome): ToolResultBlockParam {
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

// Which items go back in the Responses API? What the model gave out, with its calls as they were understood, and an output
// for each.
import type {
  ResponseFunctionCallOutputItem,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses';
import { type ToolMessage, toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/records/history-call.ts';
import { objectsIn } from '../../interpret/streaming/sent-parts.ts';
import { isFunctionCall, type ResponseAnswer } from './response-calls.ts';
import type { OpenAiOptions } from './openai-options.ts';

/** The items in their order, reasoning included: the provider wants it back with the calls that came of it. */
export function understoodItems(
  { output }: ResponseAnswer,
  calls: readonly HistoryCall[],
): readonly ResponseInputItem[] {
  const remaining = [...calls];
  return output.filter(isInput).map((item): ResponseInputItem => {
    if (!isFunctionCall(item)) return item.type === 'message' ? withoutParsed(item) : item;
    const call = remaining.shift();
    if (call === undefined) return item;
    const { parsed_arguments: _parsed, ...sent }: typeof item & { parsed_arguments?: unknown } = item;
    return { ...sent, call_id: call.id, name: call.name, arguments: call.arguments };
  });
}

/** What the SDK's helpers have read out of a text is refused as input. */
function withoutParsed(message: ResponseOutputMessage): ResponseOutputMessage {
  const content = objectsIn(message.content).map((part) => {
    const { parsed: _parsed, ...sent }: typeof part & { parsed?: unknown } = part;
    return sent;
  });
  return { ...message, content };
}

/** The API takes what it gave, though its types differ in details; a list of tools is no part of a conversation. */
const isInput = (item: ResponseOutputItem): item is ResponseOutputItem & ResponseInputItem =>
  item.type !== 'additional_tools';

/** One output for each call, in their order; notes that have no place there stand behind them all. */
export function outputItems(
  outcomes: readonly ToolOutcome[],
  notes: NonNullable<OpenAiOptions['notes']>,
): readonly ResponseInputItem[] {
  const results = outcomes.map((outcome) => ({ id: outcome.call.id, message: toolMessage(outcome) }));
  const besides =
    notes === 'parts'
      ? []
      : results.flatMap(({ id, message }) => message.notes.map((note) => `On ${id}: ${note}`));
  return [
    ...results.map(({ id, message }) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: outputOf(message, notes),
    })),
    ...(besides.length === 0 ? [] : [{ role: 'user' as const, content: besides.join('\n') }]),
  ];
}

function outputOf(
  { text, notes, images = [] }: ToolMessage,
  place: OpenAiOptions['notes'],
): string | ResponseFunctionCallOutputItem[] {
  const beside = place === 'message' ? [] : notes;
  if (beside.length === 0 && images.length === 0) return text;
  return [
    ...[text, ...beside].map((part) => ({ type: 'input_text' as const, text: part })),
    ...images.map(({ data, mediaType }) => ({
      type: 'input_image' as const,
      detail: 'auto' as const,
      image_url: `data:${mediaType};base64,${data}`,
    })),
  ];
}

// Which messages go back to a chat model? What it said, with its calls as they were understood, and a result for each.
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { type ToolMessage, toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/records/history-call.ts';
import { isThere } from '../../interpret/streaming/sent-parts.ts';
import type { ChatAnswer } from './chat-calls.ts';
import type { OpenAiOptions } from './openai-options.ts';

/** The model's own message; a list without calls is left out: providers refuse it. */
export function assistantMessage(
  { message, beside, others }: ChatAnswer,
  calls: readonly HistoryCall[],
): ChatCompletionAssistantMessageParam {
  const functions = calls.map(({ id, ...call }, place) => ({
    ...beside[place],
    id,
    type: 'function' as const,
    function: call,
  }));
  const all = [...functions, ...others];
  return all.length === 0 ? spoken(message) : { ...spoken(message), tool_calls: all };
}

/** Without what the SDK's helpers have read out of it; sound goes back by its id. */
function spoken(message: ChatAnswer['message']): ChatCompletionAssistantMessageParam {
  const {
    audio,
    tool_calls: _sent,
    parsed: _parsed,
    ...said
  }: typeof message & { parsed?: unknown } = message;
  return isThere(audio) ? { ...said, audio: { id: audio.id } } : said;
}

/** One message for each call, in their order; what has no place in such a message stands behind them all. */
export function resultMessages(
  outcomes: readonly ToolOutcome[],
  notes: NonNullable<OpenAiOptions['notes']>,
): readonly ChatCompletionMessageParam[] {
  const results = outcomes.map((outcome) => ({ id: outcome.call.id, message: toolMessage(outcome) }));
  const besides = results.flatMap(({ id, message }) => partsBeside(id, message, notes));
  return [
    ...results.map(({ id, message }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: contentOf(message, notes),
    })),
    ...(besides.length === 0 ? [] : [{ role: 'user' as const, content: besides }]),
  ];
}

function contentOf(
  { text, notes }: ToolMessage,
  place: OpenAiOptions['notes'],
): string | { readonly type: 'text'; readonly text: string }[] {
  if (notes.length === 0 || place === 'message') return text;
  return [text, ...notes].map((part) => ({ type: 'text', text: part }));
}

/** A message of a tool takes no images. */
function partsBeside(
  id: string,
  { notes, images = [] }: ToolMessage,
  place: OpenAiOptions['notes'],
): readonly ChatCompletionContentPart[] {
  const said = place === 'message' ? notes : [];
  const texts = said.map((note) => ({ type: 'text' as const, text: `On ${id}: ${note}` }));
  if (images.length === 0) return texts;
  return [
    ...texts,
    { type: 'text', text: `Images of the result of ${id}:` },
    ...images.map(({ data, mediaType }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ];
}

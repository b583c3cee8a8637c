// Writes calls and their results into the messages of the next request.
import type OpenAI from 'openai';
import { toolMessage, type ToolCall, type ToolOutcome, type ToolRegistry } from 'toolmend';

/** A call and its outcome. */
export interface PlayedCall {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
}

type Message = OpenAI.ChatCompletionMessageParam;
type TextPart = OpenAI.ChatCompletionContentPartText;

/** The assistant's message, and one tool message for each of its calls. */
export const turnMessages = (
  tools: ToolRegistry,
  text: string,
  played: readonly PlayedCall[],
): readonly Message[] => [
  {
    role: 'assistant',
    content: text,
    tool_calls: played.map(({ outcome }) => shownCall(tools, outcome)),
  },
  ...played.map(toolAnswer),
];

/**
 * Shows an accepted call as it was executed, so that the model sees the right form, and any other
 * call as it came.
 */
function shownCall(
  tools: ToolRegistry,
  outcome: ToolOutcome,
): OpenAI.ChatCompletionMessageFunctionToolCall {
  const { id, name, arguments: shown } = tools.history(outcome);
  return { id, type: 'function', function: { name, arguments: shown } };
}

/** The arguments as the model sent them. Some servers parse them. */
export const sentText = (call: ToolCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);

/** Notes are parts of their own, beside the result. */
function toolAnswer({ call, outcome }: PlayedCall): Message {
  const { text, notes } = toolMessage(outcome);
  const parts = [...notes, text].map((part): TextPart => ({ type: 'text', text: part }));
  // Not every server accepts parts, so only notes need them.
  return { role: 'tool', tool_call_id: call.id, content: notes.length === 0 ? text : parts };
}

/** Everything that the model reads of an outcome. */
export function answerText(outcome: ToolOutcome): string {
  const { text, notes } = toolMessage(outcome);
  return [...notes, text].join('\n');
}

// Chooses the next answer from the conversation alone, so that the server keeps no state.
import type { ModelScript, RecordedCall } from './recorded-calls.ts';

/** The parts of a message that the script reads. */
export interface ConversationMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly unknown[];
}

/** A call as a model sends it. */
export type SentCall = Pick<RecordedCall, 'tool' | 'sends' | 'finishReason'>;

/** The next call, or the text that ends the conversation. */
export type NextStep =
  | { readonly kind: 'call'; readonly call: SentCall; readonly index: number }
  | { readonly kind: 'text'; readonly text: string };

export function nextStep(script: ModelScript, messages: readonly ConversationMessage[]): NextStep {
  const index = messages.reduce((count, { tool_calls: calls }) => count + (calls?.length ?? 0), 0);
  const call = script.calls[index];
  if (call === undefined) return { kind: 'text', text: 'That is all I had to do.' };
  const answer = lastAnswer(messages);
  if (call.afterReading === undefined) {
    return answer.includes(' was not executed.') ? giveUp(answer) : { kind: 'call', call, index };
  }
  // A model can correct only what it has read.
  return call.afterReading.every((text) => answer.includes(text))
    ? { kind: 'call', call, index }
    : giveUp(answer);
}

const giveUp = (answer: string): NextStep => ({
  kind: 'text',
  text: `I can't see how to correct my call from this: ${answer}`,
});

/** The text of the last tool message; empty before the first call. */
function lastAnswer(messages: readonly ConversationMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'tool');
  return last === undefined ? '' : textOf(last.content);
}

/** Content is text, or a list of parts with text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => partText(part)).join('\n');
}

const partText = (part: unknown): string =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
    ? part.text
    : '';

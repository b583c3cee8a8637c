// Reads the answer of an OpenAI-compatible server, and throws a sentence if it is not a chat
// completion.
import type { ToolCall } from 'toolmend';

export type ModelAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly text: string; readonly calls: readonly ToolCall[] };

/** Throws if it is not a chat completion. */
export function readAnswer(completion: unknown, model: string): ModelAnswer {
  const choice = first(memberOf(completion, 'choices'));
  const message = memberOf(choice, 'message');
  if (typeof message !== 'object' || message === null)
    throw new Error('the server’s answer is no chat completion');
  const content = memberOf(message, 'content');
  const text = typeof content === 'string' ? content : '';
  const finishReason = memberOf(choice, 'finish_reason');
  const sent = memberOf(message, 'tool_calls');
  const calls = (Array.isArray(sent) ? sent : []).map((call: unknown, index) => ({
    id: textMember(call, 'id') ?? `call_${index}`,
    name: textMember(memberOf(call, 'function'), 'name') ?? '',
    arguments: memberOf(memberOf(call, 'function'), 'arguments') ?? '',
    model,
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
  }));
  return calls.length === 0 ? { kind: 'text', text } : { kind: 'calls', text, calls };
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

function textMember(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === 'string' && member !== '' ? member : undefined;
}

// Which text did the model send for a call? LangChain keeps it beside what it has read: in the parts of a streamed message, or
// as OpenAI's API said it.
import { type AIMessage, AIMessageChunk } from '@langchain/core/messages';

interface SentText {
  readonly id: string | undefined;
  readonly text: string;
}

/** By the call's id where ids tell the calls apart, else by its place; undefined where no text is kept. */
export function sentTexts(
  message: AIMessage,
): (call: { readonly id?: string | undefined }, index: number) => string | undefined {
  const texts = AIMessageChunk.isInstance(message) ? streamedTexts(message) : answeredTexts(message);
  const ids = new Set(texts.map(({ id }) => id));
  const areApart = ids.size === texts.length && !ids.has(undefined);
  const count = (message.tool_calls?.length ?? 0) + (message.invalid_tool_calls?.length ?? 0);
  const isInOrder = texts.length === count && (message.invalid_tool_calls ?? []).length === 0;
  return ({ id }, index) => {
    if (areApart) return texts.find((one) => one.id === id)?.text;
    return isInOrder ? texts[index]?.text : undefined;
  };
}

const streamedTexts = ({ tool_call_chunks = [] }: AIMessageChunk): readonly SentText[] =>
  tool_call_chunks.flatMap(({ id, args }) => (args === undefined ? [] : [{ id, text: args }]));

/** Looked at as data: it is what the provider's server said. */
function answeredTexts({ additional_kwargs }: AIMessage): readonly SentText[] {
  const calls = memberOf(additional_kwargs, 'tool_calls');
  return !Array.isArray(calls)
    ? []
    : calls.flatMap((call: unknown) => {
        const id = memberOf(call, 'id');
        const text = memberOf(memberOf(call, 'function'), 'arguments');
        return typeof text === 'string' ? [{ id: typeof id === 'string' ? id : undefined, text }] : [];
      });
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

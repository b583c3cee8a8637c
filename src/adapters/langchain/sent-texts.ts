// Which text did the model send for a call? LangChain keeps it beside what it has read: in the parts of a streamed message, or
// as OpenAI's API said it.
import { type AIMessage, AIMessageChunk } from '@langchain/core/messages';

interface SentText {
  readonly id: string | undefined;
  readonly text: string;
}

interface Listed {
  readonly id?: string | undefined;
}

/** What is kept of how the calls of a message were sent. */
export interface SentTexts {
  /** By the call's id where ids tell the calls apart, else by its place; undefined where no text is kept. */
  of(call: Listed, index: number): string | undefined;
  /** The calls in the order in which they were sent; undefined where it isn't known. */
  inOrder<Call extends Listed>(calls: readonly Call[]): readonly Call[] | undefined;
}

export function sentTexts(message: AIMessage): SentTexts {
  const texts = AIMessageChunk.isInstance(message) ? streamedTexts(message) : answeredTexts(message);
  const ids = new Set(texts.map(({ id }) => id));
  const areApart = ids.size === texts.length && !ids.has(undefined);
  const count = (message.tool_calls?.length ?? 0) + (message.invalid_tool_calls?.length ?? 0);
  const isInOrder = texts.length === count && (message.invalid_tool_calls ?? []).length === 0;
  const placeOf = ({ id }: Listed): number => (areApart ? texts.findIndex((one) => one.id === id) : -1);
  return {
    of(call, index) {
      if (areApart) return texts[placeOf(call)]?.text;
      return isInOrder ? texts[index]?.text : undefined;
    },
    inOrder: (calls) =>
      calls.some((call) => placeOf(call) < 0)
        ? undefined
        : calls.toSorted((one, other) => placeOf(one) - placeOf(other)),
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

// Which calls does a chat completion make? Read as servers send them, which is not always as OpenAI describes it.
import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { endOfEarlier } from '../../decode/text-end.ts';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';

/** The first choice of an answer: its message, and the calls of functions in it. */
export interface ChatAnswer {
  readonly message: ChatCompletionMessage;
  readonly calls: readonly ToolCall[];
  /** Calls of tools that are no functions; they are the program's own. */
  readonly others: readonly ChatCompletionMessageToolCall[];
}

/** What servers send for a call: ids may be missing, arguments may be a value. */
interface SentCall {
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** undefined for a completion without a choice. */
export function readCompletion({
  choices,
  model,
}: Pick<ChatCompletion, 'choices' | 'model'>): ChatAnswer | undefined {
  const [choice] = choices;
  if (choice === undefined) return undefined;
  const { message, finish_reason: reason } = choice;
  const sent = message.tool_calls ?? [];
  const calls = sent.filter(isFunctionCall).map((call: SentCall): ToolCall => ({
    id: call.id ?? '',
    name: call.function?.name ?? '',
    arguments: call.function?.arguments,
    ...facts(model, call === sent.at(-1) ? reason : endOfEarlier(reason)),
  }));
  return { message, calls: withOwnIds(calls), others: sent.filter((call) => !isFunctionCall(call)) };
}

/** Some servers leave out what kind of call it is. */
const isFunctionCall = (call: ChatCompletionMessageToolCall): boolean => call.type !== 'custom';

const facts = (
  model: string | null | undefined,
  reason: string | null | undefined,
): Pick<ToolCall, 'model' | 'finishReason'> => ({
  ...(typeof model === 'string' && model !== '' ? { model } : {}),
  ...(typeof reason === 'string' && reason !== '' ? { finishReason: reason } : {}),
});

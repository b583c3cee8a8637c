// Which calls does a chat completion make? Read as servers send them, which is not always as OpenAI describes it.
import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import { endOfEarlier } from '../../decode/text-end.ts';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';
import { isThere, objectsIn, textIn } from '../../interpret/streaming/sent-parts.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { type Beside, besideOf } from './sent-beside.ts';

/** What of a completion is read. */
export type CompletionContent = Pick<ChatCompletion, 'choices' | 'model'>;

/** The first choice of an answer: its message, and the calls of functions in it. */
export interface ChatAnswer {
  readonly message: ChatCompletionMessage;
  readonly calls: readonly ToolCall[];
  /** What the server says of each call beside that, as a signature that it wants back. */
  readonly beside: readonly Beside[];
  /** Calls of tools that are no functions; they are the program's own. */
  readonly others: readonly ChatCompletionMessageToolCall[];
}

/** What servers send for a call: ids may be missing, arguments may be a value. */
interface SentCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** undefined for a completion that says nothing. */
export function readCompletion({ choices, model }: CompletionContent): ChatAnswer | undefined {
  const choice = objectsIn(choices).find(isFirst);
  if (choice === undefined || !isThere(choice.message)) return undefined;
  const { message, finish_reason: reason } = choice;
  const sent = objectsIn(message.tool_calls);
  const functions = sent.filter(isFunctionCall);
  const calls = functions.map((call: SentCall): ToolCall => ({
    id: textIn(call.id),
    name: textIn(call.function?.name),
    arguments: call.function?.arguments,
    ...facts(model, call === sent.at(-1) ? reason : endOfEarlier(reason)),
  }));
  return {
    message,
    calls: withOwnIds(calls),
    beside: functions.map(besideCall),
    others: sent.filter((call) => !isFunctionCall(call)),
  };
}

const ofCall: ReadonlySet<string> = new Set(['id', 'type', 'index', 'function']);

export const besideCall = (call: object): Beside => besideOf(call, ofCall);

/** Of several choices (`n`) the first alone is answered. Some servers don't number them. */
export const isFirst = ({ index }: { readonly index?: number | null }): boolean => (index ?? 0) === 0;

/** Some servers leave out what kind of call it is. */
const isFunctionCall = (call: ChatCompletionMessageToolCall): boolean => call.type !== 'custom';

const facts = (
  model: string | null | undefined,
  reason: string | null | undefined,
): Pick<ToolCall, 'model' | 'finishReason'> => ({
  ...(typeof model === 'string' && model !== '' ? { model } : {}),
  ...(typeof reason === 'string' && reason !== '' ? { finishReason: reason } : {}),
});

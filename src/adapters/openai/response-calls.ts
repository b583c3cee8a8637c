// Which calls does a response make? Read as servers send them, which is not always as OpenAI describes it.
import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { endOfEarlier } from '../../decode/text-end.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';
import { objectsIn, textIn } from '../../interpret/streaming/sent-parts.ts';

/** What of a response is read. */
export type ResponseOutput = Pick<Response, 'output' | 'model' | 'status'>;

export interface ResponseAnswer {
  readonly output: readonly ResponseOutputItem[];
  /** In the order of the items that make them. */
  readonly calls: readonly ToolCall[];
}

/** What servers send for a call: ids may be missing, arguments may be a value. */
interface SentCall {
  readonly call_id?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly status?: string | null;
}

export function readResponse({ output, model, status }: Partial<ResponseOutput>): ResponseAnswer {
  const items = objectsIn(output).map((item) => settled(item, status));
  const calls = items.filter(isFunctionCall).map((item: SentCall): ToolCall => {
    const finishReason = item.status ?? (item === items.at(-1) ? status : endOfEarlier(status));
    return {
      id: textIn(item.call_id) || textIn(item.id),
      name: textIn(item.name),
      arguments: item.arguments,
      ...(typeof model === 'string' && model !== '' ? { model } : {}),
      ...(typeof finishReason === 'string' ? { finishReason } : {}),
    };
  });
  return { output: items, calls: withOwnIds(calls) };
}

/** A call that is still in progress at the end has ended with the response, or never. */
const settled = (item: ResponseOutputItem, status: string | undefined): ResponseOutputItem =>
  isFunctionCall(item) && item.status === 'in_progress'
    ? { ...item, status: status === 'completed' ? status : 'incomplete' }
    : item;

export const isFunctionCall = (item: ResponseOutputItem): item is ResponseFunctionToolCall =>
  item.type === 'function_call';

// Which calls does a response make? Read as servers send them, which is not always as OpenAI describes it.
import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { endOfEarlier } from '../../decode/text-end.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';

/** What of a response is read. */
export type ResponseOutput = Pick<Response, 'output' | 'model' | 'status'>;

export interface ResponseAnswer {
  readonly output: readonly ResponseOutputItem[];
  /** In the order of the items that make them. */
  readonly calls: readonly ToolCall[];
}

/** What servers send for a call: ids may be missing, arguments may be a value. */
interface SentCall {
  readonly call_id?: string | null;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly arguments?: unknown;
  readonly status?: string | null;
}

export function readResponse({ output, model, status }: Partial<ResponseOutput>): ResponseAnswer {
  const items = output ?? [];
  const calls = items.filter(isFunctionCall).map((item: SentCall): ToolCall => {
    const finishReason = item.status ?? (item === items.at(-1) ? status : endOfEarlier(status));
    return {
      id: item.call_id ?? item.id ?? '',
      name: item.name ?? '',
      arguments: item.arguments,
      ...(typeof model === 'string' && model !== '' ? { model } : {}),
      // What is still in progress at the end was never ended.
      ...(typeof finishReason === 'string'
        ? { finishReason: finishReason === 'in_progress' ? 'incomplete' : finishReason }
        : {}),
    };
  });
  return { output: items, calls: withOwnIds(calls) };
}

export const isFunctionCall = (item: ResponseOutputItem): item is ResponseFunctionToolCall =>
  item.type === 'function_call';

// What has a streamed response said, once it has ended? The whole response if it came, else the items as far as they came.
import type {
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { isFunctionCall, readResponse, type ResponseAnswer, type ResponseOutput } from './response-calls.ts';

/** Collects the events of one streamed response. */
export class ResponseCollector {
  readonly #items = new Map<number, ResponseOutputItem>();
  #ended: ResponseOutput | undefined;
  #model: string | undefined;

  /** Adds one event and returns this collector. */
  add(event: ResponseStreamEvent): this {
    switch (event.type) {
      case 'response.created':
        this.#model = event.response.model;
        break;
      case 'response.output_item.added':
        this.#items.set(event.output_index, unfinished(event.item));
        break;
      case 'response.function_call_arguments.delta':
        this.#change(event.output_index, (call) => ({ ...call, arguments: call.arguments + event.delta }));
        break;
      case 'response.function_call_arguments.done':
        this.#change(event.output_index, (call) => ({ ...call, arguments: event.arguments }));
        break;
      case 'response.output_item.done':
        this.#items.set(event.output_index, event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#ended = event.response;
        break;
      default:
    }
    return this;
  }

  /** What was said; calls that have not ended when the stream has were cut off. */
  end(): ResponseAnswer {
    const collected = [...this.#items].toSorted(([one], [other]) => one - other).map(([, item]) => item);
    const { output, status } = this.#ended ?? { output: [], status: 'incomplete' };
    const model = this.#ended?.model ?? this.#model;
    return readResponse({
      // Some servers end with a response that has nothing in it.
      output: output.length === 0 ? collected : output,
      ...(status === undefined ? {} : { status }),
      ...(model === undefined ? {} : { model }),
    });
  }

  #change(index: number, change: (call: ResponseFunctionToolCall) => ResponseFunctionToolCall): void {
    const item = this.#items.get(index);
    if (item !== undefined && isFunctionCall(item)) this.#items.set(index, change(item));
  }
}

/** Its arguments are still to come. */
const unfinished = (item: ResponseOutputItem): ResponseOutputItem =>
  isFunctionCall(item) ? { ...item, status: 'in_progress' } : item;

// What has a streamed response said, once it has ended? The whole response if it came, else the items as far as they came.
import type {
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { isThere, objectsIn, textIn } from '../../interpret/streaming/sent-parts.ts';
import { isFunctionCall, readResponse, type ResponseAnswer, type ResponseOutput } from './response-calls.ts';

/** Collects the events of one streamed response. */
export class ResponseCollector {
  readonly #items = new Map<number, ResponseOutputItem>();
  #ended: Partial<ResponseOutput> = {};
  #model: string | undefined;

  /** Adds one event and returns this collector. */
  add(event: ResponseStreamEvent): this {
    if (!isThere(event)) return this;
    switch (event.type) {
      case 'response.created':
        this.#model = event.response?.model;
        break;
      case 'response.output_item.added':
        this.#put(event.output_index, unfinished(event.item));
        break;
      case 'response.function_call_arguments.delta':
        this.#change(event.output_index, (call) => ({
          ...call,
          arguments: textIn(call.arguments) + textIn(event.delta),
        }));
        break;
      case 'response.function_call_arguments.done':
        this.#change(event.output_index, (call) => ({
          ...call,
          arguments: event.arguments ?? call.arguments,
        }));
        break;
      case 'response.output_item.done':
        this.#put(event.output_index, event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#ended = { ...endings[event.type], ...event.response };
        break;
      default:
    }
    return this;
  }

  /** What was said; calls that have not ended when the stream has were cut off. */
  end(): ResponseAnswer {
    const collected = [...this.#items].toSorted(([one], [other]) => one - other).map(([, item]) => item);
    const { output, status = 'incomplete', model = this.#model } = this.#ended;
    const said = objectsIn(output);
    return readResponse({
      // Some servers end with a response that has nothing in it.
      output: said.length === 0 ? collected : [...said],
      status,
      ...(model === undefined ? {} : { model }),
    });
  }

  #put(index: number, item: ResponseOutputItem): void {
    if (isThere(item)) this.#items.set(index, item);
  }

  #change(index: number, change: (call: ResponseFunctionToolCall) => ResponseFunctionToolCall): void {
    const item = this.#items.get(index);
    if (item !== undefined && isFunctionCall(item)) this.#items.set(index, change(item));
  }
}

/** For servers that end without a response. */
const endings = {
  'response.completed': { status: 'completed' },
  'response.incomplete': { status: 'incomplete' },
  'response.failed': { status: 'failed' },
} as const;

/** Its arguments are still to come. */
const unfinished = (item: ResponseOutputItem): ResponseOutputItem =>
  isThere(item) && isFunctionCall(item) ? { ...item, status: 'in_progress' } : item;

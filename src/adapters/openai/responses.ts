import type {
  FunctionTool,
  Response,
  ResponseFunctionCallOutputItem,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { checkOptions } from '../../errors/check-options.ts';
import { type ToolMessage, type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/history.ts';
import { isThere, objectsIn, readStream, textIn, withOwnIds } from '../../interpret/tool-call-collector.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { CallOptions } from '../../registry/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endOfEarlier } from '../../repair/finish-reason.ts';
import { type OpenAiOptions, openAiOptionKinds } from './shared.ts';

// Read as servers send them, which is not always as OpenAI describes it.
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

function readResponse({ output, model, status }: Partial<ResponseOutput>): ResponseAnswer {
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

const isFunctionCall = (item: ResponseOutputItem): item is ResponseFunctionToolCall =>
  item.type === 'function_call';

// The whole response if it came, else the items as far as they came.
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

// What the model gave out, with its calls as they were understood, and an output for each.
/** The items in their order, reasoning included: the provider wants it back with the calls that came of it. */
function understoodItems(
  { output }: ResponseAnswer,
  calls: readonly HistoryCall[],
): readonly ResponseInputItem[] {
  const remaining = [...calls];
  return output.filter(isInput).map((item): ResponseInputItem => {
    if (!isFunctionCall(item)) return item.type === 'message' ? withoutParsed(item) : item;
    const call = remaining.shift();
    if (call === undefined) return item;
    const { parsed_arguments: _parsed, ...sent }: typeof item & { parsed_arguments?: unknown } = item;
    return { ...sent, call_id: call.id, name: call.name, arguments: call.arguments };
  });
}

/** What the SDK's helpers have read out of a text is refused as input. */
function withoutParsed(message: ResponseOutputMessage): ResponseOutputMessage {
  const content = objectsIn(message.content).map((part) => {
    const { parsed: _parsed, ...sent }: typeof part & { parsed?: unknown } = part;
    return sent;
  });
  return { ...message, content };
}

/** The API takes what it gave, though its types differ in details; a list of tools is no part of a conversation. */
const isInput = (item: ResponseOutputItem): item is ResponseOutputItem & ResponseInputItem =>
  item.type !== 'additional_tools';

/** One output for each call, in their order; notes that have no place there stand behind them all. */
function outputItems(
  outcomes: readonly ToolOutcome[],
  notes: NonNullable<OpenAiOptions['notes']>,
): readonly ResponseInputItem[] {
  const results = outcomes.map((outcome) => ({ id: outcome.call.id, message: toolMessage(outcome) }));
  const besides =
    notes === 'parts'
      ? []
      : results.flatMap(({ id, message }) => message.notes.map((note) => `On ${id}: ${note}`));
  return [
    ...results.map(({ id, message }) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: outputOf(message, notes),
    })),
    ...(besides.length === 0 ? [] : [{ role: 'user' as const, content: besides.join('\n') }]),
  ];
}

function outputOf(
  { text, notes, images = [] }: ToolMessage,
  place: OpenAiOptions['notes'],
): string | ResponseFunctionCallOutputItem[] {
  const beside = place === 'message' ? [] : notes;
  if (beside.length === 0 && images.length === 0) return text;
  return [
    ...[text, ...beside].map((part) => ({ type: 'input_text' as const, text: part })),
    ...images.map(({ data, mediaType }) => ({
      type: 'input_image' as const,
      detail: 'auto' as const,
      image_url: `data:${mediaType};base64,${data}`,
    })),
  ];
}

// One step of its loop.
/** A response, or a streamed one: collected, or still to be read. */
export type ResponseSource = ResponseOutput | ResponseCollector | AsyncIterable<ResponseStreamEvent>;

/** What came of one response. */
export interface ResponseTurn {
  /** To append to the input: all that the model gave out, and the outputs of its calls. */
  readonly items: ResponseInputItem[];
  /** The outputs alone, for a request that names the response as `previous_response_id`. */
  readonly outputs: ResponseInputItem[];
  /** In the order of the calls; empty: the model has made none, and is done. */
  readonly outcomes: readonly ToolOutcome[];
}

/** Tools as the Responses API takes and calls them. */
export interface ResponseTools {
  /** The `tools` of a request: a new list, the same every time. */
  readonly tools: FunctionTool[];
  /** The calls of a response, for a program that runs them itself with the provider that they carry. */
  calls(response: ResponseOutput): readonly ToolCall[];
  /**
   * Runs the calls of a response, side by side. Never rejects for what a model or a tool did; a stream that breaks off or is
   * aborted rejects, and nothing has run then.
   */
  answer(source: ResponseSource, options?: Omit<CallOptions, 'provider'>): Promise<ResponseTurn>;
}

/** For OpenAI's Responses API. */
export function responses(tools: ToolSet, options: OpenAiOptions = {}): ResponseTools {
  checkOptions('responses', options, openAiOptionKinds);
  const { strict = false, notes = 'parts' } = options;
  const provider = strict ? 'openai-responses-strict' : 'openai-responses';
  return Object.freeze({
    get tools(): FunctionTool[] {
      return tools.schemas(provider);
    },
    calls: (response: ResponseOutput): readonly ToolCall[] =>
      readResponse(response).calls.map((call) => ({ ...call, provider })),
    async answer(
      source: ResponseSource,
      callOptions: Omit<CallOptions, 'provider'> = {},
    ): Promise<ResponseTurn> {
      const answer = await readSource(source);
      const outcomes = await tools.callAll(answer.calls, { ...callOptions, provider });
      const history = outcomes.map((outcome) => tools.history(outcome));
      const outputs = [...outputItems(outcomes, notes)];
      return { items: [...understoodItems(answer, history), ...outputs], outputs, outcomes };
    },
  });
}

async function readSource(source: ResponseSource): Promise<ResponseAnswer> {
  if (source instanceof ResponseCollector) return source.end();
  if (!(Symbol.asyncIterator in source)) return readResponse(source);
  const collector = new ResponseCollector();
  await readStream(source, (event) => collector.add(event));
  return collector.end();
}

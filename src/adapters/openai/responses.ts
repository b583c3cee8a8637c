import type {
  CustomTool,
  FunctionTool,
  Response,
  ResponseFunctionToolCall,
  ResponseInputFile,
  ResponseInputImage,
  ResponseInputItem,
  ResponseInputText,
  ResponseOutputItem,
  ResponseStreamEvent,
  ToolChoiceCustom,
  ToolChoiceFunction,
} from 'openai/resources/responses/responses';
import { type OptionKinds, boolean, checkOptions } from '../../options/check-options.ts';
import type { ToolOutcome } from '../../outcomes/tool-outcome.ts';
import type { ResultFile, ResultImage } from '../../outcomes/tool-result.ts';
import { BlockNumbers } from '../../wire/block-numbers.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import { type PartialArguments, partialArguments } from '../../interpret/partial-arguments.ts';
import { type PartialListener, PartialListeners } from '../../interpret/partial-calls.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { defined, isContainer } from '../../collections/objects.ts';
import { notExecuted } from '../../messages/call-messages.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { type JsonObject, isJsonArray, isJsonObject, withoutKey } from '../../json/value.ts';
import { functionCallItem } from '../../wire/responses.ts';
import { partsOfCall, withParts } from '../../wire/wire-api.ts';
import { earlierFinishReason } from '../../text/decode-arguments.ts';
import { documentFormat, fileName, typeOf } from '../result-files.ts';
import {
  type ToolTurns,
  type RetryTurn,
  byIndex,
  dataUrl,
  jsonOf,
  objectsIn,
  toolCallsFrom,
  resultsOf,
  textIn,
  textOrParts,
  toolToRetry,
  toolTurns,
  withUniqueIds,
} from '../tool-turn.ts';
import { callOfText, textOf } from '../text-tool-calls.ts';
import { customItem, customTool, foreignCustomTool, isCustomCall } from './custom-calls.ts';
import { type OpenAiOptions, openAiOptionKinds } from './shared.ts';

/** The options of `responses`. */
export interface ResponseOptions extends OpenAiOptions {
  /**
   * Tools with `deferred: true` have `defer_loading`: the model finds them by the tool `tool_search`,
   * which the program adds to the request. Default: false.
   */
  readonly deferLoading?: boolean;
}

const responseOptionKinds: OptionKinds<ResponseOptions> = {
  ...openAiOptionKinds,
  deferLoading: boolean,
};

/** The members of a response that the adapter reads. */
export type ResponseOutput = Pick<Response, 'output' | 'model' | 'status'>;

export interface ResponseAnswer {
  readonly output: readonly ResponseOutputItem[];
  /** In the order of their items. */
  readonly calls: readonly ToolCall[];
  /** Calls of custom tools, whose `arguments` are their text. */
  readonly customCalls: readonly ToolCall[];
}

/** One step of a conversation. */
export interface ResponseTurn extends RetryTurn<ToolChoiceFunction | ToolChoiceCustom> {
  /** To append to the input: the output of the model, and the outputs of its calls. */
  readonly items: ResponseInputItem[];
  /** The outputs of the calls alone, for a request with `previous_response_id`. */
  readonly outputs: ResponseInputItem[];
}

/** Tools for the Responses API. */
export interface ResponseTools extends ToolTurns<
  ResponseOutput,
  ResponseCollector,
  ResponseStreamEvent,
  ResponseTurn
> {
  /** The `tools` of a request: a new array of the same tools each time. */
  readonly tools: (FunctionTool | CustomTool)[];
}

/** For OpenAI's Responses API. */
export function responses(tools: ToolSet, options: ResponseOptions = {}): ResponseTools {
  checkOptions('responses', options, responseOptionKinds);
  const { strict = false, notes = 'parts', deferLoading = false, customTools = false } = options;
  const provider = strict ? 'openai-responses-strict' : 'openai-responses';
  const isOwnCall = (item: ResponseOutputItem): boolean =>
    isFunctionCall(item) || (isCustomCall(item) && textOf(tools, item.name) !== undefined);
  return Object.freeze({
    get tools(): (FunctionTool | CustomTool)[] {
      const contracts = tools.contracts();
      return tools.schemas(provider).map(({ allowed_callers, ...tool }, index) => {
        const contract = contracts[index];
        const shared = {
          // The SDK's type has a mutable list.
          ...(allowed_callers === undefined ? {} : { allowed_callers: [...allowed_callers] }),
          ...(deferLoading && contract?.deferred === true ? { defer_loading: true } : {}),
        };
        const text = customTools ? contract?.text : undefined;
        return text === undefined
          ? { ...tool, ...shared }
          : { ...customTool(tool, text), ...shared };
      });
    },
    ...toolTurns(tools, {
      provider,
      read: readResponse,
      Collector: ResponseCollector,
      resolve: (answer) => withTextCalls(tools, answer),
      messages(answer, history, outcomes): Omit<ResponseTurn, 'outcomes'> {
        const callItems = answer.output.filter(isOwnCall);
        const outputs = [
          ...outputItems(callItems, outcomes, notes),
          ...otherOutputs(answer, isOwnCall),
        ];
        const name = toolToRetry(outcomes);
        return {
          items: [...inputItems(tools, answer, history), ...outputs],
          outputs,
          ...(name === undefined ? {} : { toolChoice: { type: choiceType(callItems), name } }),
        };
      },
    }),
  });
}

function readResponse({ output, model, status }: Partial<ResponseOutput>): ResponseAnswer {
  const items = objectsIn(output).map((item) => endedItem(item, status));
  const endOf = (item: ResponseOutputItem): string | undefined =>
    item === items.at(-1) ? status : earlierFinishReason(status);
  const callParts = items.filter(isFunctionCall).map((item) => {
    const parts = partsOfCall(functionCallItem, jsonOf(item));
    return { ...parts, id: textIn(parts.id) || item.id, finishReason: item.status ?? endOf(item) };
  });
  const customParts = items.filter(isCustomCall).map((item) => ({
    id: textIn(item.call_id) || item.id,
    name: item.name,
    arguments: item.input,
    finishReason: endOf(item),
  }));
  return {
    output: items,
    calls: toolCallsFrom(callParts, model),
    customCalls: toolCallsFrom(customParts, model),
  };
}

/** The answer with the calls of text tools among the others, in the order of their items. */
function withTextCalls(tools: ToolSet, answer: ResponseAnswer): ResponseAnswer {
  if (answer.customCalls.length === 0) return answer;
  const [functionCalls, customCalls] = [[...answer.calls], [...answer.customCalls]];
  const calls = answer.output.flatMap((item) => {
    if (isFunctionCall(item)) return functionCalls.shift() ?? [];
    const call = isCustomCall(item) ? customCalls.shift() : undefined;
    const text = call && textOf(tools, call.name);
    return call === undefined || text === undefined ? [] : callOfText(tools, call, text);
  });
  return { ...answer, calls: withUniqueIds(calls) };
}

/** Of the only call. */
const choiceType = ([item]: readonly ResponseOutputItem[]): 'function' | 'custom' =>
  item !== undefined && isCustomCall(item) ? 'custom' : 'function';

/** A call in progress has ended if the response is completed, else it was cut off. */
const endedItem = (item: ResponseOutputItem, status: string | undefined): ResponseOutputItem =>
  isFunctionCall(item) && item.status === 'in_progress'
    ? { ...item, status: status === 'completed' ? status : 'incomplete' }
    : item;

const isFunctionCall = (item: ResponseOutputItem): item is ResponseFunctionToolCall =>
  item.type === 'function_call';

/** Collects the events of one streamed response. */
export class ResponseCollector {
  readonly #items = new Map<number, ResponseOutputItem>();
  readonly #numbers = new BlockNumbers();
  readonly #listeners = new PartialListeners();
  #responseEnd: Partial<ResponseOutput> = {};
  #model: string | undefined;

  /** Adds one event and returns this collector. */
  add(event: ResponseStreamEvent): this {
    if (!isContainer(event)) return this;
    const number = this.#read(event);
    if (number !== undefined)
      this.#listeners.update(number, () => {
        const item = this.#items.get(number);
        if (item === undefined || !isFunctionCall(item)) return undefined;
        return {
          index: this.#functionCalls().indexOf(item),
          callId: textIn(item.call_id),
          tool: textIn(item.name),
          text: textIn(item.arguments),
          piece: event.type === 'response.function_call_arguments.delta' ? textIn(event.delta) : '',
        };
      });
    return this;
  }

  /** Returns the number of the item whose arguments may have come with the event. */
  #read(event: ResponseStreamEvent): number | undefined {
    switch (event.type) {
      case 'response.created':
        this.#model = event.response?.model;
        return undefined;
      case 'response.output_item.added': {
        if (!isContainer(event.item)) return undefined;
        const number = this.#begin(event.output_index, event.item);
        this.#items.set(number, begunItem(event.item));
        return number;
      }
      case 'response.function_call_arguments.delta':
        return this.#setArguments(
          event,
          (argumentsBefore) => textIn(argumentsBefore) + textIn(event.delta),
        );
      case 'response.function_call_arguments.done':
        return this.#setArguments(event, (argumentsBefore) => event.arguments ?? argumentsBefore);
      case 'response.custom_tool_call_input.delta':
        this.#setInput(event, (input) => textIn(input) + textIn(event.delta));
        return undefined;
      case 'response.custom_tool_call_input.done':
        this.#setInput(event, (input) => event.input ?? input);
        return undefined;
      case 'response.output_item.done':
        return isContainer(event.item) ? this.#endItem(event.output_index, event.item) : undefined;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#responseEnd = { ...endings[event.type], ...event.response };
        return undefined;
      default:
        return undefined;
    }
  }

  #functionCalls(): readonly ResponseFunctionToolCall[] {
    return byIndex(this.#items).filter(isFunctionCall);
  }

  /**
   * As `ToolCallCollector.partial`: what to show of a call while it comes. `index`: among the calls.
   * Default: the last one.
   */
  partial<Values extends object = JsonObject>(index = -1): PartialArguments<Values> | undefined {
    const item = this.#functionCalls().at(index);
    return item && partialArguments<Values>(textIn(item.arguments));
  }

  /**
   * Calls the listener when a call begins, and with each piece of its arguments, to show them to a
   * person: see `PartialCall`. Returns the function that ends it.
   */
  onPartial<Values extends object = JsonObject>(listener: PartialListener<Values>): () => void {
    return this.#listeners.add(listener);
  }

  /** The answer. A call that hasn't ended when the stream ends was cut off. */
  end(): ResponseAnswer {
    const { output, status = 'incomplete', model = this.#model } = this.#responseEnd;
    const items = objectsIn(output);
    // Some servers end with a response that has no output.
    const all = items.length === 0 ? byIndex(this.#items) : items;
    return readResponse({ output: [...all], status, ...defined({ model }) });
  }

  #begin(index: number, { id }: ResponseOutputItem): number {
    return this.#numbers.begin(index, id);
  }

  /** Some servers send no event when an item begins. */
  #endItem(index: number, item: ResponseOutputItem): number {
    const begunNumber = this.#numbers.find(index, item.id);
    const isOther = begunNumber !== undefined && isOtherItem(this.#items.get(begunNumber), item);
    const number = begunNumber === undefined || isOther ? this.#begin(index, item) : begunNumber;
    this.#items.set(number, item);
    return number;
  }

  #setArguments(
    {
      output_index: index,
      item_id: id,
    }: { readonly output_index: number; readonly item_id: string },
    from: (argumentsBefore: string) => string,
  ): number {
    const number = this.#numbers.find(index, id) ?? index;
    const item = this.#items.get(number);
    if (item !== undefined && isFunctionCall(item))
      this.#items.set(number, { ...item, arguments: from(item.arguments) });
    return number;
  }

  #setInput(
    {
      output_index: index,
      item_id: id,
    }: { readonly output_index: number; readonly item_id: string },
    from: (inputBefore: string) => string,
  ): void {
    const number = this.#numbers.find(index, id) ?? index;
    const item = this.#items.get(number);
    if (item !== undefined && isCustomCall(item))
      this.#items.set(number, { ...item, input: from(item.input) });
  }
}

/** Whether the first item has ended, so that the second one is not its end. */
const isOtherItem = (
  finalItem: ResponseOutputItem | undefined,
  item: ResponseOutputItem,
): boolean =>
  finalItem !== undefined &&
  isFunctionCall(finalItem) &&
  finalItem.status !== 'in_progress' &&
  (!isFunctionCall(item) || finalItem.call_id !== item.call_id);

/** For servers whose last event has no response. */
const endings = {
  'response.completed': { status: 'completed' },
  'response.incomplete': { status: 'incomplete' },
  'response.failed': { status: 'failed' },
} as const;

const begunItem = (item: ResponseOutputItem): ResponseOutputItem =>
  isContainer(item) && isFunctionCall(item) ? { ...item, status: 'in_progress' } : item;

/** The items in their order, with reasoning, which the provider requires back with its calls. */
function inputItems(
  tools: ToolSet,
  { output }: ResponseAnswer,
  history: readonly HistoryCall[],
): readonly ResponseInputItem[] {
  const remainingCalls = [...history];
  return output
    .map((item) => {
      const text = isCustomCall(item) ? textOf(tools, item.name) : undefined;
      const call = isFunctionCall(item) || text !== undefined ? remainingCalls.shift() : undefined;
      const sentItem = withoutParsed(jsonOf(item));
      if (call === undefined) return sentItem;
      return text === undefined
        ? withParts(functionCallItem, sentItem, call)
        : customItem(sentItem, call, text);
    })
    .filter(isInput);
}

/** The API refuses the members that the SDK's helpers add. */
function withoutParsed(item: JsonObject): JsonObject {
  const { parsed_arguments: _parsed, content, ...members } = item;
  if (!isJsonArray(content)) return { ...members, ...defined({ content }) };
  const parts = content.map((part) => (isJsonObject(part) ? withoutKey(part, 'parsed') : part));
  return { ...members, content: parts };
}

/**
 * The API takes back what it sent, though the SDK's types differ in details. A list of tools is not
 * part of the input.
 */
const isInput = (item: JsonObject): item is JsonObject & ResponseInputItem =>
  item['type'] !== 'additional_tools';

/** An output for each call. With `notes: 'message'` a user message after them has the notes. */
function outputItems(
  callItems: readonly ResponseOutputItem[],
  outcomes: readonly ToolOutcome[],
  notes: NonNullable<OpenAiOptions['notes']>,
): ResponseInputItem[] {
  const results = resultsOf(outcomes);
  const apart = results.flatMap(({ id, message }) =>
    message.notes.map((note) => `On ${id}: ${note}`),
  );
  return [
    ...results.map(({ id, message }, index) => ({
      type: outputType(callItems[index]),
      call_id: id,
      output: textOrParts<ResponseInputText | ResponseInputImage | ResponseInputFile>(
        notes === 'parts' ? message : { ...message, notes: [] },
        outputPart,
      ),
    })),
    ...(notes === 'parts' || apart.length === 0
      ? []
      : [{ role: 'user' as const, content: apart.join('\n') }]),
  ];
}

const outputType = (
  item: ResponseOutputItem | undefined,
): 'function_call_output' | 'custom_tool_call_output' =>
  item !== undefined && isCustomCall(item) ? 'custom_tool_call_output' : 'function_call_output';

/**
 * The API refuses an input that has a call without an output. A program with custom tools of its own
 * replaces these.
 */
const otherOutputs = (
  { output }: ResponseAnswer,
  isOwnCall: (item: ResponseOutputItem) => boolean,
): readonly ResponseInputItem[] =>
  output
    .filter(isCustomCall)
    .filter((item) => !isOwnCall(item))
    .map(({ call_id, name }) => ({
      type: 'custom_tool_call_output',
      call_id,
      output: notExecuted(name, foreignCustomTool),
    }));

const outputPart = {
  text: (text: string): ResponseInputText => ({ type: 'input_text', text }),
  image: (image: ResultImage): ResponseInputImage => ({
    type: 'input_image',
    detail: 'auto',
    image_url: dataUrl(image),
  }),
  /** The API takes documents: https://platform.openai.com/docs/guides/file-inputs */
  file(file: ResultFile): ResponseInputFile | undefined {
    const format = file.kind === 'embedded' ? documentFormat(file) : undefined;
    if (file.kind !== 'embedded' || format === undefined) return undefined;
    const mediaType = typeOf(file);
    return {
      type: 'input_file',
      filename: fileName(file, format),
      file_data: dataUrl({ data: file.data, mediaType }),
    };
  },
};

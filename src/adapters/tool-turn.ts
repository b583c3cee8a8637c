import { type ToolMessage, type ToolOutcome, toolMessage } from '../outcomes/tool-outcome.ts';
import type { ResultFile, ResultImage } from '../outcomes/tool-result.ts';
import type { HistoryCall } from '../interpret/records.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { CallIds } from '../interpret/call-ids.ts';
import { parsedObject } from '../json/parse.ts';
import { memberOf, isContainer } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import type { ProviderName } from '../providers/providers.ts';
import type { CallOptions } from '../run/call-options.ts';
import type { ToolSet } from '../registry/tool-set.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { earlierFinishReason } from '../text/decode-arguments.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { type CallForm, partsOfCall, withParts } from '../wire/wire-api.ts';
import { fileText } from './result-files.ts';

interface AnswerContent {
  /** In the order of the answer, each with its own id. */
  readonly calls: readonly ToolCall[];
}

interface AnswerCollector<Event, Content> {
  add(event: Event): unknown;
  end(): Content;
}

/**
 * How one API of a provider writes answers and takes results: all that differs between adapters.
 */
export interface TurnFormat<Answer, Event, Content extends AnswerContent, Messages> {
  readonly provider: ProviderName;
  readonly read: (answer: Answer) => Content;
  readonly Collector: new () => AnswerCollector<Event, Content>;
  /** Completes an answer with what only the tools say. */
  readonly resolve?: (content: Content) => Content;
  /**
   * What to append to the conversation: the model's answer with its calls as in `history`, and a
   * result for each call.
   */
  messages(
    content: Content,
    history: readonly HistoryCall[],
    outcomes: readonly ToolOutcome[],
  ): Messages;
}

/** Runs the tool calls of answers, in a loop that the program drives. */
export interface ToolTurns<Answer, Collector, Event, Turn> {
  /** The calls of an answer, for a program that runs them itself. They carry their provider. */
  calls(answer: Answer): readonly ToolCall[];
  /**
   * Runs the calls of an answer side by side. Doesn't reject because of what a model or a tool did.
   * Rejects if a stream breaks off or is aborted; then no tool has run.
   */
  answer(
    source: Answer | Collector | AsyncIterable<Event>,
    options?: Omit<CallOptions, 'provider'>,
  ): Promise<Turn>;
}

export interface TurnOutcomes {
  /** In the order of the calls. Empty if the model made no call: the loop ends. */
  readonly outcomes: readonly ToolOutcome[];
}

/** A turn after which the model can be made to call a tool again. */
export interface RetryTurn<Choice> extends TurnOutcomes {
  /**
   * For the next request: the choice of the tool whose call was the only one of this turn and had
   * invalid arguments. A server with a grammar then makes them valid. Undefined for any other turn,
   * and if the model thinks and its API refuses to name a tool then.
   */
  readonly toolChoice?: Choice;
}

export function toolTurns<Answer extends object, Event, Content extends AnswerContent, Messages>(
  tools: ToolSet,
  format: TurnFormat<Answer, Event, Content, Messages>,
): ToolTurns<Answer, AnswerCollector<Event, Content>, Event, Messages & TurnOutcomes> {
  const { provider, resolve = (content) => content } = format;
  return {
    calls: (answer) => resolve(format.read(answer)).calls.map((call) => ({ ...call, provider })),
    async answer(source, options = {}) {
      const content = resolve(await readSource(source, format));
      const outcomes = await tools.callAll(content.calls, { ...options, provider });
      const history = outcomes.map((outcome) => tools.history(outcome));
      return { ...format.messages(content, history, outcomes), outcomes };
    },
  };
}

async function readSource<Answer extends object, Event, Content extends AnswerContent>(
  source: Answer | AnswerCollector<Event, Content> | AsyncIterable<Event>,
  { read, Collector }: Pick<TurnFormat<Answer, Event, Content, unknown>, 'read' | 'Collector'>,
): Promise<Content> {
  if (source instanceof Collector) return source.end();
  if (!isStream<Event>(source)) return read(source);
  const collector = new Collector();
  for await (const event of source) collector.add(event);
  // The SDKs of OpenAI and Anthropic end an aborted stream without an error, and its calls must not
  // run.
  const controller = memberOf(source, 'controller');
  if (controller instanceof AbortController) controller.signal.throwIfAborted();
  return collector.end();
}

const isStream = <Event>(source: object): source is AsyncIterable<Event> =>
  Symbol.asyncIterator in source;

/** A call as a server sends it, whatever the SDK's types promise. */
type SentCall = Readonly<Record<'id' | 'name' | 'arguments' | 'finishReason', unknown>>;

/** A missing id is made, and a repeated one gets a number. */
export function toolCallsFrom(
  callsOfAnswer: readonly SentCall[],
  model: unknown,
): readonly ToolCall[] {
  const calls = callsOfAnswer.map(
    ({ id, name, arguments: callArguments, finishReason }): ToolCall => ({
      id: textIn(id),
      name: textIn(name),
      arguments: callArguments,
      ...(typeof model === 'string' && model !== '' ? { model } : {}),
      ...(typeof finishReason === 'string' && finishReason !== '' ? { finishReason } : {}),
    }),
  );
  return withUniqueIds(calls);
}

export function withUniqueIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  const ids = new CallIds();
  return calls.map((call) => {
    const id = ids.take(call.id);
    return id === call.id ? call : { ...call, id };
  });
}

export const historyArguments = ({
  arguments: text,
}: HistoryCall): { [name: string]: JsonValue } => ({
  ...parsedObject(text),
});

/** What a server sent, whatever the SDK's types promise. Empty for anything but an object. */
export const jsonOf = (value: unknown): JsonObject => (isSentObject(value) ? value : {});

const isSentObject = (value: unknown): value is JsonObject =>
  isContainer(value) && !Array.isArray(value);

/**
 * The calls among the objects of an answer. `reason`: why the answer ended. It cut off the last
 * object alone.
 */
export function sentCalls(
  form: CallForm,
  objects: readonly JsonObject[],
  reason: string | undefined,
): readonly SentCall[] {
  return objects.filter(form.isCall).map((call) => ({
    ...partsOfCall(form, call),
    finishReason: call === objects.at(-1) ? reason : earlierFinishReason(reason),
  }));
}

/** The objects of a turn in their order, with the calls as in the history. */
export function withHistory(
  form: CallForm,
  objects: readonly JsonObject[],
  history: readonly HistoryCall[],
): JsonObject[] {
  const remainingMessages = [...history];
  return objects.map((object) => {
    const call = form.isCall(object) ? remainingMessages.shift() : undefined;
    return call === undefined ? object : withParts(form, object, call);
  });
}

/** The parts of a streamed answer, sorted by the index that the provider gave them. */
export const byIndex = <Part>(parts: ReadonlyMap<number, Part>): readonly Part[] =>
  [...parts].toSorted(([one], [other]) => one - other).map(([, part]) => part);

export const resultsOf = (
  outcomes: readonly ToolOutcome[],
): readonly { readonly id: string; readonly message: ToolMessage }[] =>
  outcomes.map((outcome) => ({ id: outcome.call.id, message: toolMessage(outcome) }));

/** The tool whose call was the only one of a turn and had invalid arguments. */
export function toolToRetry([outcome, ...others]: readonly ToolOutcome[]): string | undefined {
  return outcome?.status === 'invalid_arguments' && others.length === 0 ? outcome.tool : undefined;
}

interface PartFormat<Part> {
  readonly text: (text: string) => Part;
  readonly image: (image: ResultImage) => Part;
  /** Undefined for a file that the API can't carry. Default: it carries none. */
  readonly file?: (file: ResultFile) => Part | undefined;
}

/** Text, images, files, then each note as a part of its own. */
export const contentParts = <Part>(
  { text, notes, images = [], files = [] }: ToolMessage,
  part: PartFormat<Part>,
): Part[] => [
  part.text(text),
  ...images.map(part.image),
  ...files.map((file) => part.file?.(file) ?? part.text(fileText(file))),
  ...notes.map(part.text),
];

/** The text alone if it has nothing beside it, else parts. */
export const textOrParts = <Part>(message: ToolMessage, part: PartFormat<Part>): string | Part[] =>
  [message.notes, message.images ?? [], message.files ?? []].every(({ length }) => length === 0)
    ? message.text
    : contentParts(message, part);

export const dataUrl = ({ data, mediaType }: ResultImage): string =>
  `data:${mediaType};base64,${data}`;

/** The objects of a list. Empty for anything else, whatever the SDK's types promise. */
export const objectsIn = <Entry extends object>(
  list: readonly (Entry | null | undefined)[] | null | undefined,
): readonly Entry[] => (isList(list) ? list.filter(isContainer) : []);

/** A string, or the digits of a number. Empty for anything else. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const isList = <Entry>(list: readonly Entry[] | null | undefined): list is readonly Entry[] =>
  Array.isArray(list);

/**
 * The tool's examples of all arguments that the shown schema accepts: APIs refuse requests with
 * others. `schema`: the shown schema, without its own examples if there are some.
 */
export function inputExamplesOf(
  contract: ToolContract | undefined,
  shownSchema: SchemaObject,
): { readonly schema: SchemaObject; readonly examples: readonly JsonObject[] } {
  const declaredExamples = (contract?.inputSchema.examples ?? []).filter(isJsonObject);
  if (declaredExamples.length === 0) return { schema: shownSchema, examples: [] };
  const { examples: _shown, ...schema } = shownSchema;
  const validator = validatorOf(
    contractFromSchema({ inputSchema: schema, onUnusableSchema: 'warn' }),
  );
  const examples = validator.isUnvalidated
    ? []
    : declaredExamples.filter((example) => validator.accepts(example));
  return examples.length === 0
    ? { schema: shownSchema, examples }
    : { schema, examples: structuredClone(examples) };
}

import { isContainer } from '../../collections/objects.ts';
import type {
  Candidate,
  Content,
  FunctionCall,
  FunctionDeclaration,
  GenerateContentResponse,
  Part,
} from '@google/genai';
import {
  type OptionKinds,
  boolean,
  checkOptions,
  oneOfWords,
} from '../../options/check-options.ts';
import { ToolmendError } from '../../errors/errors.ts';
import { type ToolMessage, type ToolOutcome, toolMessage } from '../../outcomes/tool-outcome.ts';
import type { EmbeddedFile, ResultFile, ResultImage } from '../../outcomes/tool-result.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import { readCalls } from '../../interpret/read-calls.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { earlierFinishReason } from '../../text/decode-arguments.ts';
import { fileText, typeOf } from '../result-files.ts';
import {
  type ToolTurns,
  type TurnOutcomes,
  historyArguments,
  objectsIn,
  toolCallsFrom,
  textIn,
  toolToRetry,
  toolTurns,
} from '../tool-turn.ts';

/** The options of `googleContents`. */
export interface GoogleOptions {
  /**
   * Schemas in the subset of OpenAPI 3.0, the only form that the Live API accepts. Default: JSON
   * Schema.
   */
  readonly openApi?: boolean;
  /**
   * Where the images and files of results stand. `inside`: in the function response, where Gemini 3
   * and newer models accept images, PDF and plain text. `beside`: in parts after the function
   * responses, which all models accept. Default: `beside`.
   */
  readonly images?: 'inside' | 'beside';
}

const googleOptionKinds: OptionKinds<GoogleOptions> = {
  openApi: boolean,
  images: oneOfWords('inside', 'beside'),
};

/** The members of a response that the adapter reads. */
export type GoogleResponse = Pick<GenerateContentResponse, 'candidates' | 'modelVersion'>;

/** The first candidate of a response. */
export interface GoogleAnswer {
  /** With thoughts and their signatures, which the provider requires back with its calls. */
  readonly parts: readonly Part[];
  /** In the order of their parts. */
  readonly calls: readonly ToolCall[];
  /** The text of a call that the provider couldn't read, and that isn't among the calls. */
  readonly malformed?: string;
}

/** One step of a conversation. */
export interface GoogleTurn extends TurnOutcomes {
  /**
   * To append to the conversation: the model's content, and one content with the results of its
   * calls.
   */
  readonly contents: Content[];
  /**
   * For the `functionCallingConfig` of the next request, with the mode `ANY`: the tool whose call
   * was the only one of this turn and had invalid arguments. The model then calls it again.
   * Undefined for any other turn.
   */
  readonly allowedFunctionNames?: string[];
  /**
   * The text of a call that the provider couldn't read (`MALFORMED_FUNCTION_CALL`), if toolmend
   * can't read it either. Empty if the SDK has no text of it, as with the Gemini API. `contents`
   * then asks the model to send the call again, so the loop goes on although there are no outcomes.
   */
  readonly malformed?: string;
}

/** Tools for `models.generateContent`. */
export interface GoogleTools extends ToolTurns<
  GoogleResponse,
  ContentCollector,
  GenerateContentResponse,
  GoogleTurn
> {
  /**
   * The `tools` of a request's `config`: a new array of the same tools each time. Empty without
   * tools.
   */
  readonly tools: { functionDeclarations: FunctionDeclaration[] }[];
}

/** For Google's Gemini API and Vertex AI. */
export function googleContents(tools: ToolSet, options: GoogleOptions = {}): GoogleTools {
  checkOptions('googleContents', options, googleOptionKinds);
  const { openApi = false, images = 'beside' } = options;
  const provider = openApi ? 'gemini-openapi' : 'gemini';
  return Object.freeze({
    get tools() {
      const functionDeclarations: FunctionDeclaration[] = tools.schemas(provider);
      return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
    },
    ...toolTurns(tools, {
      provider,
      read: (response: GoogleResponse) => readResponse(response),
      Collector: ContentCollector,
      resolve: (answer) => withReadableCalls(answer, tools),
      messages({ parts, malformed }, history, outcomes) {
        const contents: Content[] = [
          { role: 'model', parts: [...inputParts(parts, history)] },
          { role: 'user', parts: [...resultParts(parts, history, outcomes, images)] },
          { role: 'user', parts: malformed === undefined ? [] : [{ text: unreadableCall }] },
        ];
        const name = toolToRetry(outcomes);
        return {
          contents: contents.filter((content) => content.parts?.length !== 0),
          ...(name === undefined ? {} : { allowedFunctionNames: [name] }),
          ...(malformed === undefined ? {} : { malformed }),
        };
      },
    }),
  });
}

/** The first candidate, and the members of the response that its calls need. */
interface FirstCandidate {
  readonly parts: readonly Part[];
  readonly candidate: Partial<Candidate>;
  readonly model: unknown;
}

function readResponse({ candidates, modelVersion }: GoogleResponse): GoogleAnswer {
  const candidate = objectsIn(candidates).find(isFirst) ?? {};
  return readCandidate({
    parts: objectsIn(candidate.content?.parts),
    candidate,
    model: modelVersion,
  });
}

const isFirst = ({ index }: Candidate): boolean => (index ?? 0) === 0;

function readCandidate({ parts, candidate, model }: FirstCandidate): GoogleAnswer {
  const { finishReason: reason, finishMessage: message } = candidate;
  const sentCalls = callsIn(parts);
  for (const call of sentCalls) requireWhole(call);
  const calls = sentCalls.map((call) => ({
    id: call.id,
    name: call.name,
    // A call without arguments may have none.
    arguments: call.args ?? {},
    finishReason: call === sentCalls.at(-1) ? reason : earlierFinishReason(reason),
  }));
  const answer = { parts, calls: toolCallsFrom(calls, model) };
  return textIn(reason) === 'MALFORMED_FUNCTION_CALL'
    ? { ...answer, malformed: textIn(message) }
    : answer;
}

const callsIn = (parts: readonly Part[]): readonly FunctionCall[] =>
  parts.flatMap(({ functionCall: call }) => (isContainer(call) ? [call] : []));

/** Vertex AI streams arguments in parts if it is asked to. */
function requireWhole({ partialArgs, willContinue }: FunctionCall): void {
  if (partialArgs === undefined && willContinue !== true) return;
  throw new ToolmendError(
    'partial_arguments',
    'The model sent a part of the arguments: leave out streamFunctionCallArguments in the request.',
  );
}

/** Collects the responses of one stream. */
export class ContentCollector {
  readonly #parts: Part[] = [];
  #candidate: Partial<Candidate> = {};
  #model = '';

  /**
   * Adds one response and returns this collector. Only the first of several candidates is
   * collected.
   */
  add(response: GenerateContentResponse): this {
    if (!isContainer(response)) return this;
    if (this.#model === '') this.#model = textIn(response.modelVersion);
    for (const candidate of objectsIn(response.candidates).filter(isFirst)) {
      for (const part of objectsIn(candidate.content?.parts)) this.#addPart(part);
      const { finishReason, finishMessage } = candidate;
      this.#candidate = {
        ...this.#candidate,
        ...(finishReason === undefined ? {} : { finishReason }),
        ...(finishMessage === undefined ? {} : { finishMessage }),
      };
    }
    return this;
  }

  /**
   * The answer. The arguments of calls arrive whole, so those of a stream that broke off are
   * complete.
   */
  end(): GoogleAnswer {
    return readCandidate({
      parts: [...this.#parts],
      candidate: this.#candidate,
      model: this.#model,
    });
  }

  /** Text is joined to the text before it. A part with a signature stays a part. */
  #addPart(part: Part): void {
    const last = this.#parts.at(-1);
    if (
      last !== undefined &&
      isPlainText(last) &&
      isPlainText(part) &&
      last.thought === part.thought
    )
      this.#parts.splice(-1, 1, { ...last, text: textIn(last.text) + textIn(part.text) });
    else this.#parts.push(part);
  }
}

const isPlainText = (part: Part): boolean =>
  typeof part.text === 'string' &&
  Object.keys(part).every((key) => key === 'text' || key === 'thought');

/** The API says so in front of the call's text, which is often Python. */
const malformedPrefix = /^\s*malformed function call:\s*/iu;

/**
 * With the calls that the provider couldn't read, if they can be read from the text that it has of
 * them.
 */
function withReadableCalls(answer: GoogleAnswer, tools: ToolSet): GoogleAnswer {
  const { malformed = '', ...rest } = answer;
  if (malformed === '') return answer;
  const { calls, text } = readCalls(malformed.replace(malformedPrefix, ''), tools);
  if (calls.length === 0 || text.trim() !== '') return answer;
  const read = toolCallsFrom(
    calls.map(({ id, name, arguments: sentArguments }) => ({
      id,
      name,
      arguments: sentArguments,
      finishReason: 'stop',
    })),
    answer.calls[0]?.model,
  );
  return {
    ...rest,
    parts: [...rest.parts, ...calls.map(({ name }): Part => ({ functionCall: { name } }))],
    calls: [...rest.calls, ...read],
  };
}

const unreadableCall =
  'Your function call was malformed and was not executed. Send the whole call again.';

/**
 * The parts in their order, with calls as in the history. An id that the provider didn't send is
 * left out: Vertex AI refuses it.
 */
function inputParts(parts: readonly Part[], history: readonly HistoryCall[]): readonly Part[] {
  const remainingContents = [...history];
  return parts.map((part): Part => {
    if (!isContainer(part.functionCall)) return part;
    const call = remainingContents.shift();
    if (call === undefined) return part;
    const hasId = textIn(part.functionCall.id) !== '';
    const functionCall = {
      ...(hasId ? { id: call.id } : {}),
      name: call.name,
      args: historyArguments(call),
    };
    return { ...part, functionCall };
  });
}

/**
 * A function response for each call, in their order, because calls without ids are matched by it.
 */
function resultParts(
  parts: readonly Part[],
  history: readonly HistoryCall[],
  outcomes: readonly ToolOutcome[],
  images: NonNullable<GoogleOptions['images']>,
): readonly Part[] {
  const sentCalls = callsIn(parts);
  const results = outcomes.map((outcome, index) => {
    const message = toolMessage(outcome);
    const { name = outcome.call.name } = history[index] ?? {};
    const id = textIn(sentCalls[index]?.id) === '' ? {} : { id: outcome.call.id };
    const media = mediaOf(message, images);
    const functionResponse = {
      ...id,
      name,
      response: responseOf({ ...message, notes: [...media.texts, ...message.notes] }),
      ...(media.inside.length === 0 ? {} : { parts: media.inside }),
    };
    return { functionResponse, beside: partsBeside(name, media) };
  });
  return [
    ...results.map(({ functionResponse }) => ({ functionResponse })),
    ...results.flatMap(({ beside }) => beside),
  ];
}

type MediaPart = ReturnType<typeof mediaPart>;

interface ResultMedia {
  readonly inside: MediaPart[];
  readonly imagesBeside: readonly MediaPart[];
  readonly filesBeside: readonly MediaPart[];
  /** In the places of files that the API can't carry. */
  readonly texts: readonly string[];
}

function mediaOf(
  { images = [], files = [] }: ToolMessage,
  place: NonNullable<GoogleOptions['images']>,
): ResultMedia {
  const readableFiles = files.filter(isReadable);
  const isInside = (file: EmbeddedFile): boolean => place === 'inside' && mayStandInside(file);
  return {
    inside: [
      ...(place === 'inside' ? images : []),
      ...readableFiles.filter((file) => isInside(file)),
    ].map(mediaPart),
    imagesBeside: place === 'inside' ? [] : images.map(mediaPart),
    filesBeside: readableFiles.filter((file) => !isInside(file)).map(mediaPart),
    texts: files.filter((file) => !isReadable(file)).map(fileText),
  };
}

/**
 * Models read PDF, text, audio and video. Links stay text: the Gemini API takes addresses of its own
 * files only.
 */
const isReadable = (file: ResultFile): file is EmbeddedFile =>
  file.kind === 'embedded' && /^(?:application\/pdf$|(?:text|audio|video)\/)/.test(typeOf(file));

/** https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
const mayStandInside = (file: EmbeddedFile): boolean =>
  ['application/pdf', 'text/plain'].includes(typeOf(file));

const partsBeside = (name: string, { imagesBeside, filesBeside }: ResultMedia): readonly Part[] =>
  [
    { what: 'Images', parts: imagesBeside },
    { what: 'Files', parts: filesBeside },
  ].flatMap(({ what, parts }): readonly Part[] =>
    parts.length === 0 ? [] : [{ text: `${what} of the result of ${name}:` }, ...parts],
  );

/** The keys that the API knows in a response: `output` and `error`. */
const responseOf = ({ text, notes, isError }: ToolMessage): Record<string, unknown> => ({
  [isError ? 'error' : 'output']: text,
  ...(notes.length === 0 ? {} : { notes }),
});

const mediaPart = ({ data, mediaType }: ResultImage | EmbeddedFile) => ({
  inlineData: { data, mimeType: mediaType },
});

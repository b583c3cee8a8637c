import { type AIMessageChunk, AIMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import * as jsonSchemas from '@langchain/core/utils/json_schema';
import { checkOptions } from '../../options/check-options.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { newCallId } from '../../interpret/call-ids.ts';
import { attempt } from '../../collections/attempt.ts';
import { defined, memberOf, ownValue } from '../../collections/objects.ts';
import { type JsonObject } from '../../json/value.ts';
import { earlierFinishReason } from '../../text/decode-arguments.ts';
import { inputSchemaOf } from '../../schema/input-schema.ts';
import {
  type RepairToolCallsOptions,
  repairBySchemasNow,
  repairToolCallsKinds,
} from '../repair-by-schema.ts';
import type { SdkCall } from '../sdk-driven-loop.ts';
import { historyArguments } from '../tool-turn.ts';

type Content = AIMessage['content'];
export type Block = Exclude<Content, string>[number];

/** A call as LangChain lists it. The `args` of an invalid one are text. */
interface ListedCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: unknown;
}

type RepairedCall = NonNullable<AIMessage['tool_calls']>[number] & { readonly id: string };

/**
 * A message with repaired calls, for any tools:
 * `model.bindTools(tools).pipe(repairToolCalls(tools))`. Each call is repaired by the schema of its
 * tool. If LangChain too refuses a call that can't be repaired, the call stays as it is. If
 * LangChain would run the call, for example because zod drops a misspelt key, the call is among
 * `invalid_tool_calls`, and its `error` says what to send instead. A call of a tool that isn't
 * among `tools` stays as it is. Throws a DefinitionError for an unknown or ill-valued option.
 */
export function repairToolCalls(
  tools: readonly Pick<StructuredToolInterface, 'name' | 'schema'>[],
  options: RepairToolCallsOptions = {},
): (message: AIMessage) => AIMessage {
  checkOptions('repairToolCalls', options, repairToolCallsKinds);
  const schemas = new Map(
    tools.flatMap(({ name, schema }) => {
      const jsonSchema = readableSchema(schema);
      return jsonSchema === undefined ? [] : [[name, jsonSchema] as const];
    }),
  );
  return (message) =>
    repairMessage(message, (call) => {
      const isEnded = call.finishReason === undefined && options.repairMissingEnd === true;
      const sentCall = isEnded ? { ...call, finishReason: 'stop' } : call;
      const repair = repairBySchemasNow(schemas, sentCall, options);
      if (repair.kind === 'as_sent') return undefined;
      if (repair.kind === 'refused') return { error: repair.message, schema: repair.schema };
      const { name, text } = repair;
      return { name, arguments: historyArguments({ id: call.id, name, arguments: text }) };
    });
}

/** The schema by which LangChain validates a call that toolmend refuses. */
interface RefusedCall {
  readonly error: string;
  readonly schema: object;
}

/** The call as it is repaired; undefined if it stays as it is. */
type ReadCall = (call: ToolCall) => SdkCall | RefusedCall | undefined;

/**
 * Whether LangChain refuses arguments itself, and answers the call. False if only an asynchronous
 * validation knows.
 */
function isRefusedByLangChain(schema: object, args: unknown): boolean {
  const read = inputSchemaOf(schema);
  if (read.kind === 'json_schema')
    return !new jsonSchemas.Validator({ ...read.schema }).validate(args).valid;
  const validation = read.kind === 'validating' ? read.validate(args) : undefined;
  return validation !== undefined && 'kind' in validation && validation.kind === 'invalid';
}

/**
 * LangChain has parsed the calls: it lists those that it couldn't read separately, and completes
 * those that a stream cut off. So each call is read again from its text, if the message still has
 * it.
 */
export function repairMessage(message: AIMessage, readCall: ReadCall): AIMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const listedCalls: readonly ListedCall[] = [...tool_calls, ...invalid_tool_calls];
  if (listedCalls.length === 0) return message;
  const texts = sentTexts(message);
  const reason = finishReasonOf(message.response_metadata);
  const orderedCalls = invalid_tool_calls.length === 0 ? listedCalls : texts.inOrder(listedCalls);
  const isFollowed = (call: ListedCall): boolean =>
    orderedCalls !== undefined && call !== orderedCalls.at(-1);
  const read = (orderedCalls ?? listedCalls).map((listedCall, index) => {
    const { id: sentId, name = '', args } = listedCall;
    const id = sentId === undefined || sentId === '' ? newCallId() : sentId;
    const finishReason = isFollowed(listedCall) ? earlierFinishReason(reason) : reason;
    const text = texts.of(listedCall, index);
    const call = { id, name, arguments: text ?? args };
    const repair = readCall({ ...call, ...(finishReason === undefined ? {} : { finishReason }) });
    if (repair === undefined || 'arguments' in repair) return { listedCall, id, repaired: repair };
    const runs = isArguments(args) && !isRefusedByLangChain(repair.schema, args);
    const refusedCall = { type: 'invalid_tool_call', id, name, error: repair.error } as const;
    return runs
      ? { listedCall, id, refused: { ...refusedCall, args: text ?? JSON.stringify(args) } }
      : { listedCall, id };
  });
  const refusedCall = read.flatMap((call) => call.refused ?? []);
  if (refusedCall.length === 0 && read.every(({ repaired: repair }) => repair === undefined))
    return message;
  const calls = read.flatMap(
    ({ listedCall, id, refused: isRefused, repaired: repair = validCall(listedCall) }) => {
      if (repair === undefined || isRefused !== undefined) return [];
      const { name, arguments: args } = repair;
      return [
        {
          sentId: listedCall.id,
          call: { type: 'tool_call', id, name, args: { ...args } } as const,
        },
      ];
    },
  );
  const unrepairedCalls = new Set(
    read.flatMap(({ listedCall, repaired: repair }) => (repair === undefined ? [listedCall] : [])),
  );
  const { content, id, name, additional_kwargs, response_metadata, usage_metadata } = message;
  return new AIMessage({
    content: contentWith(
      content,
      calls,
      new Set(refusedCall.map(({ id: refusedId }) => refusedId)),
    ),
    additional_kwargs: withoutCalls(additional_kwargs),
    response_metadata,
    tool_calls: calls.map(({ call }) => call),
    invalid_tool_calls: [
      ...invalid_tool_calls.filter((call) => unrepairedCalls.has(call)),
      ...refusedCall,
    ],
    ...defined({ id, name, usage_metadata }),
  });
}

/** Undefined for a call that LangChain couldn't read, whose arguments are text. */
const validCall = ({ name = '', args }: ListedCall): SdkCall | undefined =>
  isArguments(args) ? { name, arguments: args } : undefined;
const isArguments = (args: unknown): args is JsonObject =>
  typeof args === 'object' && args !== null;

/** Without OpenAI's own list of the calls, which LangChain would send if there were no others. */
const withoutCalls = (kwargs: object): AIMessage['additional_kwargs'] =>
  Object.fromEntries(Object.entries(kwargs).filter(([key]) => key !== 'tool_calls'));

/**
 * The keys of the finish reason in LangChain's models for OpenAI, Anthropic, Google, Bedrock and
 * Ollama.
 */
const reasonKeys = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

const finishReasonOf = (metadata: Readonly<Record<string, unknown>> = {}): string | undefined =>
  reasonKeys.map((key) => ownValue(metadata, key)).find((reason) => typeof reason === 'string');

interface SentText {
  readonly id: string | undefined;
  readonly text: string;
}

/**
 * The argument texts that a message still has: in the chunks of a stream, or in OpenAI's own list
 * of the calls.
 */
interface SentTexts {
  /**
   * By the id of the call if ids are unique, else by its index. Undefined if the text is unknown.
   */
  of(call: ListedCall, index: number): string | undefined;
  /** The calls in the order in which they were sent. Undefined if it is unknown. */
  inOrder(calls: readonly ListedCall[]): readonly ListedCall[] | undefined;
}

function sentTexts(message: AIMessage): SentTexts {
  const texts = isChunk(message) ? streamedTexts(message) : answeredTexts(message);
  const ids = new Set(texts.map(({ id }) => id));
  const areUnique = ids.size === texts.length && !ids.has(undefined);
  const isInOrder =
    (message.invalid_tool_calls ?? []).length === 0 &&
    texts.length === (message.tool_calls ?? []).length;
  const indexOf = ({ id }: ListedCall): number =>
    areUnique ? texts.findIndex((one) => one.id === id) : -1;
  return {
    of(call, index) {
      if (areUnique) return texts[indexOf(call)]?.text;
      return isInOrder ? texts[index]?.text : undefined;
    },
    inOrder: (calls) =>
      calls.some((call) => indexOf(call) < 0)
        ? undefined
        : calls.toSorted((one, other) => indexOf(one) - indexOf(other)),
  };
}

/** `@langchain/core` 0.3 has no `AIMessageChunk.isInstance`. */
const isChunk = (message: AIMessage): message is AIMessageChunk => 'tool_call_chunks' in message;

const streamedTexts = ({ tool_call_chunks = [] }: AIMessageChunk): readonly SentText[] =>
  tool_call_chunks.flatMap(({ id, args }) => (args === undefined ? [] : [{ id, text: args }]));

function answeredTexts({ additional_kwargs }: AIMessage): readonly SentText[] {
  const calls = memberOf(additional_kwargs, 'tool_calls');
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) => {
    const id = memberOf(call, 'id');
    const text = memberOf(memberOf(call, 'function'), 'arguments');
    return typeof text === 'string' ? [{ id: typeof id === 'string' ? id : undefined, text }] : [];
  });
}

interface RepairedBlockCall {
  readonly sentId: string | undefined;
  readonly call: RepairedCall;
}

/**
 * The content may repeat the calls, in blocks of LangChain's or Anthropic's form. There they are
 * replaced too, or the history would have a call twice, or as it was sent. LangChain adds missing
 * blocks of its own form. Blocks of refused calls are left out, because Anthropic refuses a history
 * with a call that has no result.
 */
function contentWith(
  content: Content,
  calls: readonly RepairedBlockCall[],
  refusedCall: ReadonlySet<unknown>,
): Content {
  if (typeof content === 'string') return content;
  const callOfBlock = callsByBlock(
    content.filter((block) => formOf(block) !== undefined),
    calls,
  );
  return content.flatMap((block): Block[] => {
    const form = formOf(block);
    if (form === undefined) return [block];
    if ('id' in block && refusedCall.has(block.id)) return [];
    const call = callOfBlock.get(block);
    if (call === undefined) return form === 'langchain' ? [] : [block];
    const { id, name, args } = call;
    return [
      form === 'langchain'
        ? { type: 'tool_call', id, name, args }
        : { ...block, id, name, input: args },
    ];
  });
}

/** Undefined: the block is not a call. */
function formOf({ type }: Block): 'langchain' | 'anthropic' | undefined {
  if (type === 'tool_use') return 'anthropic';
  return type === 'tool_call' || type === 'tool_call_chunk' || type === 'invalid_tool_call'
    ? 'langchain'
    : undefined;
}

/** By id if ids are unique, else by index. */
function callsByBlock(
  blocks: readonly Block[],
  calls: readonly RepairedBlockCall[],
): ReadonlyMap<Block, RepairedCall> {
  const byId = new Map(calls.map(({ sentId, call }) => [sentId, call]));
  const areUnique = byId.size === calls.length && !byId.has(undefined);
  const isInOrder = blocks.length === calls.length;
  return new Map(
    blocks.flatMap((block, index) => {
      const id = 'id' in block && typeof block.id === 'string' ? block.id : undefined;
      const call = areUnique ? byId.get(id) : isInOrder ? calls[index]?.call : undefined;
      return call === undefined ? [] : [[block, call] as const];
    }),
  );
}

/**
 * The schema itself, else as LangChain shows it, where arguments with defaults are required.
 * Undefined if neither can be written as JSON Schema.
 */
function readableSchema(schema: StructuredToolInterface['schema']): object | undefined {
  return inputSchemaOf(schema).kind === 'none'
    ? attempt(() => jsonSchemas.toJsonSchema(schema))
    : schema;
}

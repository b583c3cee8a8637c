// What did a model mean by the calls in its message? LangChain has parsed them: what it couldn't read stands apart, and what it
// read of a stream it has completed. So each call is read again from its text, where that is still there.
import { AIMessage } from '@langchain/core/messages';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { endOfEarlier } from '../../decode/text-end.ts';
import { ownValue } from '../../json/own-key.ts';
import { inputAsInterpreted } from '../../registry/foreign-loop/input-as-interpreted.ts';
import type { SentCalls } from '../../registry/foreign-loop/sent-calls.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { contentWith, type MeantCall } from './call-blocks.ts';
import { sentTexts } from './sent-texts.ts';

/** A call as LangChain lists it; `args` of an invalid one is text. */
interface ListedCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: unknown;
}

/** The same message if it calls nothing. Calls without an id get one. */
export function repairToolCalls(tools: ToolSet, sent: SentCalls, message: AIMessage): AIMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const apart: readonly ListedCall[] = [...tool_calls, ...invalid_tool_calls];
  if (apart.length === 0) return message;
  const texts = sentTexts(message);
  const reason = finishReasonOf(message.response_metadata);
  // LangChain lists those that it could read first.
  const ordered = invalid_tool_calls.length === 0 ? apart : texts.inOrder(apart);
  const listed = ordered ?? apart;
  const isFollowed = (call: ListedCall): boolean => ordered !== undefined && call !== ordered.at(-1);
  const calls = listed.map((call, index) => {
    const { name = '' } = call;
    const id = call.id === undefined || call.id === '' ? newId() : call.id;
    const finishReason = isFollowed(call) ? endOfEarlier(reason) : reason;
    const ending = finishReason === undefined ? {} : { finishReason };
    return readCall(tools, sent, { id, name, arguments: texts.of(call, index) ?? call.args, ...ending });
  });
  const { content, id, name, additional_kwargs, response_metadata, usage_metadata } = message;
  return new AIMessage({
    content: contentWith(
      content,
      listed.map(({ id: sentId }, index) => ({ sentId, call: calls[index] })),
    ),
    additional_kwargs: withoutCalls(additional_kwargs),
    response_metadata,
    tool_calls: calls,
    invalid_tool_calls: [],
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
  });
}

const newId = (): string => `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;

function readCall(tools: ToolSet, sent: SentCalls, call: ToolCall): MeantCall {
  const interpreted = tools.interpret(call);
  const args = inputAsInterpreted(tools, interpreted);
  const name = interpreted.outcome === 'unknown-tool' ? call.name : interpreted.tool;
  sent.keepCall(call, { name, arguments: args });
  return { type: 'tool_call', id: call.id, name, args: { ...args } };
}

/** The calls as OpenAI's API said them: LangChain would send those where there are no others. */
const withoutCalls = (kwargs: object): AIMessage['additional_kwargs'] =>
  Object.fromEntries(Object.entries(kwargs).filter(([key]) => key !== 'tool_calls'));

/** Where LangChain's models keep the provider's word: OpenAI's, Anthropic's, Google's, Bedrock's, Ollama's. */
const reasonKeys = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

const finishReasonOf = (metadata: Readonly<Record<string, unknown>> = {}): string | undefined =>
  reasonKeys.map((key) => ownValue(metadata, key)).find((reason) => typeof reason === 'string');

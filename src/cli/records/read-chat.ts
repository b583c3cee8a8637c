// Which tool calls stand in a chat log? Those of the answer; of a conversation without one, all of them.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import { ownValue } from '../../json/own-key.ts';
import { findTool } from '../../interpret/find-tool.ts';
import { readTools } from './read-tool.ts';
import type { RecordedCall, SentArguments } from './recorded-call.ts';
import { sentValue } from './sent-value.ts';

export interface ChatCalls {
  readonly calls: readonly RecordedCall[];
  /** Calls of tools that were not offered. */
  readonly unknownTools: number;
}

/** Finds the calls in the shapes of OpenAI's Chat Completions and Responses and Anthropic's Messages. */
export function readChat(record: JsonObject, numbers: NumberTexts): ChatCalls {
  const tools = readTools(record);
  const answer = ['response', 'choices', 'output', 'tool_calls', 'message'].filter((key) =>
    Object.hasOwn(record, key),
  );
  const places = answer.length > 0 ? answer : ['messages', 'request', 'body', 'content'];
  const finishReason = finishReasonOf(record);
  const found = places.flatMap((key) => callsIn(ownValue(record, key), finishReason, 0));
  const calls = found.flatMap(({ name, id, given, finishReason: reason }): readonly RecordedCall[] => {
    const tool = findTool(tools, name);
    if (tool.kind === 'unknown') return [];
    const sent = sentOf(given, numbers);
    const isRenamed = tool.kind === 'resolved';
    return [{ id, tool: tool.tool, isRenamed, sent, meta: false, finishReason: reason, expected: undefined }];
  });
  return { calls, unknownTools: found.length - calls.length };
}

interface FoundCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly given: JsonValue;
  readonly finishReason: string | undefined;
}

/** Keys under which answers and conversations nest what they hold. */
const holders = ['body', 'choices', 'message', 'messages', 'output', 'content', 'tool_calls'];
const deepest = 8;

function callsIn(
  node: JsonValue | undefined,
  reason: string | undefined,
  depth: number,
): readonly FoundCall[] {
  if (depth > deepest) return [];
  if (isJsonArray(node)) return node.flatMap((item) => callsIn(item, reason, depth + 1));
  if (!isJsonObject(node)) return [];
  const finishReason = finishReasonOf(node) ?? reason;
  const call = callOf(node, finishReason);
  if (call !== undefined) return [call];
  return holders.flatMap((key) => callsIn(ownValue(node, key), finishReason, depth + 1));
}

function callOf(node: JsonObject, finishReason: string | undefined): FoundCall | undefined {
  const inner = ownValue(node, 'function');
  const call = isJsonObject(inner) ? inner : node;
  const name = ownValue(call, 'name');
  // Anthropic's calls have their arguments under input.
  const given =
    ownValue(call, 'arguments') ??
    (ownValue(call, 'type') === 'tool_use' ? ownValue(call, 'input') : undefined);
  if (typeof name !== 'string' || given === undefined) return undefined;
  const id = ownValue(node, 'id');
  return { id: typeof id === 'string' ? id : undefined, name, given, finishReason };
}

function finishReasonOf(node: JsonObject): string | undefined {
  const reason = ownValue(node, 'finish_reason') ?? ownValue(node, 'stop_reason');
  return typeof reason === 'string' ? reason : undefined;
}

const sentOf = (given: JsonValue, numbers: NumberTexts): SentArguments =>
  typeof given === 'string' ? { kind: 'text', text: given } : sentValue(given, numbers);

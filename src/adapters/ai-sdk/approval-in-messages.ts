// Has somebody said yes to this very call? The SDK puts requests and answers into its messages.
import type { ModelMessage } from 'ai';
import { objectsIn } from '../../interpret/streaming/sent-parts.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { readPlainValue } from '../../json/plain-value.ts';

/** Looked at as data: the messages may have come from a browser. */
interface Part {
  readonly type: string;
  readonly toolCallId?: unknown;
  readonly approvalId?: unknown;
  readonly approved?: unknown;
  readonly input?: unknown;
}

/** Only the last call of this id, if it had this input, was asked about, was approved, and has no result yet. */
export function isApprovedIn(messages: readonly ModelMessage[], toolCallId: string, input: unknown): boolean {
  const parts = messages.flatMap(partsOf);
  const called = parts.findLastIndex((part) => part.type === 'tool-call' && part.toolCallId === toolCallId);
  const since = called === -1 ? [] : parts.slice(called);
  const [call] = since;
  const request = since.findLast(
    (part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId,
  );
  const answers = since.filter(
    (part) => part.type === 'tool-approval-response' && part.approvalId === request?.approvalId,
  );
  const isAnswered = since.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId);
  return (
    !isAnswered &&
    request !== undefined &&
    answers.length > 0 &&
    answers.every(({ approved }) => approved === true) &&
    isSameInput(call?.input, input)
  );
}

const partsOf = ({ content }: ModelMessage): readonly Part[] =>
  typeof content === 'string' ? [] : objectsIn<Part>(content);

const deepest = 256;

function isSameInput(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((value) => readPlainValue(value, deepest));
  return (
    left?.kind === 'plain' &&
    right?.kind === 'plain' &&
    canonicalJson(left.value) === canonicalJson(right.value)
  );
}

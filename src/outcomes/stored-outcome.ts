import type { Accepted } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { parsedObject } from '../json/parse.ts';
import { readPlainValue } from '../json/serialize.ts';
import { freezeDeep, ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { resultWasCut } from '../messages/call-messages.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type AcceptedOutcome, type ToolOutcome, hidingCause } from './tool-outcome.ts';
import {
  type EchoMask,
  type ResultContent,
  echoMaskOf,
  nothingReturned,
  resultWithoutSecrets,
} from './tool-result.ts';

type Unstored =
  | 'call'
  | 'tool'
  | 'interpretation'
  | 'result'
  | 'artifact'
  | 'cause'
  | 'approval'
  | 'question'
  | 'suggestions';
type WithoutCall<Outcome> = Outcome extends unknown ? Omit<Outcome, Unstored> : never;

/** An outcome as plain JSON, without the call, the artifact and the exception. */
export type StoredOutcome = WithoutCall<ToolOutcome>;

/** The call of a stored outcome. */
export interface StoredCallFacts {
  readonly call: ToolCall;
  readonly tool: string;
  readonly interpretation: Accepted;
}

/**
 * Whether the work of a call is done, so that its idempotency key is used. The result may be lost
 * all the same.
 */
export const isDone = (outcome: StoredOutcome): boolean =>
  outcome.status === 'completed' ||
  (outcome.status === 'failed' && outcome.reason === 'result' && outcome.when === undefined);

export interface StoreOptions {
  /** Its declared secrets, of the arguments and of the result, are masked. */
  readonly contract: ToolContract | undefined;
  /** Longest result, in characters. */
  readonly maxResultChars: number;
}

/**
 * The outcome as it is stored, without secrets. A result that is too long is cut, and a note says
 * so.
 */
export function storeOutcome(outcome: ToolOutcome, options: StoreOptions): StoredOutcome {
  return storedOutcome(withoutEchoes(outcome, options.contract), options);
}

/** The outcome in which no secret of the arguments is repeated. */
export function withoutEchoes(
  outcome: ToolOutcome,
  contract: ToolContract | undefined,
): ToolOutcome {
  if (contract === undefined || outcome.status === 'unknown_tool') return outcome;
  const { interpretation, call } = outcome;
  const mask =
    interpretation.status === 'rejected'
      ? echoMaskOfSent(contract, call)
      : echoMaskOf(contract, interpretation.value);
  if (mask === undefined) return outcome;
  const notes = outcome.notes === undefined ? {} : { notes: outcome.notes.map(mask.text) };
  return outcome.status === 'completed'
    ? { ...outcome, ...notes, content: mask.content(outcome.content) }
    : { ...outcome, ...notes, message: mask.text(outcome.message) };
}

/**
 * Undefined if the arguments of a rejected call have no declared secret, or can't be read.
 */
export function echoMaskOfSent(contract: ToolContract, call: ToolCall): EchoMask | undefined {
  const values = sentObject(call.arguments);
  return values && echoMaskOf(contract, values);
}

/** The arguments of a rejected call, if they are readable. */
function sentObject(value: unknown): JsonObject | undefined {
  if (typeof value === 'string') return parsedObject(value);
  const reading = readPlainValue(value);
  return reading.kind === 'plain' && isJsonObject(reading.value) ? reading.value : undefined;
}

function storedOutcome(outcome: ToolOutcome, options: StoreOptions): StoredOutcome {
  if (outcome.status === 'completed') {
    const {
      call: _call,
      tool,
      interpretation: _read,
      result: _result,
      artifact: _artifact,
      ...members
    } = outcome;
    const { content, notes } = storedContent(tool, outcome.content, options);
    const all = [...(outcome.notes ?? []), ...notes];
    return { ...members, content, ...(all.length === 0 ? {} : { notes: all }) };
  }
  if (outcome.status === 'unknown_tool') {
    const { call: _call, suggestions: _suggestions, ...members } = outcome;
    return members;
  }
  if (outcome.status === 'approval_required') {
    const {
      call: _call,
      tool: _tool,
      interpretation: _read,
      approval: _approval,
      ...members
    } = outcome;
    return members;
  }
  if (outcome.status === 'input_required') {
    const {
      call: _call,
      tool: _tool,
      interpretation: _read,
      question: _asked,
      ...members
    } = outcome;
    return members;
  }
  // The cause of an outcome is not enumerable.
  const { call: _call, tool: _tool, interpretation: _read, ...members } = outcome;
  return members;
}

function storedContent(
  tool: string,
  content: ResultContent,
  { contract, maxResultChars }: StoreOptions,
): { readonly content: ResultContent; readonly notes: readonly string[] } {
  const maskedText =
    contract === undefined ? content.text : resultWithoutSecrets(contract, content);
  if (maskedText !== content.text)
    return { content: shortenText(maskedText ?? '', maxResultChars), notes: [] };
  const { structured, ...visibleContent } = content;
  // The text has the same data.
  const isDeep = structured !== undefined && readPlainValue(structured, deepest).kind !== 'plain';
  const length = sizeOf(content);
  if (length <= maxResultChars) return { content: isDeep ? visibleContent : content, notes: [] };
  return {
    content: shortenText(content.text, maxResultChars),
    notes: [resultWasCut(tool, length, maxResultChars)],
  };
}

/** Levels of data in an outcome that can be read back. */
const deepest = 200;

const shortenText = (text: string, longest: number): ResultContent => ({
  text: text.slice(0, longest).toWellFormed(),
});

/**
 * Characters of the text, the images, the files and the data, which is the same as the text if the tool wrote
 * no text of its own.
 */
function sizeOf({ text, images = [], files = [], structured }: ResultContent): number {
  const embedded = [...images, ...files.filter((file) => file.kind === 'embedded')];
  const visibleLength = embedded.reduce((sum, { data }) => sum + data.length, text.length);
  return structured === undefined
    ? visibleLength
    : visibleLength + JSON.stringify(structured).length;
}

const statuses: ReadonlySet<unknown> = new Set([
  'completed',
  'retry',
  'failed',
  'timed_out',
  'cancelled',
  'denied',
  'approval_required',
  'input_required',
  'limit_exceeded',
  'invalid_arguments',
  'unknown_tool',
] satisfies ToolOutcome['status'][]);

/** Whether data of the journal is an outcome. */
export const isStoredOutcome = (data: JsonObject): data is JsonObject & StoredOutcome =>
  statuses.has(ownValue(data, 'status'));

/**
 * The outcome of a call that ended before, perhaps in another process. Undefined for the outcomes
 * of calls that were not accepted.
 */
export function restoreOutcome(
  { call, tool, interpretation }: StoredCallFacts,
  outcome: StoredOutcome,
): AcceptedOutcome | undefined {
  const facts = { call, tool, interpretation };
  switch (outcome.status) {
    case 'completed': {
      return freezeDeep({ ...outcome, ...facts, result: resultOf(outcome.content) });
    }
    case 'failed':
    case 'cancelled':
      return hidingCause({ ...outcome, ...facts, cause: undefined });
    case 'approval_required':
    case 'input_required':
    case 'in_background':
    case 'invalid_arguments':
    case 'unknown_tool':
      return undefined;
    default:
      return Object.freeze({ ...outcome, ...facts });
  }
}

function resultOf({ structured, text, images = [], files = [] }: ResultContent): unknown {
  if (structured !== undefined) return structured;
  return images.length + files.length === 0 && text === nothingReturned ? undefined : text;
}

import { ToolmendError } from '../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { parseJson } from '../json/parse.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonObject, isJsonObject, objectOf, ownValue, sameValue } from '../json/value.ts';
import type { InterpretedCall } from './interpret-call.ts';
import type { ToolSet } from './tool-set.ts';

/**
 * The input that an SDK's loop gets for a call: what people approve, and what its history holds. For an accepted call, the arguments as
 * interpreted with the meta arguments; for any other call, what was sent, as an object that providers accept in a history.
 */
export function inputAsInterpreted(tools: ToolSet, interpreted: InterpretedCall): JsonObject {
  if (interpreted.status !== 'accepted') return objectIn(tools.history(interpreted).arguments);
  const { contract, interpretation } = interpreted;
  const meta = contract.meta.flatMap(({ key, name }) => {
    const value = ownValue(interpretation.meta, name);
    return value === undefined ? [] : [[key, value] as const];
  });
  return meta.length === 0
    ? interpretation.value
    : objectOf([...Object.entries(interpretation.value), ...meta]);
}

function objectIn(text: string): JsonObject {
  const reading = parseJson(text, deepest);
  return reading.kind === 'read' && isJsonObject(reading.value) ? reading.value : {};
}

/** A call as the loop got it. */
interface ShownCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Calls that are kept by id; the oldest is dropped first. */
const mostCalls = 1000;
const deepest = 256;

/** Calls as they were sent. The loop has them as interpreted, but runs them as sent, so that repairs are recorded and reported. */
export class SentCalls {
  /** Keys are the objects that the loop got. */
  readonly #values = new WeakMap<object, unknown>();
  readonly #texts = new Map<string, { readonly call: ToolCall; readonly shown: ShownCall }>();

  keepValue(shown: object, sent: unknown): void {
    this.#values.set(shown, sent);
  }

  keepCall(call: ToolCall, shown: ShownCall): void {
    this.#texts.delete(call.id);
    this.#texts.set(call.id, { call, shown });
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > mostCalls && oldest !== undefined) this.#texts.delete(oldest);
  }

  /** The call as sent, if it is known; else with the loop's arguments, which an approver may have edited. */
  callOf(id: string, name: string, input: unknown): ToolCall {
    const kept = this.#texts.get(id);
    if (kept?.shown.name === name && isSame(kept.shown.arguments, input)) return kept.call;
    const isKnown = typeof input === 'object' && input !== null && this.#values.has(input);
    return { id, name, arguments: isKnown ? this.#values.get(input) : input };
  }
}

/** Ids can be reused: a call is the same only with the same tool and arguments. */
function isSame(shown: JsonObject, input: unknown): boolean {
  const reading = readPlainValue(input, deepest);
  return reading.kind === 'plain' && isJsonObject(reading.value) && sameValue(shown, reading.value);
}

/** Thrown to an SDK's loop for a call without a result. Its message, for the model, is the text of the outcome with its notes. */
export class ToolCallError extends ToolmendError {
  readonly #outcome: ToolOutcome;

  constructor(outcome: ToolOutcome) {
    const { text, notes } = toolMessage(outcome);
    super('tool-call', [text, ...notes].join('\n'));
    this.#outcome = outcome;
  }

  /** The message alone: the AI SDK shows the model the exception's `toString()`. */
  override toString(): string {
    return this.message;
  }

  /** Not enumerable, so that copies and logs don't contain the arguments by accident. */
  get outcome(): ToolOutcome {
    return this.#outcome;
  }
}

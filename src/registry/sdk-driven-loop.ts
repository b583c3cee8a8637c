import { ToolmendError } from '../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { parseJson } from '../json/parse.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonObject, isJsonObject, objectOf, ownValue, sameValue } from '../json/value.ts';
import type { InterpretedCall } from './interpret-call.ts';
import type { ToolSet } from './tool-set.ts';

// With those that would run: they are what people approve, and stand in its history.
/**
 * Of an accepted call its arguments as interpreted and its meta arguments, so that nothing is lost where the call comes back
 * from a person. Of any other call what was sent, as an object that providers take in a history.
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

// A call is run as it was sent, so that what was repaired is recorded and told; the loop has it as it was
// interpreted.
/** How the loop was given a call. */
interface ShownCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Calls that are kept by their ids; what came first is forgotten first. */
const mostCalls = 1000;
const deepest = 256;

/** The calls of one set of tools. */
export class SentCalls {
  /** By the very object that the loop was given. */
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

  /** As it was sent, if that is known; else with the arguments that the loop has, as after an approval. */
  callOf(id: string, name: string, input: unknown): ToolCall {
    const kept = this.#texts.get(id);
    if (kept?.shown.name === name && isSame(kept.shown.arguments, input)) return kept.call;
    const isKnown = typeof input === 'object' && input !== null && this.#values.has(input);
    return { id, name, arguments: isKnown ? this.#values.get(input) : input };
  }
}

/** Ids come again: only the same tool with the same arguments is the same call. */
function isSame(shown: JsonObject, input: unknown): boolean {
  const reading = readPlainValue(input, deepest);
  return reading.kind === 'plain' && isJsonObject(reading.value) && sameValue(shown, reading.value);
}

// By an exception, whose message the model reads.
/** A call that gave no result. Its message is what `toolMessage(outcome)` says, notes on lines of their own. */
export class ToolCallError extends ToolmendError {
  readonly #outcome: ToolOutcome;

  constructor(outcome: ToolOutcome) {
    const { text, notes } = toolMessage(outcome);
    super('tool-call', [text, ...notes].join('\n'));
    this.#outcome = outcome;
  }

  /** The message alone: the AI SDK shows a model what an exception's `toString` gives. */
  override toString(): string {
    return this.message;
  }

  /** What became of the call. Not enumerable, so that no copy or log has its arguments by accident. */
  get outcome(): ToolOutcome {
    return this.#outcome;
  }
}

// What did the model send, where another program's loop knows it in another form? A call is run as it was sent, so that what
// was repaired is recorded and told; the loop has it as it was interpreted.
import type { ToolCall } from '../../interpret/tool-call.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import { sameValue } from '../../json/same-value.ts';

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

// For SDKs that call the model and the tools themselves.
import { type OptionKinds, callback } from '../options/check-options.ts';
import { definitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../outcomes/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { parsedObject } from '../json/parse.ts';
import { readPlainValue } from '../json/serialize.ts';
import { setNewest } from '../collections/bounded-map.ts';
import { objectOf, ownValue } from '../collections/objects.ts';
import { type JsonObject, sameValue } from '../json/value.ts';
import { type CallOptions, callOptionKinds } from '../run/call-options.ts';
import type { InterpretedCall } from '../run/interpreted-call.ts';
import type { ToolSet } from '../registry/tool-set.ts';
import { notify } from '../telemetry/tool-event.ts';

/** The options of `tools.call` that the program sets. The SDK has its own signal. */
export type SdkCallOptions = Pick<
  CallOptions,
  'context' | 'conversation' | 'elicit' | 'memory' | 'run' | 'tenant' | 'timeoutMs'
>;

export interface SdkLoopOptions extends SdkCallOptions {
  /**
   * Called with the outcome of each call: its repairs, its artifact, the cause of a failure. What
   * the function throws or rejects with is ignored.
   */
  readonly onOutcome?: (outcome: ToolOutcome) => unknown;
}

const { context, conversation, elicit, memory, run, tenant, timeoutMs } = callOptionKinds;
const callKinds = { context, conversation, elicit, memory, run, tenant, timeoutMs };

export const sdkLoopOptionKinds: OptionKinds<SdkLoopOptions> = {
  ...callKinds,
  onOutcome: callback('write a function that takes an outcome'),
};

export interface SdkCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Calls that are kept by their ids. The oldest is dropped first. */
const maxCalls = 1000;

/**
 * The calls of one set of tools as the model sent them. The SDK gets each call with the arguments
 * that would run, for its history and for people who approve; the registry runs the call as it was
 * sent, so that its repairs are recorded.
 */
export class SentCalls {
  readonly #tools: ToolSet;
  /** By the object that the SDK was given. */
  readonly #values = new WeakMap<object, unknown>();
  readonly #calls = new Map<string, { readonly sentCall: ToolCall; readonly call: SdkCall }>();

  constructor(tools: ToolSet) {
    this.#tools = tools;
  }

  /**
   * The arguments that the SDK gets if the model sent this value. The registry refuses a wrong one
   * when the SDK runs the call.
   */
  readValue(tool: string, value: unknown): JsonObject {
    const shownArguments = this.#argumentsOf(
      this.#tools.interpret({ id: '', name: tool, arguments: value }, { counted: false }),
    );
    if (shownArguments !== value) this.#values.set(shownArguments, value);
    return shownArguments;
  }

  /** The call that the SDK gets if the model sent this one. An unknown tool keeps its name. */
  readCall(
    sentCall: ToolCall,
    interpretedCall: InterpretedCall = this.#tools.interpret(sentCall, { counted: false }),
  ): SdkCall {
    const name = interpretedCall.status === 'unknown_tool' ? sentCall.name : interpretedCall.tool;
    const call = { name, arguments: this.#argumentsOf(interpretedCall) };
    setNewest(this.#calls, [sentCall.id, { sentCall, call }], maxCalls);
    return call;
  }

  /**
   * The call as the model sent it, if it is known; else with the SDK's arguments, as after an
   * approval.
   */
  callOf(id: string, name: string, input: unknown): ToolCall {
    const cachedCall = this.#calls.get(id);
    // Ids are reused: only the same tool with the same arguments is the same call.
    if (cachedCall?.call.name === name && isSameJson(cachedCall.call.arguments, input))
      return cachedCall.sentCall;
    const isKnown = typeof input === 'object' && input !== null && this.#values.has(input);
    return { id, name, arguments: isKnown ? this.#values.get(input) : input };
  }

  /**
   * The interpreted arguments of an accepted call, with its meta arguments, so that nothing is lost
   * if a person approves it later. Of any other call what was sent, as an object that providers
   * take in a history.
   */
  #argumentsOf(interpretedCall: InterpretedCall): JsonObject {
    if (interpretedCall.status !== 'accepted')
      return parsedObject(this.#tools.history(interpretedCall).arguments);
    const { contract, interpretation } = interpretedCall;
    const meta = contract.meta.flatMap(({ key, name }) => {
      const value = ownValue(interpretation.meta, name);
      return value === undefined ? [] : [[key, value] as const];
    });
    return meta.length === 0
      ? interpretation.value
      : objectOf([...Object.entries(interpretation.value), ...meta]);
  }
}

export function isSameJson(one: unknown, other: unknown): boolean {
  const [left, right] = [readPlainValue(one), readPlainValue(other)];
  return left.kind === 'plain' && right.kind === 'plain' && sameValue(left.value, right.value);
}

export function notifyOutcome({ onOutcome }: SdkLoopOptions, outcome: ToolOutcome): void {
  notify(() => onOutcome?.(outcome));
}

/**
 * A call without a result. The message is the text of `toolMessage(outcome)`, with notes on lines
 * of their own.
 */
export class ToolCallError extends ToolmendError {
  readonly #outcome: ToolOutcome;

  constructor(outcome: ToolOutcome) {
    const { text, notes } = toolMessage(outcome);
    super('tool-call', [text, ...notes].join('\n'));
    this.#outcome = outcome;
  }

  /** The message alone, because the AI SDK shows a model what `toString` returns. */
  override toString(): string {
    return this.message;
  }

  /**
   * How the call ended. Not enumerable, so that copies and logs don't have its arguments by
   * accident.
   */
  get outcome(): ToolOutcome {
    return this.#outcome;
  }
}

/**
 * Throws a DefinitionError unless the SDK exports one of the names. `versions`: the range that
 * works, as in package.json.
 */
export function requireExport(
  sdk: object,
  names: readonly string[],
  { name, versions }: { readonly name: string; readonly versions: string },
): void {
  if (names.some((exportName) => exportName in sdk)) return;
  const what = `can't be used with the installed version of ${name}`;
  throw definitionError('toolmend', what, `install ${name}@"${versions}"`);
}

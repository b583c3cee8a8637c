import { definitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { type ToolMessage, type ToolOutcome, toolMessage } from '../outcomes/tool-outcome.ts';
import { CallMemory } from '../interpret/call-memory.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { JsonObject } from '../json/value.ts';
import type { CallOptions } from '../run/call-options.ts';
import type { ToolSet } from '../registry/tool-set.ts';
import { notationForms } from '../notations/notation-forms.ts';

/** A call in a script. `arguments` is text, as models send it, or a value. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: unknown;
  /** Default: `call_1`, `call_2`, … */
  readonly id?: string;
}

/** One answer: text, calls, or both. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /**
   * The provider's finish reason; `length` is an answer that was cut off. Default: `tool_calls`.
   */
  readonly finishReason?: string;
}

/** An answer, or a function that makes it from the results of the last calls. */
export type ScriptedTurn = ScriptedAnswer | ((results: readonly ToolMessage[]) => ScriptedAnswer);

interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/**
 * Answers with the turns of a script, one after the other, and keeps the results that it was given.
 */
export class ScriptedModel {
  /** The results of each turn. */
  readonly received: (readonly ToolMessage[])[] = [];
  readonly #turns: readonly ScriptedTurn[];
  readonly #name: string;
  #calls = 0;

  /** `name` is the `model` of its calls. */
  constructor(turns: readonly ScriptedTurn[], name: string = 'scripted') {
    this.#turns = turns;
    this.#name = name;
  }

  /** Whether all turns were taken. */
  get isOver(): boolean {
    return this.received.length >= this.#turns.length;
  }

  /**
   * The next answer, given the results of the last calls. Throws a ToolmendError after the last
   * turn.
   */
  answer(results: readonly ToolMessage[] = []): ModelAnswer {
    const turn = this.#turns[this.received.length];
    if (turn === undefined) {
      const message = `the script has ${this.#turns.length} turns, and was asked for one more`;
      throw new ToolmendError('script-over', message);
    }
    this.received.push(results);
    const {
      text = '',
      calls = [],
      finishReason = 'tool_calls',
    } = typeof turn === 'function' ? turn(results) : turn;
    return { text, calls: calls.map((call) => this.#toolCall(call, finishReason)) };
  }

  #toolCall({ id, name, arguments: sentArguments }: ScriptedCall, finishReason: string): ToolCall {
    this.#calls += 1;
    return {
      id: id ?? `call_${this.#calls}`,
      name,
      arguments: sentArguments,
      model: this.#name,
      finishReason,
    };
  }
}

/** A registry, or a selection of its tools. */
export type ScriptedTools = Pick<ToolSet, 'call'>;

/**
 * Runs the calls of each turn and passes their results to the next one, until the script ends or an
 * answer has no calls. Returns the outcomes in the order of the calls. Without `options.memory`,
 * the conversation has a memory of its own.
 */
export async function playScript(
  model: ScriptedModel,
  tools: ScriptedTools,
  options: CallOptions = {},
): Promise<readonly ToolOutcome[]> {
  const memory = options.memory ?? new CallMemory();
  const outcomes: ToolOutcome[] = [];
  let results: readonly ToolMessage[] = [];
  while (!model.isOver) {
    const { calls } = model.answer(results);
    if (calls.length === 0) break;
    const turnOutcomes = await Promise.all(
      calls.map((call) => tools.call(call, { ...options, memory })),
    );
    outcomes.push(...turnOutcomes);
    results = turnOutcomes.map(toolMessage);
  }
  return outcomes;
}

/** The ids of the notations in which models write calls, as in docs/reference/notations.md. */
export const notations: readonly string[] = Object.freeze([...notationForms.keys()]);

/**
 * A call as models write it in a notation, by the chat template of its family. Undefined if the
 * notation can't express the call, as a string with the closing tag of its own parameter in it.
 * Throws a DefinitionError for an unknown notation.
 */
export function writeCall(
  notation: string,
  call: { readonly name: string; readonly arguments: JsonObject },
): string | undefined {
  const form = notationForms.get(notation);
  if (form !== undefined) return form.write(call);
  const what = `does not know the notation ${notation}`;
  throw definitionError('writeCall', what, `choose one of ${notations.join(', ')}`);
}

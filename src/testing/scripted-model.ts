// One that follows a script.
import { ToolmendError } from '../errors/errors.ts';
import type { ToolMessage } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';

/** A call as the script writes it; `arguments` is text, as models send it, or a value. */
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
  /** As a provider would say it; `length` is an answer that was cut off. Default: `tool_calls`. */
  readonly finishReason?: string;
}

/** An answer, or a function that makes it of what came of the calls before. */
export type ScriptedTurn = ScriptedAnswer | ((results: readonly ToolMessage[]) => ScriptedAnswer);

interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** Answers with the turns of a script, one after the other, and remembers what it was told. */
export class ScriptedModel {
  /** What was handed to `answer`, a list for each turn. */
  readonly received: (readonly ToolMessage[])[] = [];
  readonly #turns: readonly ScriptedTurn[];
  readonly #name: string;
  #calls = 0;

  /** `name` is the `model` of its calls. */
  constructor(turns: readonly ScriptedTurn[], name: string = 'scripted') {
    this.#turns = turns;
    this.#name = name;
  }

  /** Whether the script has no further turn. */
  get isOver(): boolean {
    return this.received.length >= this.#turns.length;
  }

  /** The next answer, given the results of the calls before; throws a ToolmendError if there is none. */
  answer(results: readonly ToolMessage[] = []): ModelAnswer {
    const turn = this.#turns[this.received.length];
    if (turn === undefined) {
      throw new ToolmendError(
        'script-over',
        `the script has ${this.#turns.length} turns, and was asked for one more`,
      );
    }
    this.received.push(results);
    const {
      text = '',
      calls = [],
      finishReason = 'tool_calls',
    } = typeof turn === 'function' ? turn(results) : turn;
    return { text, calls: calls.map((call) => this.#sent(call, finishReason)) };
  }

  #sent({ id, name, arguments: sent }: ScriptedCall, finishReason: string): ToolCall {
    this.#calls += 1;
    return { id: id ?? `call_${this.#calls}`, name, arguments: sent, model: this.#name, finishReason };
  }
}

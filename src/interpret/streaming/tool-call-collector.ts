// Which calls does a streamed answer make? Nothing is a call before the end is known, and what has no end was cut off.
import { ToolmendError } from '../../errors/toolmend-error.ts';
import { requireFlatDelta } from '../nested-call.ts';
import type { ToolCall } from '../tool-call.ts';
import { CollectedCall } from './collected-call.ts';
import type { ToolCallDelta } from './tool-call-delta.ts';

/** What is said of a call whose stream ended without a word: its arguments were cut off, unless they are whole. */
const noFinishReason = 'incomplete';

/** Collects the parts of the calls of one streamed answer. */
export class ToolCallCollector {
  readonly #model: string | undefined;
  readonly #calls: CollectedCall[] = [];
  readonly #byIndex = new Map<number, CollectedCall>();
  #last: CollectedCall | undefined;
  #ended: readonly ToolCall[] | undefined;

  /** `model`: the model that answers, for the calls. */
  constructor({ model }: { readonly model?: string } = {}) {
    this.#model = model;
  }

  /**
   * Adds one part and returns this collector. Throws a ToolmendError after `end`, and a DefinitionError for a part that still
   * has its name or arguments inside another object, as providers nest them.
   */
  add(delta: ToolCallDelta): this {
    if (this.#ended !== undefined) {
      throw new ToolmendError(
        'stream_ended',
        'add was called after end: collect each answer with a new collector.',
      );
    }
    requireFlatDelta(delta, 'ToolCallCollector.add');
    const call = this.#callOf(delta);
    call.add(delta);
    this.#last = call;
    return this;
  }

  /**
   * The calls, in the order in which they began. `finishReason`: as the provider said it. Without one the stream is
   * taken to have broken off: a call whose arguments are not whole is then rejected as cut off, and one without
   * arguments is no call without arguments. A call without an id gets one of its own.
   */
  end(finishReason?: string | null): readonly ToolCall[] {
    this.#ended ??= Object.freeze(this.#calls.map((call) => this.#toolCall(call, finishReason)));
    return this.#ended;
  }

  /** Which call the last part was of, in the order of `end`; -1 before the first. */
  get place(): number {
    return this.#last === undefined ? -1 : this.#calls.indexOf(this.#last);
  }

  #toolCall(call: CollectedCall, finishReason: string | null | undefined): ToolCall {
    return Object.freeze({
      id: call.id === '' ? `call_${crypto.randomUUID()}` : call.id,
      name: call.name,
      arguments: call.arguments,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      finishReason:
        finishReason === undefined || finishReason === null || finishReason === ''
          ? noFinishReason
          : finishReason,
    });
  }

  #callOf(delta: ToolCallDelta): CollectedCall {
    const { index, id } = delta;
    if (typeof index === 'number') {
      const call = this.#byIndex.get(index);
      const found = this.#withOtherId(call, delta) ?? call ?? this.#begin();
      this.#byIndex.set(index, found);
      return found;
    }
    if (typeof id === 'string' && id !== '') return this.#withId(id) ?? this.#begin();
    return this.#last === undefined || this.#last.isEndedBy(delta) ? this.#begin() : this.#last;
  }

  /** The same number, but another call's id: servers that count every call as 0. */
  #withOtherId(call: CollectedCall | undefined, delta: ToolCallDelta): CollectedCall | undefined {
    if (call === undefined || delta.id === call.id) return undefined;
    return this.#withId(delta.id) ?? (call.isFollowedBy(delta) ? this.#begin() : undefined);
  }

  #withId(id: string | null | undefined): CollectedCall | undefined {
    return this.#calls.find((call) => call.id !== '' && call.id === id);
  }

  #begin(): CollectedCall {
    const call = new CollectedCall();
    this.#calls.push(call);
    return call;
  }
}

import type { JsonObject } from '../json/value.ts';
import { notify } from '../telemetry/tool-event.ts';
import { type PartialArguments, partialArguments } from './partial-arguments.ts';

/**
 * What has come of a call in a stream, to show it to a person. It is no call: it has no `id`, `name`
 * and `arguments`, so that `tools.call` refuses it.
 */
export interface PartialCall<Values extends object = JsonObject> {
  /** Of the call among those of its answer. Absent in the AI SDK. */
  readonly index?: number;
  /** Empty for a server that sends no ids. */
  readonly callId: string;
  readonly tool: string;
  /** The text that has come since the last event; empty when the call begins. */
  readonly delta: string;
  /** As `partialArguments`: made when it is read, in a time that grows with the text. */
  readonly partialArguments: PartialArguments<Values>;
}

/** Called when a call begins, and with each piece of its arguments. What it throws is ignored. */
export type PartialListener<Values extends object = JsonObject> = (
  call: PartialCall<Values>,
) => unknown;

/** A call as it has come so far. */
interface StreamedCall {
  /** Of the call among those of its answer. */
  readonly index: number;
  readonly callId: string;
  readonly tool: string;
  /**
   * The argument text, made by appending. Engines copy such a string only when it is read, so that
   * only its length is looked at here.
   */
  readonly text: string;
  /** The end of the text that has just come. */
  readonly piece: string;
}

/** The listeners of one collector, and what they have been told. */
export class PartialListeners {
  readonly #listeners = new Set<(event: PartialEvent) => unknown>();
  /** Of the text that they have been told, by what tells the calls of an answer apart. */
  readonly #lengths = new Map<unknown, number>();

  /** Returns the function that ends it. */
  add<Values extends object>(listener: PartialListener<Values>): () => void {
    const listen = (event: PartialEvent): unknown => listener(partialCall<Values>(event));
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  }

  /** Tells of a call that has begun or has more text. `key`: stays the same while the call comes. */
  update(key: unknown, call: () => StreamedCall | undefined): void {
    const changedCall = this.#listeners.size === 0 ? undefined : call();
    if (changedCall === undefined || changedCall.tool === '') return;
    const { piece, ...facts } = changedCall;
    const { length } = facts.text;
    const toldLength = this.#lengths.get(key);
    if (length === toldLength) return;
    this.#lengths.set(key, length);
    const isNext = (toldLength ?? 0) + piece.length === length;
    const event = { ...facts, delta: isNext ? piece : facts.text.slice(toldLength ?? 0) };
    for (const listen of this.#listeners) notify(() => listen(event));
  }
}

interface PartialEvent extends Omit<StreamedCall, 'index' | 'piece'> {
  readonly index?: number;
  readonly delta: string;
}

export const partialCall = <Values extends object>({
  text,
  ...facts
}: PartialEvent): PartialCall<Values> =>
  Object.freeze({
    ...facts,
    get partialArguments(): PartialArguments<Values> {
      return partialArguments<Values>(text);
    },
  });

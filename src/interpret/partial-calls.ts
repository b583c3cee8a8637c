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
interface StreamedText {
  readonly callId: string;
  readonly tool: string;
  /** The argument text. */
  readonly text: string;
}

/** The listeners of one collector, and what they have been told. */
export class PartialListeners {
  readonly #listeners = new Set<(event: PartialEvent) => unknown>();
  readonly #lengths = new Map<number, number>();

  /** Returns the function that ends it. */
  add<Values extends object>(listener: PartialListener<Values>): () => void {
    const listen = (event: PartialEvent): unknown => listener(partialCall<Values>(event));
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  }

  /** Tells of the calls that have begun or have more text. `calls`: in the order of their indexes. */
  update(calls: () => readonly StreamedText[]): void {
    if (this.#listeners.size === 0) return;
    for (const [index, call] of calls().entries()) {
      const length = this.#lengths.get(index);
      if (call.tool === '' || call.text.length === length) continue;
      this.#lengths.set(index, call.text.length);
      const event = { ...call, index, delta: call.text.slice(length ?? 0) };
      for (const listen of this.#listeners) notify(() => listen(event));
    }
  }
}

interface PartialEvent extends StreamedText {
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

// The model's turn in an answer that the client doesn't get. The request that asks again repeats
// it, as agents do.
import type { HistoryCall } from '../interpret/records.ts';
import type { JsonObject } from '../json/value.ts';
import { type CallForm, textAtPath, textWithParts } from '../wire/wire-api.ts';

/** A call of an answer that is not shown to the client: the model is asked again. */
export interface UnsentCall extends HistoryCall {
  /** The result that the model reads. */
  readonly message: string;
}

/** Collects what the model said in one answer. */
export interface ModelTurn {
  /** Takes an event of the answer, or the whole of it. */
  add(event: JsonObject): void;
  /**
   * The turn as the API takes it back, with text, thoughts, signatures and calls, and the calls'
   * results. JSON text of each item.
   */
  items(calls: readonly UnsentCall[]): readonly string[];
}

/**
 * The objects of a turn with the calls' ids, names and arguments, each as JSON text. Calls that the
 * turn has otherwise come last.
 */
export function turnTexts(
  form: CallForm,
  objects: readonly JsonObject[],
  calls: readonly UnsentCall[],
): readonly string[] {
  const turnCalls = objects.filter(form.isCall);
  const order = inTurnOrder(
    turnCalls.map((call) => form.id && textAtPath(call, form.id)),
    calls,
  );
  const texts = objects.flatMap((object) => {
    if (!form.isCall(object)) return [JSON.stringify(object)];
    const call = order?.[turnCalls.indexOf(object)];
    return call === undefined ? [] : [textWithParts(form, object, call)];
  });
  return order === undefined
    ? [...texts, ...calls.map((call) => textWithParts(form, {}, call))]
    : texts;
}

/**
 * The calls in the order of the turn's ids, or as they are if an id is missing; undefined if the
 * turn has more or fewer calls.
 */
function inTurnOrder(
  ids: readonly (string | undefined)[],
  calls: readonly UnsentCall[],
): readonly UnsentCall[] | undefined {
  if (ids.length !== calls.length) return undefined;
  const byId = new Map(calls.map((call) => [call.id, call]));
  const orderedCalls = [...new Set(ids)].flatMap((id) =>
    id === undefined ? [] : (byId.get(id) ?? []),
  );
  return orderedCalls.length === calls.length ? orderedCalls : calls;
}

// What does a call mean with other arguments than the model's? Judged by the same contract, and the model is told.
import { canonicalKey } from '../../contract/meta/meta-arguments.ts';
import type { OptionKind } from '../../errors/option-complaints.ts';
import { interpret } from '../../interpret/interpret.ts';
import type { Interpretation, Note } from '../../interpret/interpretation.ts';
import { shownPath } from '../../issues/shown-path.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { sameValue } from '../../json/same-value.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/** For JavaScript callers: null would be read as no arguments, a Map as an object without any. */
export const argumentsKind: OptionKind = {
  fits: (edited) => {
    const reading = readPlainValue(edited, deepest);
    // What is wrong further down is for the seam to say.
    return reading.kind === 'plain' ? isJsonObject(reading.value) : reading.path !== '';
  },
  instead: 'write an object of all arguments, or leave it out where they stay as they are',
};

const deepest = 256;

/** The interpretation of the edited arguments, with what was done to the call before. */
export function interpretEdit(
  { contract, interpretation: before }: AcceptedCall,
  edited: JsonObject,
): Interpretation {
  const meta = Object.entries(before.meta).map(([name, value]) => [canonicalKey(name), value] as const);
  const after = interpret(contract, { arguments: objectOf([...Object.entries(edited), ...meta]) });
  if (after.outcome === 'rejected') return after;
  const repairs = [...before.repairs, ...after.repairs];
  const notes = [...before.notes, ...after.notes, ...editNotes(before.value, after.value)];
  return { ...after, outcome: repairs.length === 0 ? 'unchanged' : 'repaired', repairs, notes };
}

/** Which arguments are others now; never their values. */
function editNotes(before: JsonObject, after: JsonObject): readonly Note[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isSame(before, after, key));
  if (changed.length === 0) return [];
  const text = `The application changed ${changed.map((key) => shownPath([key])).join(', ')} before the call ran.`;
  return [{ rule: 'edited', path: '', text }];
}

function isSame(before: JsonObject, after: JsonObject, key: string): boolean {
  const [left, right] = [before, after].map((value) => (Object.hasOwn(value, key) ? value[key] : undefined));
  return left === undefined || right === undefined ? left === right : sameValue(left, right);
}

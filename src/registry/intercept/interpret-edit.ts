// What does a call mean with other arguments than the model's? Judged by the same contract, and the model is told.
import { canonicalKey } from '../../contract/meta/meta-arguments.ts';
import { interpret } from '../../interpret/interpret.ts';
import type { Interpretation, Note } from '../../interpret/interpretation.ts';
import { shownPath } from '../../issues/shown-path.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { sameValue } from '../../json/same-value.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/** The interpretation of the edited arguments, with what was done to the call before. */
export function interpretEdit(
  { contract, interpretation: before }: AcceptedCall,
  edited: JsonObject,
): Interpretation {
  const meta = Object.entries(before.meta).map(([name, value]) => [canonicalKey(name), value] as const);
  const members = isObject(edited) ? objectOf([...Object.entries(edited), ...meta]) : edited;
  const after = interpret(contract, { arguments: members });
  if (after.outcome === 'rejected') return after;
  const repairs = [...before.repairs, ...after.repairs];
  const notes = [...before.notes, ...after.notes, ...editNotes(before.value, after.value)];
  return { ...after, outcome: repairs.length === 0 ? 'unchanged' : 'repaired', repairs, notes };
}

// JavaScript callers pass what no type allows; it is for the seam to say what is wrong with it.
const isObject = (edited: unknown): boolean =>
  typeof edited === 'object' && edited !== null && !Array.isArray(edited);

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

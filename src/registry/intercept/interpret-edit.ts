// What does a call mean with other arguments than the model's? Judged by the same contract, and the model is told.
import { canonicalKey } from '../../contract/meta/meta-arguments.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { interpret } from '../../interpret/interpret.ts';
import type { Interpretation, Note } from '../../interpret/interpretation.ts';
import { shownPath } from '../../issues/shown-path.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import { sameValue } from '../../json/same-value.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/**
 * The interpretation of the edited arguments, with what was done to the call before. Throws a DefinitionError for meta
 * arguments among them, which are the model's.
 */
export function interpretEdit(
  { contract, interpretation: before }: AcceptedCall,
  edited: JsonObject,
): Interpretation {
  refuseMeta(
    contract.meta.filter(({ key }) => Object.hasOwn(edited, key)).map(({ name }) => name),
    contract,
  );
  const meta = Object.entries(before.meta).map(([name, value]) => [canonicalKey(name), value] as const);
  const after = interpret(contract, { arguments: objectOf([...Object.entries(edited), ...meta]) });
  if (after.outcome === 'rejected') return after;
  refuseMeta(
    Object.keys(after.meta).filter((name) => !Object.hasOwn(before.meta, name)),
    contract,
  );
  const repairs = [...before.repairs, ...after.repairs];
  const notes = [...before.notes, ...after.notes, ...editNotes(before.value, after.value)];
  return { ...after, outcome: repairs.length === 0 ? 'unchanged' : 'repaired', repairs, notes };
}

function refuseMeta(names: readonly string[], { name: where }: AcceptedCall['contract']): void {
  if (names.length === 0) return;
  const what = `was given ${names.map(canonicalKey).join(', ')} among edited arguments`;
  const instead = 'leave it out: meta arguments stay as the model sent them';
  throw new DefinitionError([{ where, what, instead }]);
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

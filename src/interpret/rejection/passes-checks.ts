// Would an example pass what only the author's code can say? A model that copies one must not fail again.
import { declaredSchema } from '../../hints/failing-place.ts';
import { pointerTo, splitPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';

/** Whether the author's own checks say nothing against a value at a place, whatever stands around it. */
export function passesChecks(judge: Judge, path: string, value: JsonValue): boolean {
  if (judge.contract.check === undefined) return true;
  let around = value;
  let place = '';
  for (let at = path; at !== ''; at = splitPointer(at).parent) {
    const { parent, key } = splitPointer(at);
    const isElement = judge.views.of(declaredSchema(judge.views, parent)).types.has('array');
    around = isElement ? [around] : objectOf([[key, around]]);
    place = `${pointerTo('', isElement ? 0 : key)}${place}`;
  }
  return judge.checkFailures(around).every((failure) => !`${failure.path}/`.startsWith(`${place}/`));
}

// Where is a mistake, to a model that knows the arguments in a provider's form? With the keys that it was shown.
import type { LoweredSchema } from '../../dialects/lowering/lower-schema.ts';
import { placeIn } from '../../dialects/way-back/plan-place.ts';
import type { Plan } from '../../dialects/way-back/plan.ts';
import type { Issue } from '../../issues/issue.ts';
import { nearestName } from '../../issues/nearest-name.ts';
import { pointerTo, splitPointer } from '../../json/json-pointer.ts';
import { nearestAdvice, onceAdvice } from '../failures/unknown-key.ts';

export function issueAsShown(issue: Issue, { plan }: LoweredSchema): Issue {
  const { path, plan: ofObject } = placeIn(plan, issue.path);
  if (issue.key === undefined) return { ...issue, path };
  const { key } = splitPointer(placeIn(plan, pointerTo(issue.path, issue.key)).path);
  return { ...issue, path, key, ...adviceAsShown(issue.key, issue, ofObject) };
}

/** The key that is advised, as the model knows it. */
function adviceAsShown(key: string, { keyword, advice }: Issue, plan: Plan): Pick<Issue, 'advice'> {
  const isUnknown = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
  if (!isUnknown || plan.kind !== 'node') return {};
  for (const [name, { shown }] of plan.members)
    for (const adviceOf of [nearestAdvice, onceAdvice])
      if (advice === adviceOf(name)) return { advice: adviceOf(shown) };
  if (advice !== undefined) return {};
  const nearest = nearestName(
    key,
    [...plan.members.values()].map(({ shown }) => shown),
  );
  return nearest === undefined ? {} : { advice: nearestAdvice(nearest) };
}

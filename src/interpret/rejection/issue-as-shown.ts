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
  if (issue.key === undefined) return { ...issue, path, ...expectedAsShown(issue, ofObject) };
  const { path: below, plan: ofMember } = placeIn(plan, pointerTo(issue.path, issue.key));
  const { key } = splitPointer(below);
  return {
    ...issue,
    path,
    key,
    ...adviceAsShown(issue.key, issue, followed(ofObject)),
    ...expectedAsShown(issue, ofMember),
  };
}

/** Where a schema contains itself, the plan of what it leads to. */
const followed = (plan: Plan): Plan => (plan.kind === 'link' ? followed(plan.to()) : plan);

/** What was expected, where the model knows it in a form of its own. */
function expectedAsShown({ expected }: Issue, plan: Plan): Pick<Issue, 'expected'> {
  if (expected === undefined) return {};
  switch (followed(plan).kind) {
    case 'record':
      return { expected: `a list of { key, value }, each key once${orNull(expected)}` };
    case 'json-text':
      return { expected: `the JSON text of ${expected}` };
    default:
      return {};
  }
}

const orNull = (expected: string): string => (/\bor null\b/.test(expected) ? ', or null' : '');

/** Of a key that is unknown, or another one's spelling. */
const unknown: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'misspelt']);

/** The key that is advised, as the model knows it. */
function adviceAsShown(key: string, { keyword, advice }: Issue, plan: Plan): Pick<Issue, 'advice'> {
  if (!unknown.has(keyword) || plan.kind !== 'node') return {};
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

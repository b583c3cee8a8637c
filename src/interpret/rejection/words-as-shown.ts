// How does a rejection speak to a model that knows the arguments in a provider's form? With its keys, and where the form
// differs at the failing place, with the whole form.
import type { LoweredSchema } from '../../dialects/lowering/lower-schema.ts';
import { placeIn } from '../../dialects/way-back/plan-place.ts';
import { encodeArguments } from '../../dialects/way-back/way-back.ts';
import { failingPlace } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import type { Judge } from '../../validate/judge.ts';
import { issueAsShown } from './issue-as-shown.ts';
import { exampleAt, exampleOfAll, shortJson } from './shown-example.ts';
import { shapeAt, shapeOfAll } from './shown-shape.ts';

/** What a rejection shows, with the places as the model knows them. */
export interface RejectionWords {
  readonly issues: readonly Issue[];
  /** JSON Pointer of what shape and example are of. */
  readonly place: string;
  readonly shape: string;
  readonly example: string | undefined;
}

/** `shown`: absent, where the model knows the arguments as they are. */
export function rejectionWords(
  judge: Judge,
  issues: readonly Issue[],
  shown: LoweredSchema | undefined,
): RejectionWords {
  const place = failingPlace(judge.views, issues[0]?.path ?? '');
  const asItIs = { shape: shapeAt(judge, place, issues), example: exampleAt(judge, place, issues) };
  if (shown === undefined) return { issues, place: place.path, ...asItIs };
  const at = placeIn(shown.plan, place.path);
  const told = issues.map((issue) => issueAsShown(issue, shown));
  if (at.plan.kind === 'same') return { issues: told, place: at.path, ...asItIs };
  const example = exampleOfAll(judge, issues);
  return {
    issues: told,
    place: '',
    shape: shapeOfAll(shown.schema),
    example: example === undefined ? undefined : shortJson(encodeArguments(shown, example)),
  };
}

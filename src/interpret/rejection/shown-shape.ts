// Which shape should the arguments have? Shown in a rejection, with the meta arguments that have to be there.
import { SchemaViews } from '../../contract/schema-view.ts';
import { onceEach } from '../../dialects/once-each.ts';
import { shownSchema } from '../../dialects/shown-tool.ts';
import { shapeOf } from '../../hints/describe-schema.ts';
import type { FailingPlace } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import type { Judge } from '../../validate/judge.ts';

/** The shape of a place; of the arguments as a whole with their meta arguments, where these matter. */
export function shapeAt({ contract, views }: Judge, place: FailingPlace, issues: readonly Issue[]): string {
  const isAboutMeta =
    contract.meta.some(({ isRequired }) => isRequired) || issues.some(({ keyword }) => keyword === 'meta');
  if (place.path !== '' || !isAboutMeta) return shapeOf(views, place.schema);
  const shown = shownViewsOf(contract);
  return shapeOf(shown, shown.root);
}

/** The shape of a whole schema. */
export const shapeOfAll = onceEach((schema: SchemaViews['root']): string =>
  shapeOf(new SchemaViews(schema), schema),
);

const shownViewsOf = onceEach((contract: Judge['contract']) => new SchemaViews(shownSchema(contract)));

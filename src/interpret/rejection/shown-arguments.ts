// What does a rejection show of how the arguments should look? Their shape and an example, with the meta arguments that
// have to be there: a model that copies the example must not fail again.
import { SchemaViews } from '../../contract/schema-view.ts';
import { onceEach } from '../../dialects/once-each.ts';
import { shownSchema } from '../../dialects/shown-tool.ts';
import { shapeOf } from '../../hints/describe-schema.ts';
import { exampleValue } from '../../hints/example-value.ts';
import type { FailingPlace } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';

/** Characters of an example that are shown, at most. */
const longestExample = 400;

/** The shape of a place; of the arguments as a whole with their meta arguments, where these matter. */
export function shapeAt({ contract, views }: Judge, place: FailingPlace, issues: readonly Issue[]): string {
  const isAboutMeta =
    contract.meta.some(({ isRequired }) => isRequired) || issues.some(({ keyword }) => keyword === 'meta');
  if (place.path !== '' || !isAboutMeta) return shapeOf(views, place.schema);
  const shown = shownViewsOf(contract);
  return shapeOf(shown, shown.root);
}

/** JSON that would be accepted at a place; undefined where none can be made, or only a long one. */
export function exampleAt(judge: Judge, { schema, path }: FailingPlace): string | undefined {
  const example = exampleValue(judge.views, schema);
  if (example === undefined || !judge.acceptsPart(schema, example)) return undefined;
  return shortJson(path === '' && isJsonObject(example) ? withRequiredMeta(judge, example) : example);
}

/** Arguments that would be accepted, as a whole; undefined where none can be made. */
export function exampleOfAll(judge: Judge): JsonObject | undefined {
  const { views } = judge;
  const example = exampleValue(views, views.root);
  return isJsonObject(example) && judge.acceptsPart(views.root, example)
    ? withRequiredMeta(judge, example)
    : undefined;
}

/** undefined where it would be too long to be shown. */
export function shortJson(example: unknown): string | undefined {
  const json = JSON.stringify(example);
  return json.length <= longestExample ? json : undefined;
}

function withRequiredMeta({ contract, views }: Judge, example: JsonObject): JsonObject {
  const required = contract.meta.filter(({ isRequired }) => isRequired);
  if (required.length === 0) return example;
  const added = required.map(({ key, schema }) => [key, exampleValue(views, schema) ?? null] as const);
  return objectOf([...Object.entries(example), ...added]);
}

/** The shape of a whole schema. */
export const shapeOfAll = onceEach((schema: SchemaViews['root']): string =>
  shapeOf(new SchemaViews(schema), schema),
);

const shownViewsOf = onceEach((contract: Judge['contract']) => new SchemaViews(shownSchema(contract)));

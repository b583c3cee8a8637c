// What does a rejection show of how the arguments should look? Their shape and an example, with the meta arguments that
// have to be there: a model that copies the example must not fail again.
import { SchemaViews } from '../../contract/schema-view.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { shownSchema } from '../../dialects/shown-tool.ts';
import { shapeOf } from '../../hints/describe-schema.ts';
import { exampleValue } from '../../hints/example-value.ts';
import type { FailingPlace } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
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
  const json = JSON.stringify(path === '' ? withRequiredMeta(judge, example) : example);
  return json.length <= longestExample ? json : undefined;
}

function withRequiredMeta({ contract, views }: Judge, example: JsonValue): JsonValue {
  const required = contract.meta.filter(({ isRequired }) => isRequired);
  if (required.length === 0 || !isJsonObject(example)) return example;
  const added = required.map(({ key, schema }) => [key, exampleValue(views, schema) ?? null] as const);
  return objectOf([...Object.entries(example), ...added]);
}

const shownViews = new WeakMap<ToolContract, SchemaViews>();

function shownViewsOf(contract: ToolContract): SchemaViews {
  const views = shownViews.get(contract) ?? new SchemaViews(shownSchema(contract));
  shownViews.set(contract, views);
  return views;
}

// Which example does a rejection show? One that would be accepted, with the meta arguments that have to be there: a model
// that copies it must not fail again.
import { exampleValue } from '../../hints/example-value.ts';
import type { FailingPlace } from '../../hints/failing-place.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import { passesChecks } from './passes-checks.ts';

/** Characters of an example that are shown, at most. */
const longestExample = 400;

/** JSON that would be accepted at a place; undefined where none can be made, or only a long one. */
export function exampleAt(judge: Judge, { schema, path }: FailingPlace): string | undefined {
  const example = exampleValue(judge.views, schema);
  if (example === undefined || !judge.acceptsPart(schema, example)) return undefined;
  if (!passesChecks(judge, path, example)) return undefined;
  return shortJson(path === '' && isJsonObject(example) ? withRequiredMeta(judge, example) : example);
}

/** Arguments that would be accepted, as a whole; undefined where none can be made. */
export function exampleOfAll(judge: Judge): JsonObject | undefined {
  const { views } = judge;
  const example = exampleValue(views, views.root);
  return isJsonObject(example) && judge.acceptsPart(views.root, example) && passesChecks(judge, '', example)
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

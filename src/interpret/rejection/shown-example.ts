// Which example does a rejection show? One that would be accepted, with the meta arguments that have to be there: a model
// that copies it must not fail again.
import { exampleValue, type WantedPlace } from '../../hints/example-value.ts';
import type { FailingPlace } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import { pointerKeys, pointerTo } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import { passesChecks } from './passes-checks.ts';

/** Characters of an example that are shown, at most. */
const longestExample = 400;

/**
 * JSON that would be accepted at a place, with what is wrong there in it, if that can be; undefined where none can be made, or
 * only a long one.
 */
export function exampleAt(
  judge: Judge,
  { schema, path }: FailingPlace,
  issues: readonly Issue[],
): string | undefined {
  for (const wanted of wantedAt(judge, { schema, path }, issues)) {
    const example = exampleValue(judge.views, schema, wanted);
    if (example === undefined || !judge.acceptsPart(schema, example)) continue;
    if (!passesChecks(judge, path, example)) continue;
    const shown = shortJson(
      path === '' && isJsonObject(example) ? withRequiredMeta(judge, example) : example,
    );
    if (shown !== undefined) return shown;
  }
  return undefined;
}

/** What is tried: with what is wrong, with what is required alone, with all that is declared. */
function wantedAt(
  { views }: Judge,
  { schema, path }: FailingPlace,
  issues: readonly Issue[],
): readonly (readonly WantedPlace[])[] {
  const all = [...views.of(schema).properties.keys()].map((key) => [key]);
  return [wantedBelow(path, issues), [], all];
}

/** Mistakes that are shown right in one example, at most. */
const mostWanted = 8;

function wantedBelow(path: string, issues: readonly Issue[]): readonly WantedPlace[] {
  const depth = pointerKeys(path).length;
  return issues
    .map((issue) => (issue.key === undefined ? issue.path : pointerTo(issue.path, issue.key)))
    .filter((place) => place.startsWith(`${path}/`))
    .slice(0, mostWanted)
    .map((place) => pointerKeys(place).slice(depth));
}

/** Arguments that would be accepted, as a whole; undefined where none can be made. */
export function exampleOfAll(judge: Judge, issues: readonly Issue[]): JsonObject | undefined {
  const { views } = judge;
  for (const wanted of wantedAt(judge, { schema: views.root, path: '' }, issues)) {
    const example = exampleValue(views, views.root, wanted);
    if (!isJsonObject(example) || !judge.acceptsPart(views.root, example)) continue;
    if (passesChecks(judge, '', example)) return withRequiredMeta(judge, example);
  }
  return undefined;
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

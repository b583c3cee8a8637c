// How is a call rejected so that the model gets it right the next time? With the issues, the shape there, and an example.
import { maskSecrets } from '../contract/secret-places.ts';
import { shapeOf } from '../hints/describe-schema.ts';
import { exampleValue } from '../hints/example-value.ts';
import type { Issue } from '../issues/issue.ts';
import { rejectionMessage } from '../issues/rejection-message.ts';
import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Judge } from '../validate/judge.ts';
import type { MetaValues, Rejected } from './interpretation.ts';

/** Characters of an example that are shown, at most. */
const longestJson = 400;
/** Characters of a call that the model is to confirm: all of it, or nothing. */
const longestCall = 1200;

/** `wouldBe`: the call that repair would have made, for the model to confirm. */
export function reject(
  judge: Judge,
  meta: MetaValues,
  issues: readonly Issue[],
  wouldBe?: JsonObject,
): Rejected {
  const place = failingPlace(judge, issues[0]?.path ?? '');
  const example = acceptedExample(judge, place.schema);
  const confirm = wouldBe === undefined ? undefined : shownCall(judge, wouldBe);
  const message = rejectionMessage({
    tool: judge.contract.name,
    issues,
    ...(place.path === '' ? {} : { place: place.path }),
    shape: shapeOf(judge.views, place.schema),
    ...(example === undefined ? {} : { example }),
    ...(confirm === undefined ? {} : { wouldBe: confirm }),
  });
  return { outcome: 'rejected', meta, repairs: [], notes: [], issues, message };
}

interface FailingPlace {
  readonly schema: JsonSchema;
  readonly path: string;
}

/** The innermost declared object around a path; the root where there is none. */
function failingPlace({ views }: Judge, path: string): FailingPlace {
  let schema: JsonSchema = views.root;
  let at = '';
  let place: FailingPlace = { schema, path: at };
  for (const key of pointerKeys(path)) {
    const view = views.of(schema);
    const isElement = /^\d+$/.test(key) && view.types.has('array') && typeof view.items !== 'boolean';
    schema = view.properties.get(key) ?? (isElement ? view.items : true);
    if (typeof schema === 'boolean') break;
    at = pointerTo(at, key);
    if (views.of(schema).properties.size > 0) place = { schema, path: at };
  }
  return place;
}

function acceptedExample(judge: Judge, schema: JsonSchema): string | undefined {
  const example = exampleValue(judge.views, schema);
  if (example === undefined || !judge.acceptsPart(schema, example)) return undefined;
  const json = JSON.stringify(example);
  return json.length <= longestJson ? json : undefined;
}

/** Secrets are described: the model has them and puts them in again. */
function shownCall({ views }: Judge, value: JsonObject): string | undefined {
  const json = JSON.stringify(maskSecrets(views, views.root, value));
  return json.length <= longestCall ? json : undefined;
}

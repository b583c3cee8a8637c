// How is a call rejected so that the model gets it right the next time? With the issues, the shape there, and an example.
import { maskSecrets } from '../../contract/secret-places.ts';
import { failingPlace } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import { rejectionMessage } from '../../issues/rejection-message.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import type { MetaValues, Rejected } from '../interpretation.ts';
import { exampleAt, shapeAt } from './shown-arguments.ts';

/** Characters of a call that the model is to confirm: all of it, or nothing. */
const longestCall = 1200;

/** `wouldBe`: the call that repair would have made, for the model to confirm. */
export function reject(
  judge: Judge,
  meta: MetaValues,
  issues: readonly Issue[],
  wouldBe?: JsonObject,
): Rejected {
  const place = failingPlace(judge.views, issues[0]?.path ?? '');
  const example = exampleAt(judge, place);
  const confirm = wouldBe === undefined ? undefined : shownCall(judge, withMeta(judge, meta, wouldBe));
  const message = rejectionMessage({
    tool: judge.contract.name,
    issues,
    ...(place.path === '' ? {} : { place: place.path }),
    shape: shapeAt(judge, place, issues),
    ...(example === undefined ? {} : { example }),
    ...(confirm === undefined ? {} : { wouldBe: confirm }),
  });
  return { outcome: 'rejected', meta, repairs: [], notes: [], issues, message };
}

/** Secrets are described: the model has them and puts them in again. */
function shownCall({ views }: Judge, value: JsonObject): string | undefined {
  const json = JSON.stringify(maskSecrets(views, views.root, value));
  return json.length <= longestCall ? json : undefined;
}

/** The call as the model has to send it, with the meta arguments that were taken out. */
const withMeta = ({ contract }: Judge, meta: MetaValues, value: JsonObject): JsonObject =>
  objectOf([
    ...Object.entries(value),
    ...contract.meta.flatMap(({ key, name }) => {
      const sent = ownValue(meta, name);
      return sent === undefined ? [] : [[key, sent] as const];
    }),
  ]);

// Which call is the model to send if it means what repair would have made of the one it sent?
import { maskSecrets } from '../../contract/secret-places.ts';
import { encodeArguments, type WayBack } from '../../dialects/way-back/way-back.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import type { MetaValues } from '../interpretation.ts';

/** Characters of the call: all of it, or nothing. */
const longestCall = 1200;

interface CallToConfirm {
  readonly meta: MetaValues;
  readonly wouldBe: JsonObject;
  /** The form in which the model knows the arguments. */
  readonly shown: WayBack | undefined;
}

/** JSON, with the meta arguments that were taken out. Secrets are described: the model has them and puts them in again. */
export function callToConfirm(
  judge: Judge,
  { meta, wouldBe, shown }: CallToConfirm,
): { readonly json: string; readonly secrets: 'none' | 'described' } | undefined {
  const { views } = judge;
  const masked = maskSecrets(views, views.root, wouldBe);
  const whole = isJsonObject(masked) ? withMeta(judge, meta, masked) : {};
  const json = JSON.stringify(shown === undefined ? whole : encodeArguments(shown, whole));
  if (json.length > longestCall) return undefined;
  return { json, secrets: masked === wouldBe ? 'none' : 'described' };
}

const withMeta = ({ contract, views }: Judge, meta: MetaValues, value: JsonObject): JsonObject =>
  objectOf([
    ...Object.entries(value),
    ...contract.meta.flatMap(({ key, name, schema }) => {
      const sent = ownValue(meta, name);
      return sent === undefined ? [] : [[key, maskSecrets(views, schema, sent)] as const];
    }),
  ]);

// Which call is the model to send if it means what repair would have made of the one it sent?
import { maskSecrets } from '../../contract/secret-places.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { objectOf, ownValue } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import type { MetaValues } from '../interpretation.ts';

/** Characters of the call: all of it, or nothing. */
const longestCall = 1200;

/** JSON, with the meta arguments that were taken out. Secrets are described: the model has them and puts them in again. */
export function callToConfirm(
  judge: Judge,
  meta: MetaValues,
  value: JsonObject,
): { readonly json: string; readonly secrets: 'none' | 'described' } | undefined {
  const { views } = judge;
  const shown = maskSecrets(views, views.root, value);
  const json = JSON.stringify(isJsonObject(shown) ? withMeta(judge, meta, shown) : shown);
  if (json.length > longestCall) return undefined;
  return { json, secrets: shown === value ? 'none' : 'described' };
}

const withMeta = ({ contract, views }: Judge, meta: MetaValues, value: JsonObject): JsonObject =>
  objectOf([
    ...Object.entries(value),
    ...contract.meta.flatMap(({ key, name, schema }) => {
      const sent = ownValue(meta, name);
      return sent === undefined ? [] : [[key, maskSecrets(views, schema, sent)] as const];
    }),
  ]);

// What is wrong with a list or an object that fits no branch of a union, where it can only be meant for one? Told as for a
// schema without a union: which key is missing, which element is wrong.
import { memberSchema, type SchemaView } from '../../contract/schema-view.ts';
import { pointerTo, valueAt } from '../../json/json-pointer.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import {
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import { sameValue } from '../../json/same-value.ts';
import type { Judge } from '../../validate/judge.ts';
import type { FailedPlace } from './failed-place.ts';

/** Failures of one place that are told, at most. */
const mostFailures = 64;

/** A value, where it stands, and what it was judged by. */
interface Judged {
  readonly value: JsonValue;
  readonly path: string;
  readonly schema: JsonSchema;
}

/** A union's failure is what is wrong in its branch, where only one can be meant. `value`: the arguments as a whole. */
export function failuresTold(judge: Judge, failure: FailedPlace, value: JsonValue): readonly FailedPlace[] {
  const { keyword, path, schema } = failure;
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return [failure];
  return failuresInBranch(judge, { value: valueAt(value, path) ?? null, path, schema }) ?? [failure];
}

/** The failures in the one branch that is meant; undefined where it isn't certain which one is. */
function failuresInBranch(judge: Judge, judged: Judged): readonly FailedPlace[] | undefined {
  if (!isJsonArray(judged.value) && !isJsonObject(judged.value)) return undefined;
  const branch = meantBranch(judge, judged);
  if (branch === undefined) return undefined;
  return failuresIn(judge, { ...judged, schema: branch }).slice(0, mostFailures);
}

/** The only branch for values of that type, or the only one whose constants are those that came. */
function meantBranch({ views }: Judge, { value, schema }: Judged): JsonSchema | undefined {
  const type = jsonTypeOf(value);
  const branches = views.of(schema).branches.filter((branch) => views.of(branch).types.has(type));
  const meant =
    branches.length < 2 || !isJsonObject(value)
      ? branches
      : branches.filter((branch) => hasConstants(views.of(branch), value, (at) => views.of(at).members));
  const [only, ...others] = meant;
  return others.length === 0 ? only : undefined;
}

/** One of its constants came at least, and no other value came for any. */
function hasConstants(
  { properties }: SchemaView,
  value: JsonObject,
  membersOf: (schema: JsonSchema) => readonly JsonValue[] | undefined,
): boolean {
  const sent = [...properties].flatMap(([key, schema]) => {
    const members = membersOf(schema);
    const member = ownValue(value, key);
    return members === undefined || member === undefined ? [] : [{ members, member }];
  });
  return sent.length > 0 && sent.every(({ members, member }) => members.some((at) => sameValue(at, member)));
}

function failuresIn(judge: Judge, judged: Judged): readonly FailedPlace[] {
  const { value, path, schema } = judged;
  if (judge.acceptsPart(schema, value)) return [];
  const view = judge.views.of(schema);
  if (view.branches.length > 0)
    return failuresInBranch(judge, judged) ?? [{ keyword: 'anyOf', path, schema }];
  if (!view.types.has(jsonTypeOf(value))) return [{ keyword: 'type', path, schema }];
  if (view.members !== undefined) return [{ keyword: 'enum', path, schema }];
  const inside = isJsonObject(value)
    ? failuresOfObject(judge, judged, value)
    : isJsonArray(value)
      ? value.flatMap((element, at) =>
          failuresIn(judge, {
            value: element,
            path: pointerTo(path, at),
            schema: view.prefixItems[at] ?? view.items,
          }),
        )
      : [];
  // What else fails is said of the place as a whole.
  return inside.length > 0 ? inside : [{ keyword: 'anyOf', path, schema }];
}

function failuresOfObject(judge: Judge, { path, schema }: Judged, value: JsonObject): readonly FailedPlace[] {
  const view = judge.views.of(schema);
  const missing = [...view.required].filter((key) => !Object.hasOwn(value, key));
  const members = Object.entries(value).flatMap(([key, member]): readonly FailedPlace[] => {
    const below = memberSchema(view, key);
    if (below === false) return [{ keyword: 'additionalProperties', path, key, schema }];
    return failuresIn(judge, { value: member, path: pointerTo(path, key), schema: below });
  });
  return [...missing.map((key) => ({ keyword: 'required', path, key, schema })), ...members];
}

// What of a schema holds on its own, what on a condition, and what only after everything beside it was looked at?
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { objectOf } from '../../json/own-key.ts';
import { conditionalKeywords } from './conditions.ts';

export interface SplitSchema {
  /** Holds for every value. */
  readonly unconditional: SchemaObject;
  /** What stands under the keywords of conditions; a schema for each part that has some. */
  readonly conditional: readonly SchemaObject[];
  /** `unevaluatedProperties` and `unevaluatedItems`: about what nothing that holds together speaks of. */
  readonly leftovers: SchemaObject;
}

const conditional: ReadonlySet<string> = new Set(conditionalKeywords);
const unevaluated: ReadonlySet<string> = new Set(['unevaluatedItems', 'unevaluatedProperties']);

/** `merged`: all parts as one; each part may have conditions of its own. */
export const splitSchema = (merged: SchemaObject, parts: readonly SchemaObject[]): SplitSchema => ({
  unconditional: keeping(merged, (keyword) => !conditional.has(keyword) && !unevaluated.has(keyword)),
  conditional: parts
    .map((part) => keeping(part, (keyword) => conditional.has(keyword)))
    .filter((part) => !isEmpty(part)),
  leftovers: keeping(merged, (keyword) => unevaluated.has(keyword)),
});

/** One schema that says what `others` say beside what holds for every value; the only one itself, if nothing else holds. */
export function joinedWith(
  { unconditional, leftovers }: Pick<SplitSchema, 'unconditional' | 'leftovers'>,
  others: readonly JsonSchema[],
): JsonSchema {
  const joined = isEmpty(unconditional) && others.length > 0 ? others : [unconditional, ...others];
  const [only] = joined;
  return only !== undefined && joined.length === 1 && isEmpty(leftovers)
    ? only
    : { ...leftovers, allOf: joined };
}

const keeping = (schema: SchemaObject, isKept: (keyword: string) => boolean): SchemaObject =>
  objectOf(Object.entries(schema).filter(([keyword]) => isKept(keyword)));

const isEmpty = (schema: SchemaObject): boolean => Object.keys(schema).length === 0;

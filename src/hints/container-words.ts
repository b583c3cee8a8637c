// How is it said that an argument is a list or an object, so that no model sends it as text?
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import { mergeSchemas } from '../contract/merge-schemas.ts';
import type { JsonType } from '../json/json-value.ts';
import type { HintedPlace } from './hinted-places.ts';

/** In the singular and in the plural, with the article: "a JSON list of strings, at most 20". */
export interface ContainerWords {
  readonly one: string;
  readonly several: string;
}

/** undefined for a place where something else may stand too. */
export function containerWords(
  { view, schema }: HintedPlace,
  views: SchemaViews,
): ContainerWords | undefined {
  if (view.branches.length > 0 || view.members !== undefined) return undefined;
  const kind = onlyType(view);
  if (kind === 'object') return { one: 'a JSON object', several: 'JSON objects' };
  if (kind !== 'array') return undefined;
  const elements = elementWords.get(onlyType(views.of(view.items)) ?? 'null');
  const of = elements === undefined || view.prefixItems.length > 0 ? '' : ` of ${elements}`;
  const bounds = typeof schema === 'object' ? boundWords(mergeSchemas(schema, views.root)) : '';
  return { one: `a JSON list${of}${bounds}`, several: `JSON lists${of}${bounds}` };
}

const elementWords: ReadonlyMap<JsonType, string> = new Map([
  ['string', 'strings'],
  ['number', 'numbers'],
  ['integer', 'integers'],
  ['boolean', 'booleans'],
  ['object', 'objects'],
  ['array', 'lists'],
]);

/** Null may stand beside it; a number's integers are numbers. */
function onlyType({ types, branches }: SchemaView): JsonType | undefined {
  if (branches.length > 0) return undefined;
  const others = [...types].filter((type) => type !== 'null' && !(type === 'integer' && types.has('number')));
  return others.length === 1 ? others[0] : undefined;
}

function boundWords({ minItems, maxItems }: { readonly [keyword: string]: unknown }): string {
  const least = typeof minItems === 'number' && minItems > 0 ? minItems : undefined;
  if (typeof maxItems !== 'number') return least === undefined ? '' : `, at least ${least}`;
  if (least === undefined) return `, at most ${maxItems}`;
  return least === maxItems ? `, exactly ${least}` : `, ${least} to ${maxItems}`;
}

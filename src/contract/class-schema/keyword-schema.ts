// How do the keywords of several constraints stand in one schema? A keyword that is taken goes on beside it.
import type { SchemaObject } from '../../json/json-schema.ts';

/** The schema with further keywords: what it can't hold twice stands in `allOf`. */
export function withKeywords(schema: SchemaObject, keywords: SchemaObject): SchemaObject {
  const taken = Object.keys(keywords).filter((keyword) => isTaken(schema, keywords, keyword));
  if (taken.length === 0) return { ...schema, ...keywords };
  const entries = Object.entries(keywords);
  const free = Object.fromEntries(entries.filter(([keyword]) => !taken.includes(keyword)));
  const second = Object.fromEntries(entries.filter(([keyword]) => taken.includes(keyword)));
  return { ...schema, ...free, allOf: [...(schema.allOf ?? []), ...branchesOf(second)] };
}

const isTaken = (schema: SchemaObject, keywords: SchemaObject, keyword: string): boolean =>
  Object.hasOwn(schema, keyword) && JSON.stringify(schema[keyword]) !== JSON.stringify(keywords[keyword]);

function branchesOf({ allOf, ...keywords }: SchemaObject): readonly SchemaObject[] {
  const branches = (allOf ?? []).filter((branch) => typeof branch === 'object');
  return Object.keys(keywords).length === 0 ? branches : [keywords, ...branches];
}

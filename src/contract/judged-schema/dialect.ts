// Which JSON Schema is a schema written in? Said by `$schema`; where nothing is said, the newest.
import type { SchemaObject } from '../../json/json-schema.ts';

/** `old`: up to draft-07, where nothing beside a `$ref` counts. */
export type Dialect = 'draft-04' | 'old' | '2019-09' | '2020-12';

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-04/schema', 'draft-04'],
  ['json-schema.org/draft-06/schema', 'old'],
  ['json-schema.org/draft-07/schema', 'old'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/schema', '2020-12'],
]);

/** The dialect; undefined for one that is not known. */
export function dialectOf({ $schema }: SchemaObject): Dialect | undefined {
  if ($schema === undefined) return '2020-12';
  // Foreign schemas say anything.
  if (typeof $schema !== 'string') return undefined;
  return dialects.get($schema.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** Whether what stands beside a `$ref` is to be ignored. */
export const ignoresSiblings = (dialect: Dialect): boolean => dialect === 'draft-04' || dialect === 'old';

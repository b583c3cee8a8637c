// How is a whole schema shown in few characters? As JSON, with as much of what is said about it as there is room for.
import type { SchemaObject } from '../json/json-schema.ts';
import { mapSubschemas } from '../json/map-subschemas.ts';

/** Characters of a description that is shortened. */
const longestDescription = 60;

/** JSON text of a schema, and what was left out of it; never half of a schema. */
export interface CompactSchema {
  readonly text: string;
  readonly leftOut: 'nothing' | 'long descriptions' | 'descriptions';
}

/**
 * The schema as it is; if that is too long, without titles and examples and with short descriptions; if that is too long,
 * without descriptions. undefined if even that is too long: then its shape says more than a piece of it.
 */
export function compactSchema(schema: SchemaObject, longest: number): CompactSchema | undefined {
  const forms: readonly CompactSchema[] = [
    { text: JSON.stringify(schema), leftOut: 'nothing' },
    { text: JSON.stringify(withDescriptions(schema, longestDescription)), leftOut: 'long descriptions' },
    { text: JSON.stringify(withDescriptions(schema, 0)), leftOut: 'descriptions' },
  ];
  return forms.find(({ text }) => text.length <= longest);
}

const told: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'examples',
  'example',
  'deprecated',
  'markdownDescription',
]);

/** Only keywords are left out: a property of such a name is data. */
function withDescriptions(schema: SchemaObject, longest: number): SchemaObject {
  const kept = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (told.has(keyword)) return [];
    if (keyword !== 'description' || typeof value !== 'string') return [[keyword, value]];
    return longest === 0 ? [] : [[keyword, shortened(value, longest)]];
  });
  return mapSubschemas(Object.fromEntries(kept), (below) => withDescriptions(below, longest));
}

const shortened = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;

import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';

/** Characters of a description that is shortened. */
const longestDescription = 60;

/** JSON text of a schema, and what was left out of it to save room. */
export interface CompactSchema {
  readonly text: string;
  readonly leftOut: 'nothing' | 'long descriptions' | 'descriptions';
}

/**
 * The whole schema in at most `longest` characters: as it is, else without titles and examples and with short
 * descriptions, else without descriptions. undefined if even that is too long.
 */
export function compactSchema(schema: SchemaObject, longest: number): CompactSchema | undefined {
  const forms: readonly CompactSchema[] = [
    { text: JSON.stringify(schema), leftOut: 'nothing' },
    { text: JSON.stringify(withDescriptions(schema, longestDescription)), leftOut: 'long descriptions' },
    { text: JSON.stringify(withDescriptions(schema, 0)), leftOut: 'descriptions' },
  ];
  return forms.find(({ text }) => text.length <= longest);
}

const dispensable: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'examples',
  'example',
  'deprecated',
  'markdownDescription',
]);

/** Leaves out keywords only: a property of such a name is data. */
function withDescriptions(schema: SchemaObject, longest: number): SchemaObject {
  const kept = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (dispensable.has(keyword)) return [];
    if (keyword !== 'description' || typeof value !== 'string') return [[keyword, value]];
    return longest === 0 ? [] : [[keyword, shortened(value, longest)]];
  });
  return mapSubschemas(Object.fromEntries(kept), (below) => withDescriptions(below, longest));
}

const shortened = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;

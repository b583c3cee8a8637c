// What does a contract mean that no keyword of a schema shows? Paths, text that is taken as it stands, and pairs:
// our annotations are taken out of what models see, so they are said in words.
import { SchemaViews } from '../contract/schema-view.ts';
import type { JsonSchema, Relation, SchemaObject } from '../json/json-schema.ts';

/** Places of one kind that are named, at most; a longer list would bury the rest. */
const mostNames = 8;

/** Schemas that refer to each other have no end of places. */
const mostPlaces = 1_000;

/** One sentence for each kind of thing there is to say; none for a schema without annotations. */
export function contractHints(root: SchemaObject): readonly string[] {
  const found: Found = { paths: new Set(), verbatim: new Set(), relations: [], looked: 0 };
  collect(root, '', { views: new SchemaViews(root), found, around: new Set(['#']) });
  return [
    ...sentence(found.paths, 'is a file system path, not a link', 'are file system paths, not links'),
    ...sentence(found.verbatim, 'is taken as it stands', 'are taken as they stand').map(
      (line) => `${line}: plain text, no code fence around it, nothing escaped twice.`,
    ),
    ...found.relations.flatMap(relationSentences),
  ].map((line) => (line.endsWith('.') ? line : `${line}.`));
}

interface Found {
  readonly paths: Set<string>;
  readonly verbatim: Set<string>;
  readonly relations: Relation[];
  /** How many places have been looked at. */
  looked: number;
}

interface Walk {
  readonly views: SchemaViews;
  readonly found: Found;
  /** The references on the way here: a schema that contains itself has been told of already. */
  readonly around: ReadonlySet<string>;
}

function collect(schema: JsonSchema, name: string, walk: Walk): void {
  const reference = typeof schema === 'object' ? schema.$ref : undefined;
  const isKnown = reference !== undefined && walk.around.has(reference);
  if (isKnown || walk.found.looked >= mostPlaces) return;
  walk.found.looked += 1;
  const below = reference === undefined ? walk : { ...walk, around: new Set([...walk.around, reference]) };
  const view = walk.views.of(schema);
  if (view.semantic === 'path') walk.found.paths.add(name);
  if (view.isVerbatim) walk.found.verbatim.add(name);
  walk.found.relations.push(...view.relational);
  for (const [key, property] of view.properties)
    collect(property, name === '' ? key : `${name}.${key}`, below);
  for (const branch of view.branches) collect(branch, name, below);
  for (const part of [...view.prefixItems, view.items, view.additionalProperties]) {
    if (typeof part === 'object') collect(part, `${name}[]`, below);
  }
}

function sentence(names: ReadonlySet<string>, one: string, several: string): readonly string[] {
  const named = [...names].filter((name) => name !== '').map((name) => name.replace(/(?:\[\])+$/, ''));
  const shown = [...new Set(named)].slice(0, mostNames);
  if (shown.length === 0) return [];
  const isOne = shown.length === 1 && names.has(shown[0] ?? '');
  return [`${shown.join(', ')} ${isOne ? one : several}`];
}

/** "limit without offset: offset is 0." */
const relationSentences = ({ requires, defaults }: Relation): readonly string[] =>
  requires.flatMap((absent) => {
    const others = requires.filter((name) => name !== absent);
    if (others.length === 0 || !Object.hasOwn(defaults, absent)) return [];
    return [`${others.join(' or ')} without ${absent}: ${absent} is ${JSON.stringify(defaults[absent])}.`];
  });

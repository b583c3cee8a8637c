// Which places of a schema is there something to say of? Every declared one, the outer ones first.
import { SchemaViews, type SchemaView } from '../contract/schema-view.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';

/** A declared place, by the name that a model reads: `edits[].find`. */
export interface HintedPlace {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly view: SchemaView;
  /** It is, or is in, one branch of a union: another branch may say something else of the same name. */
  readonly isInBranch: boolean;
}

/** Schemas that refer to each other have no end of places. */
const mostPlaces = 1_000;

/** `hints: 'off'` under `x-toolmend` leaves a place out, with all that is below it. The root is the first one. */
export function hintedPlaces(root: SchemaObject): readonly HintedPlace[] {
  const walk: Walk = { views: new SchemaViews(root), found: [] };
  collect({ schema: root, name: '', isInBranch: false }, new Set(['#']), walk);
  return walk.found.toSorted((left, right) => depthOf(left) - depthOf(right));
}

interface Walk {
  readonly views: SchemaViews;
  readonly found: HintedPlace[];
}

/** `around`: the references on the way here; a schema that contains itself has been told of already. */
function collect(place: Omit<HintedPlace, 'view'>, around: ReadonlySet<string>, walk: Walk): void {
  const { schema, name, isInBranch } = place;
  const reference = typeof schema === 'object' ? schema.$ref : undefined;
  const isKnown = reference !== undefined && around.has(reference);
  if (isKnown || isOff(schema) || walk.found.length >= mostPlaces) return;
  const view = walk.views.of(schema);
  walk.found.push({ ...place, view });
  const inside = reference === undefined ? around : new Set([...around, reference]);
  for (const [key, property] of view.properties)
    collect({ schema: property, name: name === '' ? key : `${name}.${key}`, isInBranch }, inside, walk);
  for (const branch of view.branches) collect({ schema: branch, name, isInBranch: true }, inside, walk);
  for (const part of [...view.prefixItems, view.items, view.additionalProperties]) {
    if (typeof part === 'object') collect({ schema: part, name: `${name}[]`, isInBranch }, inside, walk);
  }
}

/** Said of the place itself, whatever it refers to. */
export const isOff = (schema: JsonSchema): boolean =>
  typeof schema === 'object' && schema['x-toolmend']?.hints === 'off';

const depthOf = ({ name }: HintedPlace): number => name.split(/\.|\[\]/).length;

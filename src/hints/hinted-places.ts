// Which places of a schema is there something to say of? Every declared one, the outer ones first.
import { SchemaViews, type SchemaView } from '../contract/schema-view.ts';
import { pointerTo, splitPointer } from '../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';

/** A declared place, by the name that a model reads: `edits[].find`. */
export interface HintedPlace {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly view: SchemaView;
  /** It is, or is in, one branch of a union: another branch may say something else of the same name. */
  readonly isInBranch: boolean;
  /** JSON Pointer of such a place in arguments; any element is the first one. */
  readonly pointer: string;
  /** A model knows what stands there in another form than the schema has. */
  readonly isOtherForm: boolean;
}

/** How a model knows a place of the arguments, by its JSON Pointer. */
export type KnownPlace = (pointer: string) => {
  readonly key: string;
  /** What stands there is shown in another form. */
  readonly isOtherForm: boolean;
};

const asItIs: KnownPlace = (pointer) => ({ key: splitPointer(pointer).key, isOtherForm: false });

/** Schemas that refer to each other have no end of places. */
const mostPlaces = 1_000;

/** `hints: 'off'` under `x-toolmend` leaves a place out, with all that is below it. The root is the first one. */
export function hintedPlaces(root: SchemaObject, known: KnownPlace = asItIs): readonly HintedPlace[] {
  const walk: Walk = { views: new SchemaViews(root), found: [], known };
  const place = { schema: root, name: '', pointer: '', isInBranch: false, isOtherForm: false };
  collect(place, new Set(['#']), walk);
  return walk.found.toSorted((left, right) => depthOf(left) - depthOf(right));
}

interface Walk {
  readonly views: SchemaViews;
  readonly found: HintedPlace[];
  readonly known: KnownPlace;
}

/** `around`: the references on the way here; a schema that contains itself has been told of already. */
function collect(place: Omit<HintedPlace, 'view'>, around: ReadonlySet<string>, walk: Walk): void {
  const { schema, name, pointer: at, isInBranch } = place;
  const reference = typeof schema === 'object' ? schema.$ref : undefined;
  const isKnown = reference !== undefined && around.has(reference);
  if (isKnown || isOff(schema) || walk.found.length >= mostPlaces) return;
  const view = walk.views.of(schema);
  walk.found.push({ ...place, view });
  const inside = reference === undefined ? around : new Set([...around, reference]);
  for (const [own, property] of view.properties) {
    const pointer = pointerTo(at, own);
    const { key, isOtherForm } = walk.known(pointer);
    const below = { pointer, name: name === '' ? key : `${name}.${key}`, isInBranch, isOtherForm };
    collect({ ...below, schema: property }, inside, walk);
  }
  for (const branch of view.branches) collect({ ...place, schema: branch, isInBranch: true }, inside, walk);
  for (const part of [...view.prefixItems, view.items, view.additionalProperties]) {
    if (typeof part !== 'object') continue;
    const pointer = pointerTo(at, 0);
    const { isOtherForm } = walk.known(pointer);
    collect({ schema: part, pointer, name: `${name}[]`, isInBranch, isOtherForm }, inside, walk);
  }
}

/** Said of the place itself, whatever it refers to. */
export const isOff = (schema: JsonSchema): boolean =>
  typeof schema === 'object' && schema['x-toolmend']?.hints === 'off';

const depthOf = ({ name }: HintedPlace): number => name.split(/\.|\[\]/).length;

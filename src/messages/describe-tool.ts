import { type OptionKinds, count } from '../errors/check-options.ts';
import { pointerTo, splitPointer } from '../json/json-pointer.ts';
import type { JsonSchema, Relation, SchemaObject } from '../schema/json-schema.ts';
import { type SchemaView, SchemaViews } from '../schema/schema-view.ts';
import { validatedSchemaOf } from '../schema/validated-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { containerWords } from './describe-schema.ts';

// Every declared one, the outer ones first.
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
function hintedPlaces(root: SchemaObject, known: KnownPlace = asItIs): readonly HintedPlace[] {
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
const isOff = (schema: JsonSchema): boolean =>
  typeof schema === 'object' && schema['x-toolmend']?.hints === 'off';

const depthOf = ({ name }: HintedPlace): number => name.split(/\.|\[\]/).length;

/** "Give offset and limit together; offset left out is 0." One sentence for the relations of the same arguments. */
function pairSentences({ name, view }: HintedPlace): readonly string[] {
  const isHinted = ({ requires }: Relation): boolean =>
    requires.length > 1 && !requires.some((partner) => isOff(view.properties.get(partner) ?? true));
  const groups = Map.groupBy(view.relational.filter(isHinted), ({ requires }) =>
    JSON.stringify(requires.toSorted()),
  );
  const order = [...view.properties.keys()];
  const within = name === '' ? '' : `${name}.`;
  return [...groups.values()].map((relations) => {
    const members = [...new Set(relations.flatMap(({ requires }) => requires))].toSorted(
      (left, right) => order.indexOf(left) - order.indexOf(right),
    );
    const shown = members.map((member) => `${within}${member}`);
    const list = `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
    const defaults = members.flatMap((member) => defaultOf(member, relations));
    return [`Give ${list} together`, ...defaults].join('; ').concat('.');
  });
}

const defaultOf = (member: string, relations: readonly Relation[]): readonly string[] =>
  relations
    .filter(({ defaults }) => Object.hasOwn(defaults, member))
    .slice(0, 1)
    .map(({ defaults }) => `${member} left out is ${JSON.stringify(defaults[member])}`);

// A few sentences, as many as fit. Keywords that a provider doesn't take are not its business: each is said at its
// own place in the provider's form.
export interface HintOptions {
  /** Characters of all sentences together, at most; what doesn't fit as a whole is left out. Default: 300. */
  readonly longest?: number;
}

export const hintOptionKinds: OptionKinds<HintOptions> = { longest: count(0) };

const defaultLongest = 300;

/** Places that are named in one sentence, at most; a longer list would bury the rest. */
const mostNames = 8;

/** `known`: how the model knows the places; default: as they are. Sentences in the order of their use: what comes first stays. None for a schema with nothing to say. */
export function contractHints(
  root: SchemaObject,
  options: HintOptions = {},
  known?: KnownPlace,
): readonly string[] {
  const { longest = defaultLongest } = options;
  const places = hintedPlaces(root, known);
  const certain = places.filter(({ isInBranch }) => !isInBranch);
  const sentences = [
    ...containerSentences(certain, new SchemaViews(root)),
    ...places.flatMap((place) => pairSentences(place)),
    ...namesSentence(
      places.filter(({ view }) => view.isVerbatim),
      {
        one: 'is taken as it stands: plain text, no code fence around it, nothing escaped twice',
        several: 'are taken as they stand: plain text, no code fence around it, nothing escaped twice',
      },
    ),
    ...namesSentence(
      places.filter(({ view }) => view.semantic === 'path'),
      { one: 'is a file system path, not a link', several: 'are file system paths, not links' },
    ),
  ];
  return withinBudget(sentences, longest);
}

function withinBudget(sentences: readonly string[], longest: number): readonly string[] {
  let length = 0;
  return sentences.filter((sentence) => {
    const fits = length + sentence.length <= longest;
    if (fits) length += sentence.length + 1;
    return fits;
  });
}

interface Predicate {
  readonly one: string;
  readonly several: string;
}

/** One sentence for each kind of container, with all the arguments that are one. */
function containerSentences(places: readonly HintedPlace[], views: SchemaViews): readonly string[] {
  const kinds = Map.groupBy(
    places.filter(({ name, isOtherForm }) => name !== '' && !name.endsWith('[]') && !isOtherForm),
    (place) => JSON.stringify(containerWords(place, views) ?? null),
  );
  return [...kinds.values()].flatMap((alike) => {
    const [first] = alike;
    const words = first && containerWords(first, views);
    if (words === undefined) return [];
    return namesSentence(alike, { one: `is ${words.one}`, several: `are ${words.several}` });
  });
}

/** "paths, renames are file system paths, not links." */
function namesSentence(places: readonly HintedPlace[], { one, several }: Predicate): readonly string[] {
  const names = places.map(({ name }) => name).filter((name) => name !== '');
  const shown = [...new Set(names.map((name) => name.replace(/(?:\[\])+$/, '')))].slice(0, mostNames);
  const [first = ''] = shown;
  if (first === '') return [];
  const isOne = shown.length === 1 && names.includes(first);
  return [`${shown.join(', ')} ${isOne ? one : several}.`];
}

// The author's words, then in one paragraph what the contract means.
/**
 * The description, the author's hints on lines of their own, and in the last line the contract's. The same bytes every
 * time. `known`: how the model knows the places of the arguments; default: as they are.
 */
export const describeTool = (
  contract: ToolContract,
  options: HintOptions = {},
  known?: KnownPlace,
): string => {
  // What nobody can validate against means nothing for certain.
  const isUsable = validatedSchemaOf(contract).flaws.length === 0;
  const own = isUsable ? contractHints(contract.inputSchema, options, known).join(' ') : '';
  return [contract.description.trim(), ...contract.hints, own].filter((line) => line !== '').join('\n');
};

import { type OptionKinds, count } from '../options/check-options.ts';
import { pointerTo, splitPointer } from '../json/pointers.ts';
import { type JsonType } from '../json/value.ts';
import {
  type JsonSchema,
  type Relation,
  type SchemaObject,
  withoutAnnotations,
} from '../schema/json-schema.ts';
import { schemaParts } from '../schema/merge-schemas.ts';
import { type SchemaView, type SchemaViews, viewsIn } from '../schema/schema-view.ts';
import { validatedSchemaOf } from '../validate/validator.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { countText, countsOf } from './constraints.ts';
import { type FieldMiss, type HintedMiss, hintedMiss } from './miss-sentences.ts';

/** How much toolmend adds to a tool's description. */
export interface HintOptions {
  /**
   * The limit for all sentences together, in characters. Sentences that don't fit whole are
   * omitted. Default: 300.
   */
  readonly longest?: number;
}

export const hintOptionKinds: OptionKinds<HintOptions> = { longest: count(0) };

const defaultLongest = 300;
/**
 * Characters of a description that all providers take: OpenAI's models read no more, and Azure
 * refuses longer ones.
 */
export const maxDescription = 1_024;
/** Arguments that one sentence names, at most. */
const maxNames = 8;
/** Locations that are visited: schemas that refer to each other have any number of them. */
const maxLocations = 1_000;

/** The tool's schema for models: with the meta arguments, without annotations. */
export const modelSchema = ({
  inputSchema,
  schemaWithMeta = inputSchema,
}: ToolContract): SchemaObject => withoutAnnotations(schemaWithMeta);

/** Maps a JSON Pointer in the tool's own arguments to one with the provider's keys. */
type PathMapping = (pointer: string) => string;

/** A tool's description for models, and what of it toolmend added. */
export interface ToolDescription {
  readonly text: string;
  /** The author's hints, then those about the arguments, then learned ones. */
  readonly hints: readonly string[];
  /** The misses whose sentences it has. */
  readonly misses: readonly HintedMiss[];
}

/**
 * The description of a tool for models: the author's description, one line for each of the author's
 * hints, and a last line of hints about the arguments. Deterministic. `providerPath` defaults to
 * the tool's own keys. `misses`: what a model often gets wrong, most useful sentence first.
 */
export const toolDescription = (
  contract: ToolContract,
  options: HintOptions = {},
  providerPath?: PathMapping,
  misses: readonly FieldMiss[] = [],
): ToolDescription => {
  const isUsable = validatedSchemaOf(contract).problem === undefined;
  const authorText = [contract.description.trim(), ...contract.hints]
    .filter((line) => line !== '')
    .join('\n');
  const room = maxDescription - authorText.length - 1;
  const longest = Math.min(options.longest ?? defaultLongest, Math.max(room, 0));
  const contractSentences = isUsable
    ? contractHints(contract.inputSchema, { longest }, providerPath)
    : [];
  const rest = longest - contractSentences.reduce((sum, { length }) => sum + length + 1, 0);
  const learnedMisses = fittingMisses(
    misses
      .flatMap((miss) => hintedMiss(contract, miss, providerPath) ?? [])
      .filter(({ sentence }) => !contractSentences.includes(sentence)),
    rest,
  );
  const learnedSentences = learnedMisses.map(({ sentence }) => sentence);
  // A learned sentence often is a fixed one with an example.
  const isSaidAgain = (fixedSentence: string): boolean =>
    learnedSentences.some((learnedSentence) =>
      learnedSentence.startsWith(fixedSentence.slice(0, -1)),
    );
  const argumentHints = [
    ...contractSentences.filter((fixedSentence) => !isSaidAgain(fixedSentence)),
    ...learnedSentences,
  ];
  return {
    text: [authorText, argumentHints.join(' ')].filter((line) => line !== '').join('\n'),
    hints: [...contract.hints, ...argumentHints],
    misses: learnedMisses,
  };
};

/** Those whose sentences fit whole. Two misses may have the same sentence, which is said once. */
function fittingMisses(misses: readonly HintedMiss[], longest: number): readonly HintedMiss[] {
  const sentences = new Set<string>();
  let length = 0;
  return misses.filter(({ sentence }) => {
    if (sentences.has(sentence) || length + sentence.length > longest) return false;
    sentences.add(sentence);
    length += sentence.length + 1;
    return true;
  });
}

/** The text of `toolDescription`. */
export const describeTool = (contract: ToolContract, options?: HintOptions): string =>
  toolDescription(contract, options).text;

/** Sentences about arguments that models often get wrong, most useful first. */
export function contractHints(
  root: SchemaObject,
  { longest = defaultLongest }: HintOptions = {},
  providerPath?: PathMapping,
): readonly string[] {
  const locations = hintedLocations(root, providerPath);
  const verbatim = locations.filter(({ view }) => view.isVerbatim);
  const ofMeaning = (semantic: string): readonly HintedLocation[] =>
    locations.filter(({ view }) => view.semantic === semantic);
  const sentences = [
    ...containerSentences(locations, viewsIn(root)),
    ...locations.flatMap(relationSentences),
    ...sentenceAbout(verbatim, {
      one: 'is used verbatim: send plain text, without a code fence and without extra escaping',
      several:
        'are used verbatim: send plain text, without a code fence and without extra escaping',
    }),
    ...sentenceAbout(ofMeaning('path'), {
      one: 'is a file system path, not a Markdown link',
      several: 'are file system paths, not Markdown links',
    }),
    ...sentenceAbout(ofMeaning('url'), {
      one: 'is an address with its protocol, not a Markdown link',
      several: 'are addresses with their protocols, not Markdown links',
    }),
    ...sentenceAbout(ofMeaning('glob'), {
      one: 'is a glob pattern without quotes',
      several: 'are glob patterns without quotes',
    }),
    ...sentenceAbout(
      ofMeaning('line_range').filter(({ view }) => view.types.has('array')),
      {
        one: 'is the first and the last line, such as [10, 20]; [10, -1] goes to the end of the file',
        several:
          'are each the first and the last line, such as [10, 20]; [10, -1] goes to the end of the file',
      },
    ),
    ...sentenceAbout(
      ofMeaning('line_range').filter(({ view }) => view.types.has('string')),
      { one: 'is a range of lines such as 10-20', several: 'are ranges of lines such as 10-20' },
    ),
  ];
  let length = 0;
  return sentences.filter((sentence) => {
    const fits = length + sentence.length <= longest;
    if (fits) length += sentence.length + 1;
    return fits;
  });
}

interface HintedLocation {
  /** For the model: `edits[].find`. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly view: SchemaView;
  /**
   * The location is in a branch of a union. Another branch may declare the same name differently.
   */
  readonly isInBranch: boolean;
  /** JSON Pointer, for arrays with one element. */
  readonly pointer: string;
  /** The number of containers around it. */
  readonly depth: number;
}

interface Search {
  readonly views: SchemaViews;
  readonly locations: HintedLocation[];
  readonly providerPath: PathMapping;
}

/**
 * All declared locations, outer ones first, except those with `hints: 'off'` in `x-toolmend` and
 * everything in them.
 */
function hintedLocations(
  root: SchemaObject,
  providerPath: PathMapping = (pointer) => pointer,
): readonly HintedLocation[] {
  const search: Search = { views: viewsIn(root), locations: [], providerPath };
  const location = { schema: root, name: '', pointer: '', depth: 0, isInBranch: false };
  collectLocations(location, new Set(['#']), search);
  return search.locations.toSorted((left, right) => left.depth - right.depth);
}

/**
 * `references`: the references that were followed, so that a schema that contains itself is visited
 * once.
 */
function collectLocations(
  location: Omit<HintedLocation, 'view'>,
  references: ReadonlySet<string>,
  search: Search,
): void {
  const { schema, name, pointer: at, isInBranch, depth } = location;
  const reference = typeof schema === 'object' ? schema.$ref : undefined;
  const isVisited = reference !== undefined && references.has(reference);
  if (isVisited || isOff(schema) || search.locations.length >= maxLocations) return;
  const view = search.views.of(schema);
  search.locations.push({ ...location, view });
  const innerReferences =
    reference === undefined ? references : new Set([...references, reference]);
  for (const [ownKey, property] of view.properties) {
    const pointer = pointerTo(at, ownKey);
    const { key } = splitPointer(search.providerPath(pointer));
    const innerName = name === '' ? key : `${name}.${key}`;
    collectLocations(
      { schema: property, pointer, name: innerName, isInBranch, depth: depth + 1 },
      innerReferences,
      search,
    );
  }
  for (const branch of view.branches)
    collectLocations({ ...location, schema: branch, isInBranch: true }, innerReferences, search);
  for (const part of [...view.prefixItems, view.items, view.additionalProperties]) {
    if (typeof part !== 'object') continue;
    const pointer = pointerTo(at, 0);
    collectLocations(
      { schema: part, pointer, name: `${name}[]`, isInBranch, depth: depth + 1 },
      innerReferences,
      search,
    );
  }
}

const isOff = (schema: JsonSchema): boolean =>
  typeof schema === 'object' && schema['x-toolmend']?.hints === 'off';

interface Predicate {
  readonly one: string;
  readonly several: string;
}

/** `paths and renames are file system paths, not Markdown links.` */
function sentenceAbout(
  locations: readonly HintedLocation[],
  { one, several }: Predicate,
): readonly string[] {
  if (locations.length === 0) return [];
  const names = locations.map(({ name }) => name).filter((name) => name !== '');
  const listedNames = [...new Set(names.map((name) => name.replace(/(?:\[\])+$/, '')))].slice(
    0,
    maxNames,
  );
  const [first = ''] = listedNames;
  if (first === '') return [];
  const isOne = listedNames.length === 1 && names.includes(first);
  return [`${listText(listedNames)} ${isOne ? one : several}.`];
}

const listText = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** One sentence for each kind of container: models often send containers as strings. */
function containerSentences(
  locations: readonly HintedLocation[],
  views: SchemaViews,
): readonly string[] {
  const namedLocations = locations.filter(
    ({ name, isInBranch }) => !/^$|\[\]$/.test(name) && !isInBranch,
  );
  const groups = Map.groupBy(namedLocations, (location) => containerOf(location, views));
  return [...groups].flatMap(([container, group]) => {
    if (container === undefined) return [];
    const several = `are JSON ${container.replace(/^\w+/, '$&s')}`;
    return sentenceAbout(group, { one: `is a JSON ${container}`, several });
  });
}

/**
 * `object`, `array of strings, 1 to 5`; undefined if other values than one kind of container are
 * allowed.
 */
function containerOf({ view, schema }: HintedLocation, views: SchemaViews): string | undefined {
  const type = view.members === undefined ? onlyType(view) : undefined;
  if (type !== 'array') return type === 'object' ? type : undefined;
  const element = view.prefixItems.length > 0 ? undefined : onlyType(views.of(view.items));
  const elements = element === undefined ? '' : ` of ${element}s`;
  const parts = typeof schema === 'object' ? schemaParts(schema, views.root) : [];
  const amount = countText(countsOf(parts, 'minItems', 'maxItems'));
  return `array${elements}${amount === '' ? '' : `, ${amount}`}`;
}

/** The only type except null; undefined if there are several. */
function onlyType({ types, branches }: SchemaView): JsonType | undefined {
  if (branches.length > 0) return undefined;
  const [only, ...others] = [...types].filter(
    (type) => type !== 'null' && !(type === 'integer' && types.has('number')),
  );
  return others.length === 0 ? only : undefined;
}

/**
 * `Send offset and limit together; offset defaults to 0.` One sentence for each set of related
 * arguments.
 */
function relationSentences({ name, view }: HintedLocation): readonly string[] {
  if (view.relational.length === 0) return [];
  const isHinted = ({ requires }: Relation): boolean =>
    requires.length > 1 && !requires.some((key) => isOff(view.properties.get(key) ?? true));
  const groups = Map.groupBy(view.relational.filter(isHinted), ({ requires }) =>
    JSON.stringify(requires.toSorted()),
  );
  const order = [...view.properties.keys()];
  const prefix = name === '' ? '' : `${name}.`;
  return [...groups.values()].map((relations) => {
    const members = [...new Set(relations.flatMap(({ requires }) => requires))].toSorted(
      (left, right) => order.indexOf(left) - order.indexOf(right),
    );
    const together = `Send ${listText(members.map((member) => `${prefix}${member}`))} together`;
    return `${[together, ...members.flatMap((member) => defaultText(member, relations))].join('; ')}.`;
  });
}

function defaultText(member: string, relations: readonly Relation[]): readonly string[] {
  const relation = relations.find(({ defaults }) => Object.hasOwn(defaults, member));
  return relation === undefined
    ? []
    : [`${member} defaults to ${JSON.stringify(relation.defaults[member])}`];
}

// What does a contract mean that models get wrong, or that no keyword shows them? A few sentences, as many as fit. Keywords
// that a provider doesn't take are not its business: each is said at its own place in the provider's form.
import { SchemaViews } from '../contract/schema-view.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import { containerWords } from './container-words.ts';
import { type HintedPlace, hintedPlaces, type KnownPlace } from './hinted-places.ts';
import { pairSentences } from './pair-sentences.ts';

export interface HintOptions {
  /** Characters of all sentences together, at most; what doesn't fit as a whole is left out. Default: 300. */
  readonly longest?: number;
}

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

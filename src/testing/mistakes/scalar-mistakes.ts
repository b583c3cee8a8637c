// What do models get wrong about texts, numbers, booleans and null?
import type { JsonValue } from '../../json/json-value.ts';
import { isPathName } from '../../validate/path-names.ts';
import type { CallPlace } from './call-place.ts';
import { type Mistake, replaced } from './mistake.ts';

const numberAsText: Mistake = {
  kind: 'number_as_text',
  make: ({ value, types }, random) =>
    typeof value !== 'number' || types.has('string')
      ? undefined
      : replaced(
          () =>
            random.pick([String(value), ` ${value}`, Number.isInteger(value) ? `${value}.0` : `${value}`]) ??
            '',
        ),
};

const booleanAsText: Mistake = {
  kind: 'boolean_as_text',
  make({ value, types }, random) {
    if (typeof value !== 'boolean' || types.has('string')) return undefined;
    const words = value ? ['true', 'True', 'TRUE'] : ['false', 'False', 'FALSE'];
    return replaced(() => random.pick(words) ?? '');
  },
};

const nullAsWord: Mistake = {
  kind: 'null_as_word',
  make: ({ value, types }, random) =>
    value !== null || types.has('string') ? undefined : replaced(() => random.pick(['null', 'None']) ?? ''),
};

/** Text that is a number is sent as the number that it spells. */
const textAsNumber: Mistake = {
  kind: 'text_as_number',
  make(place) {
    const { value } = place;
    const isNumber =
      typeof value === 'string' && String(Number(value)) === value && Number.isFinite(Number(value));
    return isNumber && takesOnlyText(place) ? replaced(() => Number(value)) : undefined;
  },
};

/** An object where text was asked for: the text is its JSON, two blanks a level. */
const textAsObject: Mistake = {
  kind: 'text_as_object',
  make: (place) =>
    place.value === '{\n  "a": 1\n}' && place.around !== undefined && takesOnlyText(place)
      ? replaced(() => ({ a: 1 }))
      : undefined,
};

const takesOnlyText = ({ types, view, name }: CallPlace): boolean =>
  [...types].join() === 'string' &&
  view.format === undefined &&
  view.members === undefined &&
  view.semantic === undefined &&
  !view.isVerbatim &&
  !isPathName(name ?? '');

/** Letter case, quotes around, and another separator between words. */
const memberInOtherSpelling: Mistake = {
  kind: 'member_in_other_spelling',
  make({ value, view, types }, random) {
    const { members } = view;
    if (typeof value !== 'string' || members === undefined || [...types].join() !== 'string')
      return undefined;
    const spellings = [
      value.toUpperCase(),
      value.toLowerCase(),
      ` ${value} `,
      `"${value}"`,
      value.replace(/(?<=[a-z])[_-](?=[a-z])/gi, ' '),
    ];
    const others = spellings.filter(
      (text) => members.every((member) => !isLike(member, text, value)) && text !== value,
    );
    const spelling = random.pick(others);
    return spelling === undefined ? undefined : replaced(() => spelling);
  },
};

/** A member, other than the one that is meant, that the text could be taken for. */
const isLike = (member: JsonValue, text: string, meant: string): boolean =>
  member !== meant && typeof member === 'string' && bare(member) === bare(text);

const bare = (text: string): string => text.toLowerCase().replace(/[\s_"-]/g, '');

const pathAsLink: Mistake = {
  kind: 'path_as_link',
  make({ value, name, view }, random) {
    const isPath = view.semantic === undefined ? isPathName(name ?? '') : view.semantic === 'path';
    if (!isPath || view.isVerbatim || typeof value !== 'string' || !/^[\w./-]*\w[\w./-]*$/.test(value))
      return undefined;
    return replaced(
      () => random.pick([`[${value}](http://${value})`, `[${value}](https://example.com/${value})`]) ?? '',
    );
  },
};

/** The schema around the value, as JSON Schema or Python name its type, or no more than its frame. */
const echoedSchema: Mistake = {
  kind: 'echoed_schema',
  make({ value, types }, random) {
    if (value === undefined || value === null || types.has('object') || types.has('array')) return undefined;
    const type = random.pick(typeNames.get(typeof value) ?? []) ?? 'string';
    const frames = [
      { type, value },
      { type, description: 'What it is.', value },
    ];
    return replaced(() => random.pick(types.has('string') ? frames : [...frames, { value }]) ?? value);
  },
};

const typeNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', ['string', 'str']],
  ['number', ['number', 'integer', 'int', 'float']],
  ['boolean', ['boolean', 'bool']],
]);

export const scalarMistakes: readonly Mistake[] = [
  numberAsText,
  booleanAsText,
  nullAsWord,
  textAsNumber,
  textAsObject,
  memberInOtherSpelling,
  pathAsLink,
  echoedSchema,
];

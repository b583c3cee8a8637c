// What do models make of valid arguments? One place spelled otherwise; often what was meant is still to be read from it.
import { aliasOf } from './objects.ts';

/** A change of one place. */
export interface ValueMistake {
  readonly title: string;
  /** If it is repaired at all, then to the value that it was made from. */
  readonly isFaithful: boolean;
  /** undefined where it can't be made. */
  make(value: unknown): unknown;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const mistake = (title: string, make: ValueMistake['make']): ValueMistake => ({
  title,
  isFaithful: false,
  make,
});
const faithful = (title: string, make: ValueMistake['make']): ValueMistake => ({
  title,
  isFaithful: true,
  make,
});

const ofText = (make: (text: string) => unknown) => (value: unknown) =>
  typeof value === 'string' ? make(value) : undefined;
const ofObject = (make: (object: object) => unknown) => (value: unknown) =>
  isObject(value) ? make(value) : undefined;

const withKeys = (spell: (key: string) => string) =>
  ofObject((object) => {
    const entries = Object.entries(object).map(([key, member]) => [spell(key), member] as const);
    return entries.some(([key]) => !Object.hasOwn(object, key)) ? Object.fromEntries(entries) : undefined;
  });

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** As Python prints it; not for texts with quotes or backslashes in them. */
const asPython = (value: object): string | undefined => {
  const json = JSON.stringify(value);
  if (/['\\]/.test(json)) return undefined;
  return json
    .replaceAll('"', "'")
    .replaceAll(/(?<=[:[,])(true|false|null)(?=[,\]}])/g, (word) =>
      word === 'null' ? 'None' : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
    );
};

const flattened = (object: object): unknown => {
  const entries = Object.entries(object).flatMap(([key, member]: [string, unknown]) =>
    isObject(member) && Object.keys(member).length > 0
      ? Object.entries(member).map(([inner, value]) => [`${key}.${inner}`, value] as const)
      : [[key, member] as const],
  );
  return entries.length === Object.keys(object).length ? undefined : Object.fromEntries(entries);
};

const withoutFirst = (object: object): unknown => {
  const [, ...others] = Object.entries(object);
  return Object.keys(object).length === 0 ? undefined : Object.fromEntries(others);
};

export const valueMistakes: readonly ValueMistake[] = [
  faithful('a container as JSON text', (value) => (isContainer(value) ? JSON.stringify(value) : undefined)),
  faithful('a container as JSON text, encoded twice', (value) =>
    isContainer(value) ? JSON.stringify(JSON.stringify(value)) : undefined,
  ),
  faithful('a container as Python prints it', (value) => (isContainer(value) ? asPython(value) : undefined)),
  faithful('a number as text', (value) => (typeof value === 'number' ? String(value) : undefined)),
  faithful('a boolean as text', (value) =>
    typeof value === 'boolean' ? (value ? 'True' : 'false') : undefined,
  ),
  // In a map they are data.
  mistake('keys in snake case', withKeys(snakeCase)),
  mistake(
    'keys in capitals',
    withKeys((key) => key.toUpperCase()),
  ),
  mistake('keys by their aliases', withKeys(aliasOf)),
  mistake('keys of what is below joined by dots', ofObject(flattened)),
  mistake('the one element instead of the list', (value) =>
    Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : undefined,
  ),
  mistake('an object around a list', (value) => (Array.isArray(value) ? { items: value } : undefined)),
  mistake('a list as text with commas', (value) =>
    Array.isArray(value) && value.length > 1
      ? value.map((item) => JSON.stringify(item)).join(', ')
      : undefined,
  ),
  mistake('a list around a value', (value) => [value]),
  mistake('null', () => null),
  mistake('an empty object', () => ({})),
  mistake('a word for null', () => 'None'),
  mistake('blank text', () => '  '),
  mistake('the first key left out', ofObject(withoutFirst)),
  mistake(
    'an unknown key that says nothing',
    ofObject((object) => ({ ...object, unheard_of: '' })),
  ),
  mistake(
    'an unknown key',
    ofObject((object) => ({ ...object, unheard_of: { a: ['b'] } })),
  ),
  mistake(
    'a key of JavaScript',
    ofObject((object) => ({ ...object, constructor: { a: 1 } })),
  ),
  mistake(
    'a meta argument',
    ofObject((object) => ({ ...object, _timeout_seconds: '5', Rationale: 'why' })),
  ),
  mistake(
    'an envelope',
    ofObject((object) => ({ arguments: object })),
  ),
  mistake(
    'a call',
    ofObject((object) => ({ name: 'tried_tool', arguments: JSON.stringify(object) })),
  ),
  mistake(
    'text in capitals',
    ofText((text) => text.toUpperCase()),
  ),
  mistake(
    'text with other separators',
    ofText((text) => text.replaceAll('_', ' ')),
  ),
  mistake(
    'text in quotes',
    ofText((text) => `"${text}"`),
  ),
  mistake(
    'a path as a link',
    ofText((text) => `[${text}](https://${text})`),
  ),
  mistake('text', () => 'a, b'),
  mistake('text that starts like a list', () => '["a", "b"'),
  mistake('a schema around it', (value) => ({ type: 'string', description: 'A text.', value })),
  mistake('a number', () => 7),
  mistake('a fraction', () => 7.25),
  mistake('a long number as text', () => '12345678901234567890'),
];

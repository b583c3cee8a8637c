import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  listOf,
  mapOf,
  objectOf,
  orNull,
  text,
  texts,
  whole,
} from '../../schemas.ts';

const query = { ...text, description: 'Words.' };
const pair = closedOf({ type: text, value: text });
const any = objectOf({});
const echo = { type: 'string', value: 'a' };
const row = closedOf({ a: whole }, ['a']);
const tagged = objectOf({ tags: texts }, ['tags']);

const string1 = { type: 'string', n: '1' };
const string5 = { type: 'string', value: '5' };
const wrapped = 'wrap_in_array /a, text_to_integer /a/0/';
const typed = closedOf({ type: text, value: whole });
const valued = listOf(objectOf({ value: whole }, ['value']));
testRule('echoed_schema', {
  untouched: [
    ['an object where one is declared', 'node', pair, { type: 'string', value: 'a' }],
    ['anything may stand there', 'node', {}, { type: 'string', value: 'a' }],
    ['an element that any object may be', 'list', listOf(any), [{ type: 'array', value: [1] }]],
  ],
  repaired: [
    ['the word of the name alone', 'city', text, { type: 'string', description: 'City' }, 'City'],
    ['in a map', mapOf(text), { a: { type: 'string', description: 'A b.' } }, { a: 'A b.' }, '/a'],
    ['of another type', 'query', query, { type: 'array', value: 'x' }, 'x'],
    [
      'in a nullable list',
      'a',
      orNull(texts),
      { type: 'string', value: 'x' },
      ['x'],
      '/a, wrap_in_array /a',
    ],
    [
      'one',
      'a',
      listOf(objectOf({ n: whole })),
      string1,
      [{ type: 'string', n: 1 }],
      `${wrapped}n`,
    ],
    ['one', 'a', listOf(typed), string5, [{ type: 'string', value: 5 }], `${wrapped}value`],
    [
      'an element beside',
      'a',
      anyOf(valued, row),
      { value: '5' },
      [{ value: 5 }],
      `${wrapped}value`,
    ],
    [
      'a description of other things',
      'bakeTask',
      text,
      { type: 'str', description: 'Bake.' },
      'Bake.',
    ],
    ['type and value', 'query', query, { type: 'string', value: 'cats' }, 'cats'],
    [
      'with a description',
      'query',
      query,
      { type: 'string', description: 'Words.', value: 'cats' },
      'cats',
    ],
    [
      'a description that is the value',
      'query',
      query,
      { description: 'cats', type: 'string' },
      'cats',
    ],
    [
      'one element',
      'ids',
      listOf(whole),
      { type: 'integer', value: 5 },
      [5],
      '/ids, wrap_in_array /ids',
    ],
    [
      'an element that declares a type',
      'list',
      listOf(closedOf({ Type: text, value: whole }, ['Type'])),
      { type: 'array', value: '1' },
      [{ Type: 'array', value: 1 }],
      'wrap_in_array /list, rename_key /list/0/type, text_to_integer /list/0/value',
    ],
    ...[
      listOf(any),
      anyOf(listOf(any), row),
      anyOf(listOf(pair), row),
      anyOf(listOf(mapOf(text)), row),
    ].map(
      (list) =>
        [
          'an object that an element may be',
          'list',
          list,
          echo,
          [echo],
          'wrap_in_array /list',
        ] as const,
    ),
  ],
  refused: [
    [
      'a description of the parameter',
      'folderPath',
      text,
      { type: 'string', description: 'A folder path' },
    ],
    ...['string', 'array'].map(
      (type) =>
        [
          `an echo of ${type} where text, a list or an object may be meant`,
          'id',
          anyOf(text, texts, closedOf({ id: whole }, ['id'])),
          { type, value: 'a' },
          'required /id, additionalProperties /id, additionalProperties /id',
        ] as const,
    ),
    ['an echo of nothing', 'query', query, { type: 'string', description: 'Words.' }],
    ...['a,b', '[a', ' ', 'null'].map(
      (value) =>
        [
          `no list is ${JSON.stringify(value)}`,
          tagged,
          { tags: { ...echo, value } },
          'type /tags',
        ] as const,
    ),
    ['a list, or any element', 'list', listOf(any), { type: 'array', value: [{ a: 1 }] }],
    [
      'its description',
      'tags',
      { ...texts, description: 'Tags.' },
      { type: 'array', description: 'tags' },
    ],
    ['a description that is no text', 'query', text, { type: 'string', description: 5 }],
    [
      'respelt',
      'q',
      { ...text, description: 'Any  one.' },
      { type: 'string', description: 'any one' },
    ],
  ],
});

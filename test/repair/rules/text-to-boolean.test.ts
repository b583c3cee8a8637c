import { testRule } from '../rule-case.ts';
import { anyOf, flag, listOf, mapOf, objectOf, orNull, text } from '../../schemas.ts';

testRule('text_to_boolean', {
  untouched: [
    ['a boolean', 'all', flag, true],
    ['the word where text is declared', 'body', text, 'true'],
    ['the word in a union that takes text', 'body', anyOf(flag, text), 'true'],
  ],
  repaired: [
    ...['true', 'True', 'TRUE'].map((word) => [word, 'all', flag, word, true] as const),
    ...[' false\n', 'False', 'FALSE'].map(
      (word) => [JSON.stringify(word), 'all', flag, word, false] as const,
    ),
    ['elements of a list', 'flags', listOf(flag), [true, 'false'], [true, false], '/flags/1'],
    ['values of a map', mapOf(flag), { a: 'true' }, { a: true }, '/a'],
    ['beside null', 'all', orNull(flag), 'false', false],
  ],
  refused: [
    ...['yes', 'no', '1', '0', 'on', 'off', 'tRUE', '"true"', 't', ''].map(
      (word) =>
        [
          JSON.stringify(word),
          objectOf({ all: flag }, ['all']),
          { all: word },
          'type /all',
        ] as const,
    ),
    ['a number', 'all', flag, 1],
    ['a list of one', 'all', flag, ['yes']],
    [
      'only true is allowed',
      'all',
      { type: 'boolean', const: true },
      'false',
      'type /all, const /all',
    ],
  ],
});

import { testRule } from '../rule-case.ts';
import { listOf, objectOf, orNull, text, whole } from '../../schemas.ts';

const nullable = orNull(whole);
const required = objectOf({ limit: nullable }, ['limit']);

testRule('null_word', {
  untouched: [
    ['null', 'limit', nullable, null],
    ['the word where text is allowed', 'name', orNull(text), 'None'],
    ['the word where only text is allowed', 'name', text, 'null'],
  ],
  repaired: [
    ['not in a list', 'name', orNull(text), ['None'], 'None', 'unwrap_single /name'],
    ...['null', 'None', 'undefined', ' null\n'].map(
      (word) => [JSON.stringify(word), 'limit', nullable, word, null] as const,
    ),
    ['in a type list', 'limit', { type: ['integer', 'null'] }, 'None', null],
    [
      'required',
      objectOf({ limit: nullable }, ['limit']),
      { limit: 'None' },
      { limit: null },
      '/limit',
    ],
    ['in a list', 'ids', listOf(nullable), [1, 'None'], [1, null], '/ids/1'],
  ],
  refused: [
    ...['NULL', 'none', 'nil', 'N/A', '', '"null"'].map(
      (word) => [JSON.stringify(word), required, { limit: word }, 'anyOf /limit'] as const,
    ),
    [
      'null is not allowed',
      objectOf({ limit: whole }, ['limit']),
      { limit: 'None' },
      'type /limit',
    ],
    ['a word before it', 'limit', nullable, 'not null', 'anyOf /limit'],
    ['a word after it', 'limit', nullable, 'null value', 'anyOf /limit'],
  ],
});

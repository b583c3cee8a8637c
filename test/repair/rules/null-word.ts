import { testRule } from '../rule-case.ts';
import { listOf, objectOf, orNull, text, whole } from '../../schemas.ts';

const nullable = orNull(whole);
const required = objectOf({ limit: nullable }, ['limit']);

testRule('null_word', {
  untouched: [
    { title: 'null', argument: 'limit', schema: nullable, value: null },
    {
      title: 'the word where text is allowed',
      argument: 'name',
      schema: orNull(text),
      value: 'None',
    },
    { title: 'the word where only text is allowed', argument: 'name', schema: text, value: 'null' },
  ],
  repaired: [
    {
      title: 'not in a list',
      argument: 'name',
      schema: orNull(text),
      sent: ['None'],
      becomes: 'None',
      repairs: 'unwrap_single /name',
    },
    ...['null', 'None', 'undefined', ' null\n'].map((word) => ({
      title: JSON.stringify(word),
      argument: 'limit',
      schema: nullable,
      sent: word,
      becomes: null,
    })),
    {
      title: 'in a type list',
      argument: 'limit',
      schema: { type: ['integer', 'null'] },
      sent: 'None',
      becomes: null,
    },
    {
      title: 'required',
      schema: objectOf({ limit: nullable }, ['limit']),
      sent: { limit: 'None' },
      becomes: { limit: null },
      repairs: '/limit',
    },
    {
      title: 'in a list',
      argument: 'ids',
      schema: listOf(nullable),
      sent: [1, 'None'],
      becomes: [1, null],
      repairs: '/ids/1',
    },
  ],
  refused: [
    ...['NULL', 'none', 'NONE', 'nil', 'N/A', '', '"null"'].map((word) => ({
      title: JSON.stringify(word),
      schema: required,
      sent: { limit: word },
      issues: 'anyOf /limit',
    })),
    {
      title: 'null is not allowed',
      schema: objectOf({ limit: whole }, ['limit']),
      sent: { limit: 'None' },
      issues: 'type /limit',
    },
    {
      title: 'a word before it',
      argument: 'limit',
      schema: nullable,
      sent: 'not null',
      issues: 'anyOf /limit',
    },
    {
      title: 'a word after it',
      argument: 'limit',
      schema: nullable,
      sent: 'null value',
      issues: 'anyOf /limit',
    },
  ],
});

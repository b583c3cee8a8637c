import { testRule } from '../rule-case.ts';
import { anyOf, flag, listOf, mapOf, objectOf, orNull, text } from '../../schemas.ts';

testRule('text_to_boolean', {
  untouched: [
    { title: 'a boolean', argument: 'all', schema: flag, value: true },
    { title: 'the word where text is declared', argument: 'body', schema: text, value: 'true' },
    {
      title: 'the word in a union that takes text',
      argument: 'body',
      schema: anyOf(flag, text),
      value: 'true',
    },
  ],
  repaired: [
    ...['true', 'True', 'TRUE'].map((word) => ({
      title: word,
      argument: 'all',
      schema: flag,
      sent: word,
      becomes: true,
    })),
    ...[' false\n', 'False', 'FALSE'].map((word) => ({
      title: JSON.stringify(word),
      argument: 'all',
      schema: flag,
      sent: word,
      becomes: false,
    })),
    {
      title: 'elements of a list',
      argument: 'flags',
      schema: listOf(flag),
      sent: [true, 'false'],
      becomes: [true, false],
      repairs: '/flags/1',
    },
    {
      title: 'values of a map',
      schema: mapOf(flag),
      sent: { a: 'true' },
      becomes: { a: true },
      repairs: '/a',
    },
    { title: 'beside null', argument: 'all', schema: orNull(flag), sent: 'false', becomes: false },
  ],
  refused: [
    ...['yes', 'no', '1', '0', 'on', 'off', 'tRUE', '"true"', 't', ''].map((word) => ({
      title: JSON.stringify(word),
      schema: objectOf({ all: flag }, ['all']),
      sent: { all: word },
      issues: 'type /all',
    })),
    { title: 'a number', argument: 'all', schema: flag, sent: 1 },
    { title: 'a list of one', argument: 'all', schema: flag, sent: ['yes'] },
    {
      title: 'only true is allowed',
      argument: 'all',
      schema: { type: 'boolean', const: true },
      sent: 'false',
      issues: ['type /all', 'const /all'],
    },
  ],
});

import { missingAndUnknown, testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  number,
  objectOf,
  orNull,
  text,
  whole,
  type Schema,
} from '../../schemas.ts';
import { readValue, rejectedFor, repairedTo } from '../../read.ts';

const orNone: Schema = { type: ['integer', 'null'] };
const filter = closedOf({ query: text, limit: orNone }, ['query', 'limit']);

testRule('fill_null', {
  untouched: [
    ['the key is there', filter, { query: 'a', limit: 1 }],
    ['an optional key', closedOf({ query: text, limit: orNone }, ['query']), { query: 'a' }],
  ],
  repaired: [
    ['a whole number', filter, { query: 'a' }, { query: 'a', limit: null }, '/limit'],
    [
      'a number in a union',
      closedOf({ a: text, b: orNull(number) }, ['a', 'b']),
      { a: 'x' },
      { a: 'x', b: null },
      '/b',
    ],
    [
      'a boolean',
      closedOf({ a: text, b: orNull(flag) }, ['a', 'b']),
      { a: 'x' },
      { a: 'x', b: null },
      '/b',
    ],
    [
      'a number or a boolean',
      closedOf({ a: text, b: anyOf(whole, flag, { type: 'null' }) }, ['a', 'b']),
      { a: 'x' },
      { a: 'x', b: null },
      '/b',
    ],
    [
      'two keys',
      closedOf({ a: text, b: orNone, c: orNone }, ['a', 'b', 'c']),
      { a: 'x' },
      { a: 'x', b: null, c: null },
      '/b, /c',
    ],
    [
      'in elements',
      closedOf({ all: listOf(filter) }),
      { all: [{ query: 'a' }] },
      { all: [{ query: 'a', limit: null }] },
      '/all/0/limit',
    ],
    [
      'beside a default',
      closedOf({ a: text, b: orNone, c: { ...whole, default: 5 } }, ['a', 'b', 'c']),
      { a: 'x' },
      { a: 'x', c: 5, b: null },
      'fill_default /c, /b',
    ],
    [
      'beside a value that is repaired',
      closedOf({ a: whole, b: orNone }, ['a', 'b']),
      { a: '1' },
      { a: 1, b: null },
      '/b, text_to_integer /a',
    ],
  ],
  refused: [
    [
      'text may stand there',
      closedOf({ a: text, b: orNull(text) }, ['a', 'b']),
      { a: 'x' },
      'required',
    ],
    ['nothing was sent', filter, {}, 'required, required'],
    [
      'another key is optional',
      closedOf({ query: text, limit: orNone, page: whole }, ['query', 'limit']),
      { query: 'a' },
      'required',
    ],
    ['an undeclared key', filter, { query: 'a', max: 3 }, missingAndUnknown],
    [
      'an undeclared key in an open object',
      objectOf({ query: text, limit: orNone }, ['query', 'limit']),
      { query: 'a', max: 3 },
      'required',
    ],
    ['another key is absent, too', filter, { limit: 1 }, 'required'],
    [
      'another key has to be renamed',
      filter,
      { Query: 'a' },
      'required, required, additionalProperties',
    ],
    ['null alone', closedOf({ a: text, b: { type: 'null' } }, ['a', 'b']), { a: 'x' }, 'required'],
    ['no null', closedOf({ a: text, b: whole }, ['a', 'b']), { a: 'x' }, 'required'],
    ...['Null clears the limit.', 'Removes it if null.', 'null: unset', 'null to reset'].map(
      (description) =>
        [
          description,
          closedOf({ a: text, b: { ...orNone, description } }, ['a', 'b']),
          { a: 'x' },
          'required',
        ] as const,
    ),
  ],
});

const note = closedOf({ a: text, b: orNull(text) }, ['a', 'b']);

test('a tool that only reads takes null beside anything', () => {
  const tool = { name: 'search', effects: 'read' } as const;
  expect(readValue(note, { a: 'x' }, { tool })).toMatchObject(repairedTo({ a: 'x', b: null }));
});

test('the model is told, and a destructive tool does not run', () => {
  const { notes } = readValue(filter, { query: 'a' });
  expect(notes).toMatchObject([{ rule: 'fill_null', text: 'limit was not sent; null was used.' }]);
  const tool = { name: 'remove', effects: 'destructive' } as const;
  expect(readValue(filter, { query: 'a' }, { tool })).toMatchObject(rejectedFor('not_confirmed'));
});

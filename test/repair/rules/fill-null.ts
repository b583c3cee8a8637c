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
    { title: 'the key is there', schema: filter, value: { query: 'a', limit: 1 } },
    {
      title: 'an optional key',
      schema: closedOf({ query: text, limit: orNone }, ['query']),
      value: { query: 'a' },
    },
  ],
  repaired: [
    {
      title: 'a whole number',
      schema: filter,
      sent: { query: 'a' },
      becomes: { query: 'a', limit: null },
      repairs: '/limit',
    },
    {
      title: 'a number in a union',
      schema: closedOf({ a: text, b: orNull(number) }, ['a', 'b']),
      sent: { a: 'x' },
      becomes: { a: 'x', b: null },
      repairs: '/b',
    },
    {
      title: 'a boolean',
      schema: closedOf({ a: text, b: orNull(flag) }, ['a', 'b']),
      sent: { a: 'x' },
      becomes: { a: 'x', b: null },
      repairs: '/b',
    },
    {
      title: 'a number or a boolean',
      schema: closedOf({ a: text, b: anyOf(whole, flag, { type: 'null' }) }, ['a', 'b']),
      sent: { a: 'x' },
      becomes: { a: 'x', b: null },
      repairs: '/b',
    },
    {
      title: 'two keys',
      schema: closedOf({ a: text, b: orNone, c: orNone }, ['a', 'b', 'c']),
      sent: { a: 'x' },
      becomes: { a: 'x', b: null, c: null },
      repairs: ['/b', '/c'],
    },
    {
      title: 'in elements',
      schema: closedOf({ all: listOf(filter) }),
      sent: { all: [{ query: 'a' }] },
      becomes: { all: [{ query: 'a', limit: null }] },
      repairs: '/all/0/limit',
    },
    {
      title: 'beside a default',
      schema: closedOf({ a: text, b: orNone, c: { ...whole, default: 5 } }, ['a', 'b', 'c']),
      sent: { a: 'x' },
      becomes: { a: 'x', c: 5, b: null },
      repairs: ['fill_default /c', '/b'],
    },
    {
      title: 'beside a value that is repaired',
      schema: closedOf({ a: whole, b: orNone }, ['a', 'b']),
      sent: { a: '1' },
      becomes: { a: 1, b: null },
      repairs: ['/b', 'text_to_integer /a'],
    },
  ],
  refused: [
    {
      title: 'text may stand there',
      schema: closedOf({ a: text, b: orNull(text) }, ['a', 'b']),
      sent: { a: 'x' },
      issues: 'required',
    },
    { title: 'nothing was sent', schema: filter, sent: {}, issues: ['required', 'required'] },
    {
      title: 'another key is optional',
      schema: closedOf({ query: text, limit: orNone, page: whole }, ['query', 'limit']),
      sent: { query: 'a' },
      issues: 'required',
    },
    {
      title: 'an undeclared key',
      schema: filter,
      sent: { query: 'a', max: 3 },
      issues: missingAndUnknown,
    },
    {
      title: 'an undeclared key in an open object',
      schema: objectOf({ query: text, limit: orNone }, ['query', 'limit']),
      sent: { query: 'a', max: 3 },
      issues: 'required',
    },
    { title: 'another key is absent, too', schema: filter, sent: { limit: 1 }, issues: 'required' },
    {
      title: 'another key has to be renamed',
      schema: filter,
      sent: { Query: 'a' },
      issues: ['required', 'required', 'additionalProperties'],
    },
    {
      title: 'null alone',
      schema: closedOf({ a: text, b: { type: 'null' } }, ['a', 'b']),
      sent: { a: 'x' },
      issues: 'required',
    },
    {
      title: 'no null',
      schema: closedOf({ a: text, b: whole }, ['a', 'b']),
      sent: { a: 'x' },
      issues: 'required',
    },
    ...['Null clears the limit.', 'Removes it if null.', 'null: unset', 'null to reset'].map(
      (description) => ({
        title: description,
        schema: closedOf({ a: text, b: { ...orNone, description } }, ['a', 'b']),
        sent: { a: 'x' },
        issues: 'required',
      }),
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

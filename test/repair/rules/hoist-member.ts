import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  objectOf,
  orNull,
  type Schema,
  text,
  whole,
} from '../../schemas.ts';

const edit = objectOf({ from: text, to: text }, ['from']);
const edits = objectOf({ path: text, edits: listOf(edit) }, ['path', 'edits']);
const options = objectOf({ path: text, size: whole, options: orNull(closedOf({ depth: whole })) }, [
  'path',
  'size',
]);
const twoObjects = objectOf({ path: text, a: objectOf({ x: text }), b: objectOf({ x: text }) }, [
  'path',
]);
const undeclared = objectOf({ path: text, options: objectOf({}) }, ['path']);
const raw = objectOf({ a: text }, [], { 'x-toolmend': { verbatim: true } });
const fromX = (path: string) => ({ from: 'x', path });

const n = objectOf({ n: whole });
const beside = (a: Schema): Schema => objectOf({ path: text, a }, ['path']);
const pair = objectOf({ path: text, size: whole, a: n }, ['path', 'size']);
const pairOf = { path: 'a', a: { n: 1, path: 'b' }, size: 5 };
const search = objectOf({ query: text, filter: objectOf({ path: text }), deep: flag }, ['query']);
testRule('hoist_member', {
  untouched: [
    { title: 'the key at the root', schema: edits, value: { path: 'a', edits: [{ from: 'x' }] } },
    {
      title: 'the key in both',
      schema: edits,
      value: { path: 'a', edits: [{ from: 'x', path: 'b' }] },
    },
    {
      title: 'an optional key',
      schema: objectOf({ path: text, options: objectOf({ a: text }) }),
      value: { options: { path: 'a' } },
    },
  ],
  repaired: [
    {
      title: 'not one that is there',
      schema: pair,
      sent: { path: 'a', a: { n: 1, path: 'b', size: 5 } },
      becomes: pairOf,
      repairs: '/a/size',
    },
    {
      title: 'in an object, two keys, one of them repaired',
      schema: options,
      sent: { options: { depth: 1, path: 'a', size: '5' } },
      becomes: { options: { depth: 1 }, path: 'a', size: 5 },
      repairs: ['/options/path', '/options/size', 'text_to_integer /size'],
    },
    {
      title: 'in all elements, in a branch beside null',
      schema: objectOf({ path: text, edits: orNull(listOf(orNull(edit))) }, ['path']),
      sent: { edits: [fromX('a'), { path: 'a', from: 'y' }] },
      becomes: { edits: [{ from: 'x' }, { from: 'y' }], path: 'a' },
      repairs: '/edits/0/path',
    },
  ],
  refused: [
    {
      title: 'an object that may be an envelope: another key is the root’s, too',
      schema: search,
      sent: { filter: { path: 'a', query: 'x', deep: true } },
      issues: 'required',
    },
    {
      title: 'an object that may be an envelope: none of its keys is its own',
      schema: search,
      sent: { filter: { query: 'x' } },
      issues: 'required',
    },
    {
      title: 'an undeclared key',
      schema: objectOf({ a: n }, ['path']),
      sent: { a: { path: 'x' } },
      issues: 'required',
    },
    {
      title: 'a branch that has it',
      schema: beside(anyOf(n, objectOf({ path: text }))),
      sent: { a: { path: '' } },
      issues: 'required',
    },
    {
      title: 'no object',
      schema: beside(orNull(listOf(text))),
      sent: { a: { path: 'a' }, b: 1 },
      issues: ['required', 'anyOf /a'],
    },
    {
      title: 'an element that lacks it',
      schema: edits,
      sent: { edits: [{ from: 'x', path: 'a' }, { from: 'y' }] },
      issues: 'required',
    },
    {
      title: 'a map',
      schema: objectOf({ path: text, env: mapOf(text) }, ['path']),
      sent: { env: { path: 'a' } },
      issues: 'required',
    },
    {
      title: 'two parameters that have it',
      schema: twoObjects,
      sent: { a: { path: 'a' }, b: { path: 'a' } },
      issues: 'required',
    },
    {
      title: 'below the root',
      schema: closedOf({ a: edits }),
      sent: { a: { edits: [{ from: 'x', path: 'a' }] } },
      issues: 'required /a',
    },
    {
      title: 'a verbatim parameter',
      schema: objectOf({ path: text, raw }, ['path']),
      sent: { raw: { path: 'a' } },
      issues: 'required',
    },
    {
      title: 'different values',
      schema: edits,
      sent: { edits: [fromX('a'), fromX('b')] },
      issues: 'required',
    },
    {
      title: 'a lower schema that declares no keys',
      schema: undeclared,
      sent: { options: { path: 'a' } },
      issues: 'required',
    },
  ],
});

test('the model gets a note', () => {
  expect(interpretArguments(edits, { value: { edits: [{ from: 'x', path: 'a' }] } })).toMatchObject(
    {
      notes: [{ rule: 'hoist_member', text: 'edits[0].path was read as path.' }],
    },
  );
});

test('a value that does not fit stays, so that the one candidate is taken', () => {
  const value = { goal: 'b', edits: [{ from: 'x', path: { a: 1 } }] };
  const path = { ...text, description: 'The goal.' };
  const schema = objectOf({ path, edits: listOf(edit) }, ['path', 'edits']);
  const result = interpretArguments(schema, { value }, { tool: { effects: 'read' } });
  expect(result).toMatchObject({ value: { path: 'b', edits: value.edits } });
});

test('digits stay as they were written', () => {
  const schema = objectOf({ id: text, options: closedOf({ n: text }) }, ['id']);
  expect(interpretArguments(schema, { text: '{"options": {"id": 1.50, "n": 1.5}}' })).toMatchObject(
    {
      value: { id: '1.50', options: { n: '1.5' } },
    },
  );
});

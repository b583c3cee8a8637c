import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
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
const pairOf = { path: 'a', a: { path: 'b' }, size: 5 };
testRule('hoist_member', {
  untouched: [
    ['the key at the root', edits, { path: 'a', edits: [{ from: 'x' }] }],
    ['the key in both', edits, { path: 'a', edits: [{ from: 'x', path: 'b' }] }],
    [
      'an optional key',
      objectOf({ path: text, options: objectOf({ a: text }) }),
      { options: { path: 'a' } },
    ],
  ],
  repaired: [
    ['not one that is there', pair, { path: 'a', a: { path: 'b', size: 5 } }, pairOf, '/a/size'],
    [
      'in an object, two keys, one of them repaired',
      options,
      { options: { depth: 1, path: 'a', size: '5' } },
      { options: { depth: 1 }, path: 'a', size: 5 },
      '/options/path, /options/size, text_to_integer /size',
    ],
    [
      'in all elements, in a branch beside null',
      objectOf({ path: text, edits: orNull(listOf(orNull(edit))) }, ['path']),
      { edits: [fromX('a'), { path: 'a', from: 'y' }] },
      { edits: [{ from: 'x' }, { from: 'y' }], path: 'a' },
      '/edits/0/path',
    ],
  ],
  refused: [
    ['an undeclared key', objectOf({ a: n }, ['path']), { a: { path: 'x' } }, 'required'],
    [
      'a branch that has it',
      beside(anyOf(n, objectOf({ path: text }))),
      { a: { path: '' } },
      'required',
    ],
    ['no object', beside(orNull(listOf(text))), { a: { path: 'a' }, b: 1 }, 'required, anyOf /a'],
    [
      'an element that lacks it',
      edits,
      { edits: [{ from: 'x', path: 'a' }, { from: 'y' }] },
      'required',
    ],
    [
      'a map',
      objectOf({ path: text, env: mapOf(text) }, ['path']),
      { env: { path: 'a' } },
      'required',
    ],
    ['two parameters that have it', twoObjects, { a: { path: 'a' }, b: { path: 'a' } }, 'required'],
    [
      'below the root',
      closedOf({ a: edits }),
      { a: { edits: [{ from: 'x', path: 'a' }] } },
      'required /a',
    ],
    [
      'a verbatim parameter',
      objectOf({ path: text, raw }, ['path']),
      { raw: { path: 'a' } },
      'required',
    ],
    ['different values', edits, { edits: [fromX('a'), fromX('b')] }, 'required'],
    ['a lower schema that declares no keys', undeclared, { options: { path: 'a' } }, 'required'],
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
  const value = { target: 'b', edits: [{ from: 'x', path: { a: 1 } }] };
  const result = interpretArguments(edits, { value }, { tool: { effects: 'read' } });
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

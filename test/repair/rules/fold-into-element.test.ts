import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, nothing, objectOf, text, texts, whole } from '../../schemas.ts';

const edit = closedOf({ from: text, to: text }, ['from', 'to']);
const edits = closedOf({ path: text, edits: listOf(edit) }, ['path', 'edits']);

testRule('fold_into_element', {
  untouched: [
    ['the list', edits, { path: 'a', edits: [{ from: 'x', to: 'y' }] }],
    ['an open object without the list', objectOf({ edits: listOf(edit) }), { other: 'x' }],
    ['an open object without an optional list', objectOf({ edits: listOf(edit) }), { from: 'x', to: 'y' }],
  ],
  repaired: [
    [
      'the list, or nothing',
      closedOf({ path: text, edits: anyOf(nothing, listOf(edit)) }, ['edits']),
      { from: 'x', to: 'y' },
      { edits: [{ from: 'x', to: 'y' }] },
      '/from, /to, /edits',
    ],
    [
      'the one of two lists that declares the keys',
      closedOf({ edits: listOf(edit), rows: listOf(closedOf({ a: text }, ['a'])), names: texts }),
      { a: 'x' },
      { rows: [{ a: 'x' }] },
      '/a, /rows',
    ],
    [
      'all keys of one element',
      edits,
      { path: 'a', from: 'x', to: 'y' },
      { path: 'a', edits: [{ from: 'x', to: 'y' }] },
      '/from, /to, /edits',
    ],
    [
      'in a list, in a map, behind a reference',
      { ...mapOf(listOf({ $ref: '#/$defs/edits' })), $defs: { edits } },
      { m: [{ path: 'a', to: 'y', from: 'x' }] },
      { m: [{ path: 'a', edits: [{ to: 'y', from: 'x' }] }] },
      '/m/0/to, /m/0/from, /m/0/edits',
    ],
    [
      'optional keys of the element may be absent',
      closedOf({ rows: listOf(closedOf({ a: text, b: whole }, ['a'])) }, ['rows']),
      { a: 'x' },
      { rows: [{ a: 'x' }] },
      '/a, /rows',
    ],
    [
      'an open object without a required list',
      objectOf({ edits: listOf(edit) }, ['edits']),
      { from: 'x', to: 'y' },
      { edits: [{ from: 'x', to: 'y' }] },
      '/from, /to, /edits',
    ],
    [
      'a misspelt key',
      closedOf({ edits: listOf(closedOf({ newText: text }, ['newText'])) }),
      { new_text: 'x' },
      { edits: [{ newText: 'x' }] },
      '/new_text, /edits, rename_key /edits/0/new_text',
    ],
  ],
  refused: [
    ['an incomplete element', edits, { path: 'a', from: 'x' }, 'required, additionalProperties'],
    [
      'a key too many',
      edits,
      { path: 'a', from: 'x', to: 'y', z: 1 },
      'required, additionalProperties, additionalProperties, additionalProperties',
    ],
    [
      'the list is there already',
      edits,
      { path: 'a', edits: [], from: 'x', to: 'y' },
      'additionalProperties, additionalProperties',
    ],
    [
      'two lists would take it',
      closedOf({ first: listOf(edit), second: listOf(edit) }),
      { from: 'x', to: 'y' },
      'additionalProperties, additionalProperties',
    ],
    ['a list of texts', closedOf({ names: texts }), { from: 'x' }],
    [
      'a list that wants two',
      closedOf({ edits: listOf(edit, { minItems: 2 }) }),
      { from: 'x', to: 'y' },
      'additionalProperties, additionalProperties',
    ],
    [
      'lists of two kinds',
      closedOf({ a: anyOf(listOf(edit), texts) }),
      { from: 'x', to: 'y' },
      'additionalProperties, additionalProperties',
    ],
    [
      'a key that an open element takes and does not name',
      closedOf({ a: listOf(objectOf({ from: text })) }),
      { from: 'x', other: 'y' },
      'additionalProperties, additionalProperties',
    ],
    ['a list of whatever', closedOf({ a: { type: 'array' } }), { from: 'x' }],
    ['no list', closedOf({ a: text }), { from: 'x' }],
  ],
});

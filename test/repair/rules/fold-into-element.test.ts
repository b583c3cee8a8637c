import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { anyOf, closedOf, listOf, objectOf, text, texts } from '../../schemas.ts';

const edit = closedOf({ from: text, to: text }, ['from', 'to']);
const edits = closedOf({ path: text, edits: listOf(edit) }, ['path', 'edits']);
const openElements = closedOf({ a: listOf(objectOf({ from: text })) });
const one = { from: 'x', to: 'y' };

const fromTo = { from: 'x', to: 'y' };
const either = listOf(anyOf(edit, closedOf({ at: text })));
const two = closedOf({ a: listOf(closedOf({ aB: text })), b: listOf(closedOf({ a_b: text })) });
testRule('fold_into_element', {
  untouched: [
    ['the list', edits, { path: 'a', edits: [{ from: 'x', to: 'y' }] }],
    ['an open object without the list', objectOf({ edits: listOf(edit) }), { other: 'x' }],
    [
      'an open object without an optional list',
      objectOf({ edits: listOf(edit) }),
      { from: 'x', to: 'y' },
    ],
  ],
  repaired: [
    ['of a union', closedOf({ edits: either }), fromTo, { edits: [fromTo] }, '/from, /to, /edits'],
    ['where it is valid as it is', two, { a_b: 'x' }, { b: [{ a_b: 'x' }] }, '/a_b, /b'],
    [
      'all of one element',
      edits,
      { path: 'a', ...one },
      { path: 'a', edits: [one] },
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
    ['two lists', closedOf({ a: listOf(edit), b: listOf(edit) }), fromTo, twoUnknown],
    ['an incomplete element', edits, { path: 'a', from: 'x' }, missingAndUnknown],
    ['the list is there already', edits, { path: 'a', edits: [], from: 'x', to: 'y' }, twoUnknown],
    ['a list of texts', closedOf({ names: texts }), { from: 'x' }],
    [
      'lists of two kinds',
      closedOf({ a: anyOf(listOf(edit), texts) }),
      { from: 'x', to: 'y' },
      twoUnknown,
    ],
    [
      'a key that an open element does not name',
      openElements,
      { from: 'x', other: 'y' },
      twoUnknown,
    ],
    ['no list', closedOf({ a: text }), { from: 'x' }],
  ],
});

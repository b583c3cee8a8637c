import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { anyOf, closedOf, listOf, objectOf, text, texts, whole } from '../../schemas.ts';

const edit = closedOf({ from: text, to: text }, ['from', 'to']);
const edits = closedOf({ path: text, edits: listOf(edit) }, ['path', 'edits']);
const openElements = closedOf({ a: listOf(objectOf({ from: text })) });
const one = { from: 'x', to: 'y' };

const fromTo = { from: 'x', to: 'y' };
const either = listOf(anyOf(edit, closedOf({ at: text })));
const two = closedOf({ a: listOf(closedOf({ aB: text })), b: listOf(closedOf({ a_b: text })) });
testRule('fold_into_element', {
  untouched: [
    { title: 'the list', schema: edits, value: { path: 'a', edits: [{ from: 'x', to: 'y' }] } },
    {
      title: 'an open object without the list',
      schema: objectOf({ edits: listOf(edit) }),
      value: { other: 'x' },
    },
    {
      title: 'an open object without an optional list',
      schema: objectOf({ edits: listOf(edit) }),
      value: { from: 'x', to: 'y' },
    },
  ],
  repaired: [
    {
      title: 'of a union',
      schema: closedOf({ edits: either }),
      sent: fromTo,
      becomes: { edits: [fromTo] },
      repairs: ['/from', '/to', '/edits'],
    },
    {
      title: 'where it is valid as it is',
      schema: two,
      sent: { a_b: 'x' },
      becomes: { b: [{ a_b: 'x' }] },
      repairs: ['/a_b', '/b'],
    },
    {
      title: 'a name that is related to that of the array',
      schema: closedOf({ files: listOf(closedOf({ path: text, size: whole }, ['path'])) }, [
        'files',
      ]),
      sent: { path: 'a' },
      becomes: { files: [{ path: 'a' }] },
      repairs: ['/path', '/files'],
    },
    {
      title: 'all of one element',
      schema: edits,
      sent: { path: 'a', ...one },
      becomes: { path: 'a', edits: [one] },
      repairs: ['/from', '/to', '/edits'],
    },
    {
      title: 'a misspelt key',
      schema: closedOf({ edits: listOf(closedOf({ newText: text }, ['newText'])) }),
      sent: { new_text: 'x' },
      becomes: { edits: [{ newText: 'x' }] },
      repairs: ['/new_text', '/edits', 'rename_key /edits/0/new_text'],
    },
  ],
  refused: [
    {
      title: 'two lists',
      schema: closedOf({ a: listOf(edit), b: listOf(edit) }),
      sent: fromTo,
      issues: twoUnknown,
    },
    {
      title: 'an incomplete element',
      schema: edits,
      sent: { path: 'a', from: 'x' },
      issues: missingAndUnknown,
    },
    {
      title: 'the list is there already',
      schema: edits,
      sent: { path: 'a', edits: [], from: 'x', to: 'y' },
      issues: twoUnknown,
    },
    { title: 'a list of texts', schema: closedOf({ names: texts }), sent: { from: 'x' } },
    {
      title: 'lists of two kinds',
      schema: closedOf({ a: anyOf(listOf(edit), texts) }),
      sent: { from: 'x', to: 'y' },
      issues: twoUnknown,
    },
    {
      title: 'a key that an open element does not name',
      schema: openElements,
      sent: { from: 'x', other: 'y' },
      issues: twoUnknown,
    },
    { title: 'no list', schema: closedOf({ a: text }), sent: { from: 'x' } },
  ],
});

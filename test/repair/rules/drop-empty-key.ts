import { pairsOf } from '../../words.ts';
import { testRule } from '../rule-case.ts';
import { closedOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

const closed = closedOf({ name: text });
const rooted = closedOf({ root: closedOf({ v: text, kids: texts }) });
const kids = { kids: ['a'] };
const byPattern = { ...closedOf({ limit: whole }), patternProperties: { '^x-': orNull(text) } };

testRule('drop_empty_key', {
  untouched: [
    { title: 'an open object', schema: objectOf({ name: text }), value: { other: '' } },
    { title: 'a declared key', schema: closed, value: { name: '' } },
    { title: 'a map', schema: mapOf({}), value: { other: '' } },
  ],
  repaired: [
    {
      title: 'a key that was sent where it is declared',
      schema: rooted,
      sent: { root: kids, kids: [] },
      becomes: { root: kids },
      repairs: '/kids',
    },
    {
      title: 'a key near a sent name',
      schema: closedOf({ tags: texts }),
      sent: { tags: ['a'], tag: [] },
      becomes: { tags: ['a'] },
      repairs: '/tag',
    },
    {
      title: 'null',
      schema: closed,
      sent: { name: 'a', other: null },
      becomes: { name: 'a' },
      repairs: '/other',
    },
    { title: 'empty text', schema: closed, sent: { other: '' }, becomes: {}, repairs: '/other' },
    {
      title: 'an empty object',
      schema: closed,
      sent: { other: {} },
      becomes: {},
      repairs: '/other',
    },
    {
      title: 'beside a null by pattern',
      schema: byPattern,
      sent: { 'x-a': null, other: null },
      becomes: { 'x-a': null },
      repairs: '/other',
    },
  ],
  refused: [
    {
      title: 'a key that is declared elsewhere',
      schema: rooted,
      sent: { root: { v: 'a' }, kids: [] },
    },
    ...pairsOf(
      'labels/label ids/ds boxes/box categories/category title/titel new/new_text name/fullName',
    ).map(([declared, sent]) => ({
      title: `${sent} where ${declared} is absent`,
      schema: closedOf({ x: text, [declared]: {} }),
      sent: { x: 'a', [sent]: '' },
    })),
    { title: 'blank text', schema: closed, sent: { other: ' ' } },
    { title: 'false', schema: closed, sent: { other: false } },
    { title: '0', schema: closed, sent: { other: 0 } },
    { title: 'a list of null', schema: closed, sent: { other: [null] } },
  ],
});

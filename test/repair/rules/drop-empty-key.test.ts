import { pairsOf } from '../../words.ts';
import { testRule } from '../rule-case.ts';
import { closedOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

const closed = closedOf({ name: text });
const rooted = closedOf({ root: closedOf({ v: text, kids: texts }) });
const kids = { kids: ['a'] };
const byPattern = { ...closedOf({ limit: whole }), patternProperties: { '^x-': orNull(text) } };

testRule('drop_empty_key', {
  untouched: [
    ['an open object', objectOf({ name: text }), { other: '' }],
    ['a declared key', closed, { name: '' }],
    ['a map', mapOf({}), { other: '' }],
  ],
  repaired: [
    [
      'a key that was sent where it is declared',
      rooted,
      { root: kids, kids: [] },
      { root: kids },
      '/kids',
    ],
    [
      'a key near a sent name',
      closedOf({ tags: texts }),
      { tags: ['a'], tag: [] },
      { tags: ['a'] },
      '/tag',
    ],
    ['null', closed, { name: 'a', other: null }, { name: 'a' }, '/other'],
    ['empty text', closed, { other: '' }, {}, '/other'],
    ['an empty object', closed, { other: {} }, {}, '/other'],
    [
      'beside a null by pattern',
      byPattern,
      { 'x-a': null, other: null },
      { 'x-a': null },
      '/other',
    ],
  ],
  refused: [
    ['a key that is declared elsewhere', rooted, { root: { v: 'a' }, kids: [] }],
    ...pairsOf(
      'labels/label boxes/box categories/category title/titel new/new_text name/fullName',
    ).map(
      ([declared, sent]) =>
        [
          `${sent} where ${declared} is absent`,
          closedOf({ x: text, [declared]: {} }),
          { x: 'a', [sent]: '' },
        ] as const,
    ),
    ['blank text', closed, { other: ' ' }],
    ['false', closed, { other: false }],
    ['0', closed, { other: 0 }],
    ['a list of null', closed, { other: [null] }],
  ],
});

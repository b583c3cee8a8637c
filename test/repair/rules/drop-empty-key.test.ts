import { testRule } from '../rule-case.ts';
import { closedOf, mapOf, objectOf, text, texts, whole } from '../../schemas.ts';

const closed = closedOf({ name: text });
const rooted = closedOf({ root: closedOf({ v: text, kids: texts }) });
const kids = { kids: ['a'] };

testRule('drop_empty_key', {
  untouched: [
    ['an open object', objectOf({ name: text }), { other: '' }],
    ['a declared key', closed, { name: '' }],
    ['a map', mapOf({}), { other: '' }],
  ],
  repaired: [
    ['a key that was sent where it is declared', rooted, { root: kids, kids: [] }, { root: kids }, '/kids'],
    ['a key near a sent name', closedOf({ tags: texts }), { tags: ['a'], tag: [] }, { tags: ['a'] }, '/tag'],
    ['null', closed, { name: 'a', other: null }, { name: 'a' }, '/other'],
    ['empty text', closed, { other: '' }, {}, '/other'],
    ['an empty object', closed, { other: {} }, {}, '/other'],
    [
      'beside a null under a key by pattern',
      { ...closedOf({ limit: whole }), patternProperties: { '^x-': { type: ['string', 'null'] } } },
      { 'x-a': null, other: null },
      { 'x-a': null },
      '/other',
    ],
  ],
  refused: [
    ['a key that is declared elsewhere', rooted, { root: { v: 'a' }, kids: [] }],
    ...(
      [
        ['labels', 'label'],
        ['boxes', 'box'],
        ['categories', 'category'],
        ['title', 'titel'],
        ['new', 'new_text'],
        ['name', 'fullName'],
      ] as const
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

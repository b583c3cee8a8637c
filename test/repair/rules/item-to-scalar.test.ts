import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, objectOf, text, texts, whole } from '../../schemas.ts';
import { readValue, rejectedFor } from '../../read.ts';

const wholes = listOf(whole);

testRule('item_to_scalar', {
  untouched: [
    ['scalars', 'ids', wholes, [14]],
    ['elements that declare the key', 'ids', listOf(closedOf({ item: whole })), [{ item: 14 }]],
    ['elements of any keys', 'ids', listOf({ type: 'object' }), [{ item: 14 }]],
  ],
  repaired: [
    ...['item', 'value', 'element', 'Item'].map(
      (key) => [key, 'ids', wholes, [{ [key]: 14 }], [14], '/ids/0'] as const,
    ),
    ['several', 'names', texts, [{ item: 'a' }, { item: 'b' }], ['a', 'b'], '/names/0, /names/1'],
    ['some', 'names', texts, ['a', { item: 'b' }], ['a', 'b'], '/names/1'],
    [
      'a value that is repaired',
      'ids',
      wholes,
      [{ item: '14' }],
      [14],
      '/ids/0, text_to_integer /ids/0',
    ],
    ['two types', 'ids', listOf(anyOf(text, whole)), [{ item: 14 }], [14], '/ids/0'],
  ],
  refused: [
    ['another key', 'ids', wholes, [{ id: 14 }], 'type /ids/0'],
    ['a plural', 'ids', wholes, [{ items: 14 }], 'type /ids/0'],
    ['two keys', 'ids', wholes, [{ item: 14, value: 15 }], 'type /ids/0'],
    ['an array', 'ids', wholes, [{ item: [14] }], 'type /ids/0'],
    ['an object', 'ids', wholes, [{ item: { item: 14 } }], 'type /ids/0'],
    ['a value of another type', 'ids', wholes, [{ item: 'x' }], 'type /ids/0'],
    ['no element of an array', 'name', text, { item: 'a' }],
    [
      'elements may be objects',
      'ids',
      listOf(anyOf(whole, closedOf({ id: whole }))),
      [{ item: 14 }],
      'additionalProperties /ids/0',
    ],
  ],
});

test('not beside another repair of this kind, and not on a destructive tool', () => {
  const schema = objectOf({ path: text, ids: wholes }, ['path', 'ids']);
  const both = { file_path: 'a', ids: [{ item: 14 }] };
  expect(readValue(schema, both)).toMatchObject({ status: 'rejected', repairs: [] });
  const tool = { name: 'remove', effects: 'destructive' } as const;
  const sent = { path: 'a', ids: [{ item: 14 }] };
  expect(readValue(schema, sent, { tool })).toMatchObject(rejectedFor('not_confirmed'));
});

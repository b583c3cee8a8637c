import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, objectOf, text, texts, whole } from '../../schemas.ts';
import { readValue, rejectedFor } from '../../read.ts';

const wholes = listOf(whole);

testRule('item_to_scalar', {
  untouched: [
    { title: 'scalars', argument: 'ids', schema: wholes, value: [14] },
    {
      title: 'elements that declare the key',
      argument: 'ids',
      schema: listOf(closedOf({ item: whole })),
      value: [{ item: 14 }],
    },
    {
      title: 'elements of any keys',
      argument: 'ids',
      schema: listOf({ type: 'object' }),
      value: [{ item: 14 }],
    },
  ],
  repaired: [
    ...['item', 'value', 'element', 'Item'].map((key) => ({
      title: key,
      argument: 'ids',
      schema: wholes,
      sent: [{ [key]: 14 }],
      becomes: [14],
      repairs: '/ids/0',
    })),
    {
      title: 'several',
      argument: 'names',
      schema: texts,
      sent: [{ item: 'a' }, { item: 'b' }],
      becomes: ['a', 'b'],
      repairs: ['/names/0', '/names/1'],
    },
    {
      title: 'some',
      argument: 'names',
      schema: texts,
      sent: ['a', { item: 'b' }],
      becomes: ['a', 'b'],
      repairs: '/names/1',
    },
    {
      title: 'a value that is repaired',
      argument: 'ids',
      schema: wholes,
      sent: [{ item: '14' }],
      becomes: [14],
      repairs: ['/ids/0', 'text_to_integer /ids/0'],
    },
    {
      title: 'two types',
      argument: 'ids',
      schema: listOf(anyOf(text, whole)),
      sent: [{ item: 14 }],
      becomes: [14],
      repairs: '/ids/0',
    },
  ],
  refused: [
    {
      title: 'another key',
      argument: 'ids',
      schema: wholes,
      sent: [{ id: 14 }],
      issues: 'type /ids/0',
    },
    {
      title: 'a plural',
      argument: 'ids',
      schema: wholes,
      sent: [{ items: 14 }],
      issues: 'type /ids/0',
    },
    {
      title: 'two keys',
      argument: 'ids',
      schema: wholes,
      sent: [{ item: 14, value: 15 }],
      issues: 'type /ids/0',
    },
    {
      title: 'an array',
      argument: 'ids',
      schema: wholes,
      sent: [{ item: [14] }],
      issues: 'type /ids/0',
    },
    {
      title: 'an object',
      argument: 'ids',
      schema: wholes,
      sent: [{ item: { item: 14 } }],
      issues: 'type /ids/0',
    },
    {
      title: 'a value of another type',
      argument: 'ids',
      schema: wholes,
      sent: [{ item: 'x' }],
      issues: 'type /ids/0',
    },
    { title: 'no element of an array', argument: 'name', schema: text, sent: { item: 'a' } },
    {
      title: 'elements may be objects',
      argument: 'ids',
      schema: listOf(anyOf(whole, closedOf({ id: whole }))),
      sent: [{ item: 14 }],
      issues: 'additionalProperties /ids/0',
    },
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

// Text of digits with zeros before them. The zeros say something, unless a plain number is meant.
import { anyOf, listOf, number, objectOf, orNull, text, whole } from '../schemas.ts';
import { readValue, rejectedFor, repairedTo } from '../read.ts';

test.each([
  ['id', whole, '007', 7],
  ['ratio', number, '007', 7],
  ['count', whole, ' 0012 ', 12],
  ['count', whole, '00', 0],
  ['model', whole, '01', 1],
  ['timeout', whole, '030', 30],
])('%s: %p takes %p', (name, schema, sent, value) => {
  const result = readValue(objectOf({ [name]: schema }), { [name]: sent });
  expect(result).toMatchObject(repairedTo({ [name]: value }));
  expect(result.notes).toMatchObject([{ path: `/${name}` }]);
});

test('an element of an array', () => {
  const result = readValue(objectOf({ ids: listOf(whole) }), { ids: ['1', '02'] });
  expect(result).toMatchObject(repairedTo({ ids: [1, 2] }));
  expect(result.notes).toMatchObject([{ path: '/ids/1' }]);
});

test.each([
  ...[
    'file_mode mode permissions octal_value phone phoneNumber zip_code zip postalCode area_code code pin date start_time',
    'year account_number isbn timestamp',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => [name, whole, '0644'] as const),
  ['value', { ...whole, description: 'The ZIP code.' }, '01234'],
  ['value', { ...whole, title: 'Permissions' }, '0644'],
  ['value', orNull(whole), '007'],
  ['value', whole, '-007'],
  ['value', whole, '+7'],
  ['value', number, '007.5'],
  ['value', whole, '0x1f'],
  ['value', whole, '0o17'],
  ['value', whole, '00 7'],
  ['value', whole, '007a'],
  ['value', whole, '0123456789012345'],
  ['value', anyOf(whole, { type: 'boolean' }), '007'],
] as const)('%s: %p does not take %p', (name, schema, sent) => {
  const result = readValue(objectOf({ [name]: schema }), { [name]: sent });
  expect(result).toMatchObject({ status: 'rejected', repairs: [] });
});

test('text stays text', () => {
  const sent = { a: '007' };
  expect(readValue(objectOf({ a: text }), sent)).toMatchObject({
    status: 'unchanged',
    value: sent,
  });
  expect(readValue(objectOf({ a: anyOf(whole, text) }), sent)).toMatchObject({
    status: 'unchanged',
  });
});

test('a destructive tool has it confirmed', () => {
  const tool = { name: 'remove', effects: 'destructive' } as const;
  const schema = objectOf({ id: whole });
  expect(readValue(schema, { id: '007' }, { tool })).toMatchObject(rejectedFor('not_confirmed'));
  expect(readValue(schema, { id: '7' }, { tool })).toMatchObject(repairedTo({ id: 7 }));
});

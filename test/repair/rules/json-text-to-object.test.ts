import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, mapOf, objectOf, text, whole } from '../../schemas.ts';

const range = closedOf({ from: whole, to: whole }, ['from']);

testRule('json_text_to_object', {
  untouched: [
    ['an object', 'range', range, { from: 1 }],
    ['text where text is declared', 'body', text, '{"from": 1}'],
    ['text in a union that takes text', 'body', anyOf(range, text), '{"from": 1}'],
  ],
  repaired: [
    ['JSON', 'range', range, '{"from": 1, "to": 2}', { from: 1, to: 2 }],
    ['an empty object', 'filter', objectOf({ a: text }), ' {} ', {}],
    ['Python literals', 'vars', mapOf({}), "{'a': None, 'b': False}", { a: null, b: false }],
    ['encoded twice', 'range', range, '"{\\"from\\": 1}"', { from: 1 }, '/range, /range'],
  ],
  refused: [
    ['a number that lost its first quote, for text', 'a', closedOf({ n: text }), '{"n": 5"}'],
    ['a list', 'range', range, '[1, 2]'],
    ['a number', 'range', range, '1'],
    ['words', 'range', range, 'from 1 to 2'],
    ['a list of one', 'range', range, '[{"from": 1}]'],
  ],
});

test('in a union, text that is one branch as it stands is not gone on with in another', () => {
  const first = objectOf({ name: { ...text, default: '' } }, ['name']);
  const second = closedOf({ kind: { const: 'second' }, payload: whole }, ['kind', 'payload']);
  const sent = { entry: '{"kind":"second","payload":0}' };
  expect(
    interpretArguments(closedOf({ entry: anyOf(first, second) }), { value: sent }),
  ).toMatchObject({
    value: { entry: { kind: 'second', payload: 0 } },
    repairs: [{ rule: 'json_text_to_object', path: '/entry' }],
  });
});

test('a key that came twice is recorded with the start of its name, and nothing is told', () => {
  const [was, key] = [64, 70].map((length) => 'k'.repeat(length));
  const sent = { value: { map: `{"${key}": 1, "${key}": 1}` } };
  const { repairs, notes } = interpretArguments(objectOf({ map: mapOf(whole) }), sent);
  expect(repairs[1]).toEqual({
    rule: 'duplicate_key',
    path: '/map',
    was,
    tell: false,
    operations: [],
  });
  expect(notes).toEqual([]);
});

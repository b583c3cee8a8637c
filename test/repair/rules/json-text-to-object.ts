import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, mapOf, objectOf, text, whole } from '../../schemas.ts';

const range = closedOf({ from: whole, to: whole }, ['from']);

testRule('json_text_to_object', {
  untouched: [
    { title: 'an object', argument: 'range', schema: range, value: { from: 1 } },
    { title: 'text where text is declared', argument: 'body', schema: text, value: '{"from": 1}' },
    {
      title: 'text in a union that takes text',
      argument: 'body',
      schema: anyOf(range, text),
      value: '{"from": 1}',
    },
  ],
  repaired: [
    {
      title: 'JSON',
      argument: 'range',
      schema: range,
      sent: '{"from": 1, "to": 2}',
      becomes: { from: 1, to: 2 },
    },
    {
      title: 'an empty object',
      argument: 'filter',
      schema: objectOf({ a: text }),
      sent: ' {} ',
      becomes: {},
    },
    {
      title: 'Python literals',
      argument: 'vars',
      schema: mapOf({}),
      sent: "{'a': None, 'b': False}",
      becomes: { a: null, b: false },
    },
    {
      title: 'encoded twice',
      argument: 'range',
      schema: range,
      sent: '"{\\"from\\": 1}"',
      becomes: { from: 1 },
      repairs: ['/range', '/range'],
    },
  ],
  refused: [
    {
      title: 'a number that lost its first quote, for text',
      argument: 'a',
      schema: closedOf({ n: text }),
      sent: '{"n": 5"}',
    },
    { title: 'a list', argument: 'range', schema: range, sent: '[1, 2]' },
    { title: 'a number', argument: 'range', schema: range, sent: '1' },
    { title: 'words', argument: 'range', schema: range, sent: 'from 1 to 2' },
    { title: 'a list of one', argument: 'range', schema: range, sent: '[{"from": 1}]' },
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
    shownToModel: false,
    operations: [],
  });
  expect(notes).toEqual([]);
});

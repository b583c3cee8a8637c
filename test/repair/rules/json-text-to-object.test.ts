import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  listOf,
  nothing,
  number,
  objectOf,
  recordOf,
  text,
  texts,
  whole,
} from '../sample-schemas.ts';

const range = closedOf({ from: whole, to: whole }, ['from']);

testRule({
  untouched: [
    ['an object', objectOf({ range }), { range: { from: 1 } }],
    ['text where text is declared', objectOf({ body: text }), { body: '{"from": 1}' }],
    ['text in a union that takes text', objectOf({ body: anyOf(range, text) }), { body: '{"from": 1}' }],
    ['values that spell objects', objectOf({ vars: recordOf(text) }), { vars: { a: '{"from": 1}' } }],
    ['a place without a schema', objectOf({ body: {} }), { body: '{"from": 1}' }],
  ],
  repaired: [
    [
      'JSON',
      objectOf({ range }),
      { range: '{"from": 1, "to": 2}' },
      { range: { from: 1, to: 2 } },
      'json_text_to_object /range',
    ],
    [
      'an empty object',
      objectOf({ filter: objectOf({ a: text }) }),
      { filter: ' {} ' },
      { filter: {} },
      'json_text_to_object /filter',
    ],
    [
      'Python literals',
      objectOf({ vars: recordOf({}) }),
      { vars: "{'a': None, 'b': False}" },
      { vars: { a: null, b: false } },
      'json_text_to_object /vars',
    ],
    [
      'unquoted keys',
      objectOf({ range }),
      { range: '{from: 1}' },
      { range: { from: 1 } },
      'json_text_to_object /range',
    ],
    [
      'encoded twice',
      objectOf({ range }),
      { range: '"{\\"from\\": 1}"' },
      { range: { from: 1 } },
      ['json_text_to_object /range', 'json_text_to_object /range'],
    ],
    [
      'elements of a list',
      objectOf({ ranges: listOf(range) }),
      { ranges: [{ from: 1 }, '{"from": 2}'] },
      { ranges: [{ from: 1 }, { from: 2 }] },
      'json_text_to_object /ranges/1',
    ],
    [
      'values of a map',
      objectOf({ ranges: recordOf(range) }),
      { ranges: { a: '{"from": 2}' } },
      { ranges: { a: { from: 2 } } },
      'json_text_to_object /ranges/a',
    ],
    [
      'behind a reference that contains itself',
      objectOf({ node: { $ref: '#/$defs/node' } }, [], {
        $defs: { node: closedOf({ name: text, child: { $ref: '#/$defs/node' } }, ['name']) },
      }),
      { node: { name: 'a', child: '{"name": "b", "child": "{\\"name\\": \\"c\\"}"}' } },
      { node: { name: 'a', child: { name: 'b', child: { name: 'c' } } } },
      ['json_text_to_object /node/child', 'json_text_to_object /node/child/child'],
    ],
    [
      'the branch of a union that fits',
      objectOf({ range: anyOf(range, closedOf({ line: whole }, ['line']), nothing) }),
      { range: '{"line": 4}' },
      { range: { line: 4 } },
      'json_text_to_object /range',
    ],
    [
      'the fields of a union with shared properties',
      objectOf({
        target: {
          ...objectOf({ id: whole, name: text }),
          anyOf: [{ required: ['id'] }, { required: ['name'] }],
        },
      }),
      { target: '{"id": 3}' },
      { target: { id: 3 } },
      'json_text_to_object /target',
    ],
    [
      'repair goes on inside',
      objectOf({ filter: closedOf({ names: texts, limit: whole }) }),
      { filter: '{"names": "[\\"a\\"]", "limit": null}' },
      { filter: { names: ['a'] } },
      ['json_text_to_object /filter', 'drop_null /filter/limit', 'json_text_to_array /filter/names'],
    ],
    [
      'a key named __proto__ is data',
      objectOf({ vars: recordOf(number) }),
      { vars: '{"__proto__": 1}' },
      { vars: JSON.parse('{"__proto__": 1}') },
      'json_text_to_object /vars',
    ],
    [
      'a key twice with one value',
      objectOf({ range }),
      { range: '{"from": 1, "from": 1}' },
      { range: { from: 1 } },
      ['json_text_to_object /range', 'duplicate_key /range'],
    ],
    [
      'a key twice with one value, as models write it',
      objectOf({ range }),
      { range: "{'from': 1, 'from': 1}" },
      { range: { from: 1 } },
      ['json_text_to_object /range', 'duplicate_key /range'],
    ],
    [
      'a key twice inside a list',
      objectOf({ ranges: listOf(range) }),
      { ranges: '[{"from": 2}, {"from": 1, "from": 1}]' },
      { ranges: [{ from: 2 }, { from: 1 }] },
      ['json_text_to_array /ranges', 'duplicate_key /ranges/1'],
    ],
    [
      'a key twice in an envelope',
      range,
      { arguments: '{"from": 1, "from": 1}' },
      { from: 1 },
      ['unwrap_envelope', 'duplicate_key'],
    ],
  ],
  refused: [
    ['a list', objectOf({ range }), { range: '[1, 2]' }, 'type /range'],
    ['a number', objectOf({ range }), { range: '1' }, 'type /range'],
    ['words', objectOf({ range }), { range: 'from 1 to 2' }, 'type /range'],
    ['empty text', objectOf({ range }, ['range']), { range: '' }, 'type /range'],
    ['a closer is missing', objectOf({ range }), { range: '{"from": 1' }, 'type /range'],
    ['something around it', objectOf({ range }), { range: 'range: {"from": 1}' }, 'type /range'],
    ['an object that does not fit', objectOf({ range }), { range: '{"to": 2}' }, 'type /range'],
    ['duplicate keys that differ', objectOf({ range }), { range: '{"from": 1, "from": 2}' }, 'type /range'],
    ['an unquoted value', objectOf({ vars: recordOf(text) }), { vars: '{a: b}' }, 'type /vars'],
    [
      'digits that a number would lose',
      objectOf({ range }),
      { range: '{"from": 9007199254740993}' },
      ['unsafe_number', 'type /range'],
    ],
    ['a list of one', objectOf({ range }), { range: '[{"from": 1}]' }, 'type /range'],
    ['a key twice with two values', objectOf({ range }), { range: '{"from": 1, "from": 2}' }, 'type /range'],
    [
      'a key twice with two values, as models write it',
      objectOf({ range }),
      { range: "{'from': 1, 'from': 2}" },
      'type /range',
    ],
    ['the text null', objectOf({ range }, ['range']), { range: '"null"' }, 'type /range'],
  ],
});

test('in a union, text that is one branch as it stands is not gone on with in another', () => {
  const entry = {
    anyOf: [
      { type: 'object', properties: { name: { type: 'string', default: '' } }, required: ['name'] },
      {
        type: 'object',
        properties: { kind: { const: 'second' }, payload: { type: 'integer' } },
        required: ['kind', 'payload'],
        additionalProperties: false,
      },
    ],
  } as const;
  const schema = { type: 'object', properties: { entry }, additionalProperties: false } as const;
  const sent = { entry: '{"kind":"second","payload":0}' };
  expect(interpretArguments(schema, { value: sent })).toMatchObject({
    status: 'repaired',
    value: { entry: { kind: 'second', payload: 0 } },
    repairs: [{ rule: 'json_text_to_object', path: '/entry' }],
  });
});

test('a key that came twice is recorded with the start of its name, and nothing is told', () => {
  const key = 'k'.repeat(70);
  const { repairs, notes } = interpretArguments(objectOf({ map: recordOf(whole) }), {
    value: { map: `{"${key}": 1, "${key}": 1}` },
  });
  expect(repairs[1]).toEqual({
    rule: 'duplicate_key',
    path: '/map',
    was: 'k'.repeat(64),
    tell: false,
    operations: [],
  });
  expect(notes).toEqual([]);
});

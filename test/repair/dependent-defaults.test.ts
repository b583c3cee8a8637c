import { interpretArguments } from 'toolmend';
import { listOf, mapOf, objectOf, number, type Schema, text, whole } from '../schemas.ts';

const slice: Schema = objectOf({ offset: whole, limit: whole, name: text }, [], {
  'x-toolmend': {
    relational: [{ requires: ['offset', 'limit'], defaults: { offset: 0, limit: 100 } }],
  },
});

const filled = (schema: Schema, value: unknown): readonly unknown[] => {
  const result = interpretArguments(schema, { value });
  return [
    Reflect.get(result, 'value'),
    result.repairs.map(({ rule, path, was }) => [rule, path, was]),
  ];
};

describe('absent companions', () => {
  const paged = objectOf({ page: slice, name: text });
  const ofPair = objectOf({ pair: { type: 'array', prefixItems: [slice, text] } });
  const ofMap = objectOf({ m: mapOf(slice) });
  const next = { $ref: '#/$defs/node' };
  const recursive = { ...next, $defs: { node: objectOf({ page: slice, next }) } };
  const [five, both] = [{ limit: 5 }, { limit: 5, offset: 0 }];

  test.each([
    ['of the arguments', slice, { limit: 5 }, { limit: 5, offset: 0 }, ['/offset']],
    ['the other one', slice, { offset: 5 }, { offset: 5, limit: 100 }, ['/limit']],
    [
      'inside an object',
      paged,
      { page: five, name: 'a' },
      { page: both, name: 'a' },
      ['/page/offset'],
    ],
    [
      'in elements of a list',
      objectOf({ pages: listOf(slice) }),
      { pages: [{ limit: 5 }, { name: 'a' }, { offset: 1 }] },
      { pages: [{ limit: 5, offset: 0 }, { name: 'a' }, { offset: 1, limit: 100 }] },
      ['/pages/0/offset', '/pages/2/limit'],
    ],
    [
      'at the start of a tuple',
      ofPair,
      { pair: [five, 'a'] },
      { pair: [both, 'a'] },
      ['/pair/0/offset'],
    ],
    ['in a map', ofMap, { m: { a: five, b: {} } }, { m: { a: both, b: {} } }, ['/m/a/offset']],
    [
      'in recursion',
      recursive,
      { next: { page: five } },
      { next: { page: both } },
      ['/next/page/offset'],
    ],
  ] satisfies [string, unknown, unknown, unknown, string[]][])(
    '%s',
    (_title, schema, sent, value, places) => {
      const records = places.map((path) => ['dependent_default', path, 'absent']);
      expect(filled({ type: 'object', ...schema }, sent)).toEqual([value, records]);
    },
  );

  test('what has none to fill keeps its identity beside what has', () => {
    const sent = { pages: [{ limit: 5 }], others: [{ name: 'a' }], page: { name: 'b' } };
    const schema = objectOf({ pages: listOf(slice), others: listOf(slice), page: slice });
    const value: unknown = Reflect.get(interpretArguments(schema, { value: sent }), 'value');
    expect(value).toEqual({ ...sent, pages: [{ limit: 5, offset: 0 }] });
    expect(Reflect.get(Object(value), 'others')).toBe(sent.others);
    expect(Reflect.get(Object(value), 'page')).toBe(sent.page);
  });

  test('numbers beside them keep their digits', () => {
    const page = { ...slice, properties: { ...slice.properties, size: number } };
    const schema = objectOf({ pair: { type: 'array', prefixItems: [page, number] } });
    const sent = { text: '{"pair":[{"limit":5,"size":1.50},2.50]}' };
    const result = interpretArguments(schema, sent, { output: 'json' });
    expect(result).toMatchObject({ text: '{"pair":[{"limit":5,"size":1.50,"offset":0},2.50]}' });
  });

  test('the record can be replayed, and the model is told', () => {
    expect(interpretArguments(slice, { value: { limit: 5 } })).toMatchObject({
      status: 'repaired',
      repairs: [{ shownToModel: true, operations: [{ op: 'add', path: '/offset', value: 0 }] }],
      notes: [
        { rule: 'dependent_default', path: '/offset', text: 'offset was not sent; 0 was used.' },
      ],
    });
  });
});

describe('nothing is added', () => {
  test.each([
    ['where both are there', slice, { offset: 1, limit: 5 }],
    ['where none is', slice, { name: 'a' }],
    [
      'to a list that has none to fill',
      objectOf({ pages: listOf(slice) }),
      { pages: [{ name: 'a' }] },
    ],
    [
      'null for the object',
      objectOf({ page: { ...slice, type: ['object', 'null'] } }),
      { page: null },
    ],
    ['beside a key that may be the companion', slice, { limit: 5, offsets: 3 }],
    ['where the object is absent', objectOf({ page: slice, name: text }), { name: 'a' }],
  ])('%s', (_title, schema, sent) => {
    const result = interpretArguments(schema, { value: sent });
    expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
    expect(Reflect.get(result, 'value')).toBe(sent);
  });

  test('where the companion came under another spelling, with a value that doesn’t fit', () => {
    const sent = { limit: 5, Offset: 'the first' };
    expect(filled(slice, sent)).toEqual([sent, []]);
  });
});

// What has the result of an interpretation, and what does it share with what was sent?
import {
  contractOf,
  DefinitionError,
  interpret,
  interpretArguments,
  type CreateValidator,
  type SchemaWarning,
} from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { closedOf, listOf, objectOf, recordOf, type Schema, text, whole } from '../repair/sample-schemas.ts';

const schema = closedOf({ path: text, limit: whole, tags: listOf(text) }, ['path']);

describe('the shape', () => {
  test('unchanged', () => {
    expect(interpretArguments(schema, { value: { path: 'a' } })).toStrictEqual({
      status: 'unchanged',
      value: { path: 'a' },
      meta: {},
      repairs: [],
      notes: [],
      issues: [],
    });
  });

  test('repaired', () => {
    expect(interpretArguments(schema, { value: { path: 'a', limit: '5' } })).toStrictEqual({
      status: 'repaired',
      value: { path: 'a', limit: 5 },
      meta: {},
      repairs: [
        {
          rule: 'text_to_integer',
          path: '/limit',
          was: 'the string "5"',
          tell: false,
          operations: [{ op: 'replace', path: '/limit', value: 5 }],
        },
      ],
      notes: [],
      issues: [],
    });
  });

  test('rejected: no value, no half of a repair', () => {
    const result = interpretArguments(schema, { value: { path: ['a', 'b'], limit: '5' } });
    expect(result).toStrictEqual({
      status: 'rejected',
      meta: {},
      repairs: [],
      notes: [],
      issues: [{ keyword: 'type', path: '/path', expected: 'a string', received: 'an array of 2' }],
      message: expect.stringContaining('path: expected a string, got an array of 2') as string,
    });
  });
});

describe('identity', () => {
  test('a valid value comes back as it is, frozen or not', () => {
    const value = { path: 'a', tags: ['x'] };
    expect(interpretArguments(schema, { value })).toHaveProperty('value', value);
    expect(Reflect.get(interpretArguments(schema, { value }), 'value')).toBe(value);
    expect(Object.isFrozen(value)).toBe(false);
  });

  test('what is not repaired keeps its identity beside what is', () => {
    const sent = deepFrozen({ path: 'a', limit: '5', tags: ['x'] });
    const result = interpretArguments(schema, { value: sent });
    expect(Reflect.get(Reflect.get(result, 'value'), 'tags')).toBe(sent.tags);
    expect(JSON.stringify(Reflect.get(result, 'value'))).toBe('{"path":"a","limit":5,"tags":["x"]}');
  });

  test('valid text is its first parse: key order, numbers, strings', () => {
    const sent = '{"tags":["x","\\u00e9\\ud83d\\ude00"],"path":" a\\n","limit":-0}';
    const result = interpretArguments(schema, { text: sent });
    expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
    expect(JSON.stringify(Reflect.get(result, 'value'))).toBe(
      '{"tags":["x","é😀"],"path":" a\\n","limit":0}',
    );
  });

  test('the schema is not written to, and its object may be frozen', () => {
    const before = JSON.stringify(schema);
    interpretArguments(deepFrozen(structuredClone(schema)), { value: { Path: 'a', limit: null } });
    interpretArguments(schema, { value: { Path: 'a', limit: null } });
    expect(JSON.stringify(schema)).toBe(before);
    expect(Object.isFrozen(schema)).toBe(false);
  });

  test('two calls with one schema share nothing that one could change', () => {
    const defaults = objectOf({ tags: { type: 'array', default: ['a'] } }, ['tags']);
    const first: unknown = Reflect.get(
      Reflect.get(interpretArguments(defaults, { value: {} }), 'value'),
      'tags',
    );
    if (Array.isArray(first)) first.push('b');
    expect(interpretArguments(defaults, { value: {} })).toHaveProperty('value', { tags: ['a'] });
  });
});

test('the same call gives the same result, a hundred times', () => {
  const sent = { path: ['a', 'b'], limt: 5, tags: 'x, y', extra: { a: 1 } };
  const first = JSON.stringify(interpretArguments(schema, { value: sent }));
  for (let count = 0; count < 100; count += 1) {
    expect(
      JSON.stringify(interpretArguments(structuredClone(schema), { value: structuredClone(sent) })),
    ).toBe(first);
  }
});

describe('options', () => {
  test('all that there are', () => {
    const result = interpretArguments(
      schema,
      { text: '{"path": "a"' },
      {
        meta: false,
        finishReason: 'length',
        onUnusableSchema: 'refuse',
        warn: () => undefined,
        validator: interpretingValidator,
        tool: 'find',
        output: 'value',
        failedBefore: 1,
        failureLimit: 2,
        provider: 'anthropic',
        shownName: 'search',
      },
    );
    expect(result).toMatchObject({ status: 'rejected', issues: [{ keyword: 'truncated' }] });
    expect(Reflect.get(result, 'message')).toMatch(/^search was not executed/);
  });

  test('one that there is not', () => {
    const asked = (): unknown =>
      Reflect.apply(interpretArguments, undefined, [structuredClone(schema), { value: {} }, { tol: 'find' }]);
    expect(asked).toThrow(DefinitionError);
    expect(asked).toThrow('interpretArguments has no option "tol": write tool.');
  });

  test('a value that is text is no argument text', () => {
    expect(interpretArguments(schema, { value: '{"path": "a"}' }, { tool: 'find' })).toMatchObject({
      status: 'repaired',
      value: { path: 'a' },
      repairs: [{ rule: 'double_encoded' }],
    });
    expect(interpretArguments(schema, { value: 'path' }).status).toBe('rejected');
  });
});

describe('a schema object', () => {
  const numbered = (): Schema => closedOf({ n: whole });

  test('is read once: what becomes of it later does not count', () => {
    const changed = numbered();
    expect(interpretArguments(changed, { value: { n: 1 } }).status).toBe('unchanged');
    Object.assign(changed, closedOf({ m: whole }));
    expect(interpretArguments(changed, { value: { n: 1 } }).status).toBe('unchanged');
    expect(interpretArguments(changed, { value: { m: 1 } }).status).toBe('rejected');
  });

  test('is validated by whom the call names, whoever was asked before', () => {
    const validated = numbered();
    const strict: CreateValidator = (root) => ({
      accepts: () => false,
      failures: () => [{ keyword: 'type', path: '', schema: root }],
    });
    const value = { n: 1 };
    expect(interpretArguments(validated, { value }).status).toBe('unchanged');
    expect(interpretArguments(validated, { value }, { validator: strict }).status).toBe('rejected');
    expect(interpretArguments(validated, { value }).status).toBe('unchanged');
    expect(interpretArguments(validated, { value }, { validator: strict }).status).toBe('rejected');
  });

  test('is warned of once, whoever asks', () => {
    const remote = objectOf({ a: { $ref: 'https://example.com/a.json' } });
    const codes: string[] = [];
    const warn = ({ code }: SchemaWarning): void => void codes.push(code);
    for (const tool of ['find', { name: 'find', effects: 'read' }, { name: 'find' }] as const)
      interpretArguments(remote, { value: {} }, { tool, warn });
    expect(codes).toEqual(['unusable_schema']);
  });
});

test.each([null, undefined, '{"path":"a"}', 5, { arguments: '{}' }])('%j is not an input', (input) => {
  const asked = (): unknown => Reflect.apply(interpretArguments, undefined, [schema, input]);
  expect(asked).toThrow(DefinitionError);
  expect(asked).toThrow(
    'interpretArguments was given no input: pass { text } for argument text as it came, or { value } for what a provider has parsed.',
  );
});

test('a schema in a variable needs no type of its own', () => {
  const plain = { type: 'object', properties: { limit: { type: 'integer' } } };
  expect(interpretArguments(plain, { text: '{"limit": 5}' }).status).toBe('unchanged');
});

describe('a contract', () => {
  test('is interpreted by the seam as its schema is', () => {
    expect(typeof contractOf).toBe('function');
    const viaSchema = interpretArguments(schema, { text: '{"path": "a", "limit": "5"}' });
    expect(viaSchema.status).toBe('repaired');
    expect(typeof interpret).toBe('function');
  });
});

describe('a schema that is none', () => {
  test.each<[string, unknown, RegExp]>([
    ['null', null, /not the schema of an object/],
    ['true', true, /not the schema of an object/],
    ['a list', [], /not the schema of an object/],
    ['of another type', { type: 'string' }, /not the schema of an object/],
    [
      'with an unknown type',
      { type: 'object', properties: { a: { type: 'strin' } } },
      /has the unknown type "strin"/,
    ],
    [
      'with a broken pattern',
      { type: 'object', properties: { a: { pattern: '[' } } },
      /can't be compiled \(.*regular expression/,
    ],
    ['with properties in a list', { type: 'object', properties: [] }, /has a value of the wrong type for/],
    ['with required as text', { type: 'object', required: 'a' }, /has a value of the wrong type for/],
    ['that leads back to itself', { type: 'object', allOf: [{ $ref: '#' }] }, /# leads back to itself/],
    [
      'with a union that leads back to itself',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/x' } },
        $defs: { x: { anyOf: [{ $ref: '#/$defs/x' }] } },
      },
      /#\/\$defs\/x leads back to itself/,
    ],
  ])('%s is a DefinitionError that names the tool', (_title, none, message) => {
    const asked = (): unknown =>
      interpretArguments(
        none as Parameters<typeof interpretArguments>[0],
        { value: {} },
        { tool: 'read_file', onUnusableSchema: 'refuse' },
      );
    expect(asked).toThrow(DefinitionError);
    expect(asked).toThrow(/^read_file has an input schema/);
    expect(asked).toThrow(message);
  });

  test('with a reference to nothing, or only to itself, its calls come back as they are', () => {
    const loops = objectOf({
      a: { $ref: '#/properties/a' },
      b: { $ref: 'https://example.com/x' },
      c: { $ref: '#/$defs/no' },
    });
    expect(interpretArguments(loops, { value: { a: 1, b: [], c: null } })).toMatchObject({
      status: 'unchanged',
    });
  });

  test('a schema that contains itself below is validated as deep as the value goes', () => {
    const tree = closedOf({ name: text, children: listOf({ $ref: '#' }) }, ['name']);
    const value = { name: 'a', children: [{ name: 'b', children: '[{"name": "c"}]' }] };
    expect(interpretArguments(tree, { value })).toMatchObject({
      status: 'repaired',
      value: { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] },
    });
  });
});

describe('two spellings and double keys', () => {
  test('equal double keys in text are one, and recorded', () => {
    expect(interpretArguments(schema, { text: '{"path": "a", "path": "a"}' })).toMatchObject({
      status: 'repaired',
      value: { path: 'a' },
      repairs: [{ rule: 'duplicate_key', path: '', was: 'path', operations: [] }],
    });
  });

  test('different ones are refused, nested ones too', () => {
    for (const sent of ['{"path": "a", "path": "b"}', '{"path": "a", "tags": [{"x": 1, "x": 2}]}']) {
      expect(interpretArguments(recordOf({}), { text: sent })).toMatchObject({
        status: 'rejected',
        issues: [{ keyword: 'duplicate_key' }],
      });
    }
  });
});

describe('digits', () => {
  test.each([
    ['{"path": "a", "limit": 12345678901234567890}', '/limit'],
    ['{"path": "a", "limit": 1e400}', '/limit'],
    ['{"path": "a", "x": {"y": [0, 9007199254740993]}}', '/x/y/1'],
  ])('%s is refused at %s', (sent, path) => {
    const open = objectOf({ path: text, limit: { type: 'number' } });
    expect(interpretArguments(open, { text: sent })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'unsafe_number', path }],
    });
  });

  test('beside another repair they are refused as well', () => {
    const result = interpretArguments(schema, { text: '{"Path": "a", "limit": 12345678901234567890}' });
    expect(result).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'unsafe_number', path: '/limit' }],
    });
  });
});

describe('pairs', () => {
  const paged = objectOf({ offset: whole, limit: whole, query: text }, [], {
    'x-toolmend': { relational: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }] },
  });

  test('an absent partner with a default is filled, and the model is told', () => {
    expect(interpretArguments(paged, { value: { limit: 5 } })).toMatchObject({
      status: 'repaired',
      value: { limit: 5, offset: 0 },
      repairs: [
        {
          rule: 'pairs',
          path: '/offset',
          tell: true,
          operations: [{ op: 'add', path: '/offset', value: 0 }],
        },
      ],
      notes: [{ rule: 'pairs', path: '/offset', text: 'offset was not sent; 0 was used.' }],
    });
  });

  test.each([{}, { query: 'x' }, { offset: 3 }, { offset: 3, limit: 5 }])('%j stays as it is', (value) => {
    expect(interpretArguments(paged, { value })).toMatchObject({ status: 'unchanged', notes: [] });
  });

  test('in elements of a list, after a repair', () => {
    const lists = objectOf({ pages: listOf(paged) });
    expect(interpretArguments(lists, { value: { pages: [{ limit: '5' }, {}] } })).toMatchObject({
      value: { pages: [{ limit: 5, offset: 0 }, {}] },
      repairs: [{ rule: 'text_to_integer' }, { rule: 'pairs', path: '/pages/0/offset' }],
    });
  });

  test('the words of other servers', () => {
    const foreign = objectOf({ offset: whole, limit: whole }, [], {
      'dirge-hints': { relational: [{ fields: ['offset', 'limit'], default: { offset: 0 } }] },
    });
    expect(interpretArguments(foreign, { value: { limit: 5 } })).toMatchObject({
      value: { limit: 5, offset: 0 },
    });
  });

  test('a partner that its own schema refuses is not filled', () => {
    const wrong = objectOf({ offset: whole, limit: whole }, [], {
      'x-toolmend': { relational: [{ requires: ['offset', 'limit'], defaults: { offset: 'none' } }] },
    });
    expect(interpretArguments(wrong, { value: { limit: 5 } })).toMatchObject({
      status: 'unchanged',
      value: { limit: 5 },
    });
  });
});

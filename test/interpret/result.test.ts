import {
  type CreateValidator,
  type SchemaWarning,
  DefinitionError,
  ToolCallCollector,
  interpretArguments,
} from 'toolmend';
import { ajvValidator } from 'toolmend/ajv';
import { schemaValidator } from '../../src/validate/schema-validator.ts';
import {
  messageOf,
  read,
  readValue,
  rejectedFor,
  repairedTo,
  unchanged,
  valueOf,
} from '../read.ts';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { closedOf, listOf, objectOf, type Schema, text, texts, whole } from '../schemas.ts';

const schema = closedOf({ path: text, limit: whole, tags: texts }, ['path']);
const nothingElse = { meta: {}, notes: [], issues: [] };

describe('the result', () => {
  test('of a valid call', () => {
    const value = { path: 'a' };
    expect(readValue(schema, value)).toStrictEqual({
      ...unchanged(value),
      repairs: [],
      ...nothingElse,
    });
    expect(readValue(schema, value, { output: 'json' })).toMatchObject({ text: '{"path":"a"}' });
  });

  test('of a repaired call', () => {
    const path = '/limit';
    const operations = [{ op: 'replace', path, value: 5 }];
    const record = {
      rule: 'text_to_integer',
      path,
      was: 'the string "5"',
      shownToModel: false,
      operations,
    };
    const expected = { ...repairedTo({ path: 'a', limit: 5 }), repairs: [record], ...nothingElse };
    expect(readValue(schema, { path: 'a', limit: '5' })).toStrictEqual(expected);
  });

  test('of a rejected call has neither a value nor half of a repair', () => {
    for (const output of ['value', 'json'] as const)
      expect(readValue(schema, { path: ['a', 'b'], limit: '5' }, { output })).toStrictEqual({
        status: 'rejected',
        repairs: [],
        ...nothingElse,
        issues: [
          { keyword: 'type', path: '/path', expected: 'a string', received: 'an array of 2' },
        ],
        message: expect.stringContaining('path: expected a string, got an array of 2') as string,
      });
    const issues = read(schema, '{"limit": 12345678901234567890, "path": ["a", "b"]}').issues;
    expect(issues).toMatchObject([{ keyword: 'unsafe_number' }, { path: '/path' }]);
  });

  test.each(["{'path': 'a'}", '{"path": "a", "path": "a"}', '{"path": "say "hi" now"}'])(
    'of text that needs repair is a rejection if repair is off: %s',
    (sent) =>
      expect(read(schema, sent, { tool: { repair: 'off' } })).toMatchObject(
        rejectedFor('not_json'),
      ),
  );

  test('shares what is not repaired with what was sent, and freezes nothing', () => {
    const sent = { path: 'a', limit: '5', tags: ['x'] };
    const value = Object(valueOf(readValue(schema, deepFrozen(structuredClone(sent)))));
    expect(JSON.stringify(value)).toBe('{"path":"a","limit":5,"tags":["x"]}');
    expect(Object(valueOf(readValue(schema, sent))).tags).toBe(sent.tags);
    expect(Object.isFrozen(sent.tags)).toBe(false);
  });

  test.each([
    ['', '"path": "a"', 'unchanged'],
    ['```', '"path": "a"', 'unsafe_number /limit'],
    ['', '"path": "a", "tags": "b"', 'type /tags'],
    ['', '"path": ["a", "b"]', 'type /path'],
  ])('of a number beyond JavaScript’s, as JSON: %s %s is %s', (fence, others, expected) => {
    const sent = `{"limit": 12345678901234567890, ${others}}`;
    const result = read(schema, `${fence}\n${sent}\n${fence}`.trim(), { output: 'json' });
    const issues = result.issues.map(({ keyword, path }) => `${keyword} ${path}`);
    expect(issues.join() || result.status).toBe(expected);
  });

  test('of valid text is what JSON.parse reads', () => {
    const sent = '{"tags":["x","\\u00e9\\ud83d\\ude00"],"path":" a\\n","limit":-0}';
    expect(read(schema, sent)).toMatchObject({ status: 'unchanged', repairs: [] });
    expect(JSON.stringify(valueOf(read(schema, sent)))).toBe(
      '{"tags":["x","é😀"],"path":" a\\n","limit":0}',
    );
  });
});

describe('options', () => {
  test('are all accepted together', () => {
    const result = read(schema, '{"path": "a"', {
      meta: false,
      finishReason: 'length',
      onUnusableSchema: 'refuse',
      warn: () => undefined,
      validator: schemaValidator,
      tool: 'find',
      output: 'value',
      failedBefore: 1,
      failureLimit: 2,
      provider: 'anthropic',
      shownName: 'search',
    });
    expect(result).toMatchObject(rejectedFor('truncated'));
    expect(messageOf(result)).toMatch(/^search was not executed/);
  });

  test('a collected call is an input, with its finish reason', () => {
    const collector = new ToolCallCollector();
    collector.add({ index: 0, id: 'call_1', name: 'find', arguments: '{"path": "a"' });
    const [call] = collector.end('tool_calls');
    if (call === undefined) throw new Error('there is no call');
    expect(interpretArguments(schema, call, { tool: call.name })).toMatchObject(
      repairedTo({ path: 'a' }),
    );
    const ended = (finishReason: string | null) =>
      interpretArguments(schema, call, { finishReason });
    expect(ended(null)).toEqual(interpretArguments(schema, call));
    expect(ended('length')).toMatchObject(rejectedFor('truncated'));
  });

  const noInput =
    'interpretArguments was given no input: pass { text } for argument text as it came, or { value } for what a provider has parsed.';
  test.each<[readonly unknown[], string]>([
    [
      [schema, { value: {} }, { tol: 'find' }],
      'interpretArguments has no option "tol": write tool.',
    ],
    [
      [schema, { value: {} }, { name: 'find' }],
      'interpretArguments has no option "name": write tool.',
    ],
    [[schema, null], noInput],
    [[schema], noInput],
    [[schema, '{"path":"a"}'], noInput],
    [
      [schema, { arguments: '{}', text: '{}' }],
      'interpretArguments was given text and arguments: pass one.',
    ],
  ])('that are wrong are a definition error: %#', (given, message) => {
    const call = (): unknown => Reflect.apply(interpretArguments, undefined, [...given]);
    expect(call).toThrow(DefinitionError);
    expect(call).toThrow(message);
  });
});

describe('a schema object', () => {
  test('is read once: later changes have no effect', () => {
    const changed = closedOf({ n: whole });
    expect(readValue(changed, { n: 1 }).status).toBe('unchanged');
    Object.assign(changed, closedOf({ m: whole }));
    expect(readValue(changed, { n: 1 }).status).toBe('unchanged');
    expect(readValue(changed, { m: 1 }).status).toBe('rejected');
  });

  test('is validated by the validator of each call', () => {
    const validated = closedOf({ n: whole });
    const strict: CreateValidator = (root) => ({
      accepts: () => false,
      failures: () => [{ keyword: 'type', path: '', schema: root }],
    });
    const statuses = [{}, { validator: strict }, {}, { validator: strict }].map(
      (options) => readValue(validated, { n: 1 }, options).status,
    );
    expect(statuses).toEqual(['unchanged', 'rejected', 'unchanged', 'rejected']);
  });

  test('is compiled once for the same validator, name and meta arguments', () => {
    const own = closedOf({ path: text });
    const made: string[] = [];
    const countedAs =
      (name: string): CreateValidator =>
      (root) => {
        made.push(name);
        return ajvValidator(root);
      };
    const [first, second] = [countedAs('first'), countedAs('second')];
    for (const validator of [first, first, second, second])
      readValue(own, { path: 'a' }, { validator });
    expect(made).toEqual(['first', 'second']);
    for (let round = 0; round < 2; round += 1)
      for (const options of [
        { tool: 'find' },
        { meta: true },
        { onUnusableSchema: 'refuse' },
      ] as const)
        readValue(own, { path: 'a' }, { validator: second, ...options });
    expect(made).toEqual(['first', 'second', 'second', 'second', 'second']);
  });

  test.each<[string, Schema]>([
    ['unusable_schema', objectOf({ a: { $ref: '#/$defs/nowhere' } })],
    ['external_reference', objectOf({ a: { $ref: 'https://example.com/a.json' } })],
    ['unknown_keywords', objectOf({ n: { ...whole, minimun: 3 } })],
  ])('is warned of once: %s', (code, given) => {
    const warnings: SchemaWarning[] = [];
    const warn = (warning: SchemaWarning): void => void warnings.push(warning);
    for (const tool of ['a', 'b', { name: 'c', effects: 'read' }] as const)
      readValue(given, {}, { tool, warn });
    expect(warnings.map((warning) => [warning.code, warning.tool])).toEqual([[code, 'a']]);
    expect(read(given, '{"b": 1}').status).toBe('unchanged');
    expect(read(given, "{'b': 1}").status).toBe(
      code === 'unusable_schema' ? 'rejected' : 'repaired',
    );
  });
});

test.each([null, text])('%j is not the schema of an object', (none) => {
  const call = (): unknown => Reflect.apply(interpretArguments, undefined, [none, { value: {} }]);
  expect(call).toThrow(DefinitionError);
  expect(call).toThrow(/not the schema of an object/);
});

test('names of the provider’s schema are those of the tool', () => {
  const spaced = closedOf({ 'a b': text, o: closedOf({ 'c d': whole }) });
  const asked = (sent: string) => read(spaced, sent, { provider: 'anthropic' });
  expect(asked('{"a_b":"x"}')).toMatchObject({ status: 'unchanged', value: { 'a b': 'x' } });
  expect(asked('{"o":"{\\"c_d\\":1}"}')).toMatchObject(repairedTo({ o: { 'c d': 1 } }));
  expect(messageOf(asked('{"a_b":[]}'))).toMatch(
    /- a_b: expected a string[^]*Expected: \{ a_b\?: string/,
  );
});

test('a schema in a variable needs no type of its own', () => {
  const plain = { type: 'object', properties: { limit: whole } };
  expect(interpretArguments(plain, { text: '{"limit": 5}' }).status).toBe('unchanged');
});

test('a schema that contains itself is followed as deep as the value goes', () => {
  const tree = closedOf({ name: text, children: listOf({ $ref: '#' }) }, ['name']);
  const value = { name: 'a', children: [{ name: 'b', children: '[{"name": "c"}]' }] };
  const repaired = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] };
  expect(readValue(tree, value)).toMatchObject(repairedTo(repaired));
});

describe('dependent defaults', () => {
  const paged = (more: Schema): Schema => objectOf({ offset: whole, limit: whole }, [], more);

  test('can be declared in the words of other servers', () => {
    const relational = [{ fields: ['offset', 'limit'], default: { offset: 0 } }];
    const value = { limit: 5, offset: 0 };
    expect(readValue(paged({ 'dirge-hints': { relational } }), { limit: 5 })).toMatchObject({
      value,
    });
  });

  test('are not filled if their own schema rejects them', () => {
    const relational = [{ requires: ['offset', 'limit'], defaults: { offset: 'none' } }];
    const result = readValue(paged({ 'x-toolmend': { relational } }), { limit: 5 });
    expect(result).toMatchObject({ status: 'unchanged', value: { limit: 5 } });
  });
});

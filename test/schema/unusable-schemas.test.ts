import { createHook } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import {
  type SchemaObject,
  type SchemaWarning,
  type ToolDefinition,
  DefinitionError,
  interpretArguments,
  ToolRegistry,
} from 'toolmend';
import { objectOf, text, texts, whole } from '../schemas.ts';
import { read, readValue, rejectedFor, repairedTo, unchanged } from '../read.ts';
import { callOf, toolOf } from '../tools.ts';
import { wordsOf } from '../words.ts';

const dangling = objectOf({ n: whole, a: { $ref: '#/$defs/address' } });

const asked = (
  schema: unknown,
  value: unknown,
): { warnings: readonly SchemaWarning[]; result: unknown } => {
  const warnings: SchemaWarning[] = [];
  const warn = (warning: SchemaWarning): void => void warnings.push(warning);
  const ask = () => readValue(schema as SchemaObject, value, { tool: 'find', warn });
  return { result: (ask(), ask()), warnings };
};

/**
 * A registry with a tool that returns its arguments, and the codes of the warnings that its
 * listener gets.
 */
function warnedRegistry(options: Partial<ToolDefinition>) {
  const codes: string[] = [];
  const listeners = [{ onWarning: ({ code }: SchemaWarning) => codes.push(code) }, {}];
  const tools = new ToolRegistry({ listeners }).register(toolOf((values) => values, options));
  return { tools, codes };
}

const nested = (levels: number): SchemaObject => {
  let schema: SchemaObject = { type: 'object' };
  for (let level = 0; level < levels; level += 1)
    schema = { type: 'object', properties: { a: schema } };
  return schema;
};

const wide = (count: number): SchemaObject =>
  objectOf(Object.fromEntries(Array.from({ length: count }, (_key, index) => [`p${index}`, {}])));

const $defs = {
  x: { $dynamicAnchor: 'node' },
  y: { $id: 'https://example.com/y', $dynamicAnchor: 'node' },
};
const wrongType = (keyword: string) => new RegExp(`has a value of the wrong type for ${keyword}`);
const loop = {
  $defs: { x: { anyOf: [{ $ref: '#/$defs/x' }] } },
  properties: { a: { $ref: '#/$defs/x' } },
};

/** Title, schema (a function if it is large), and why it is unusable. */
const unusable: readonly (readonly [string, object | (() => object), RegExp])[] = [
  [
    'another document as a whole',
    { $ref: 'https://example.com/a.json' },
    /refers to https:\/\/example\.com/,
  ],
  ['no definition', objectOf({ a: { $ref: '#/$defs/no' } }), /refers to #\/\$defs\/no/],
  ['no anchor', objectOf({ a: { $ref: '#no' } }), /refers to #no/],
  [
    'a dynamic anchor, twice',
    objectOf({ a: { $dynamicRef: '#node' } }, [], { $defs }),
    /refers to #node/,
  ],
  ['itself', objectOf({ a: { $ref: '#/properties/a' } }), /leads back to itself/],
  [
    'an unknown type',
    { properties: { a: { type: 'strin' } } },
    /has the unknown type "strin" \(JSON Schema has null, boolean, integer, number, string, array, object\)/,
  ],
  ['an invalid pattern', objectOf({ a: { pattern: '[' } }), /can't be compiled/],
  ['required as a boolean', { properties: { a: { required: true } } }, wrongType('required')],
  ['one schema under allOf', { type: 'object', allOf: {} }, wrongType('allOf')],
  ['a loop', { type: 'object', allOf: [{ $ref: '#' }] }, /# leads back to itself/],
  ['a loop in a union', loop, /#\/\$defs\/x leads back to itself/],
  [
    'an unknown draft',
    { ...objectOf({}), $schema: 'https://example.com/schema' },
    /unknown draft https/,
  ],
  ['65 levels', nested(40), /is nested deeper than 64 levels/],
  [
    'more than 256 KB',
    () => objectOf({ a: { description: 'x'.repeat(300_000) } }),
    /is longer than 256 KB/,
  ],
  ['more than 10,000 schemas', () => wide(10_001), /has more than 10000 schemas/],
];

const made = (schema: object | (() => object)): object =>
  typeof schema === 'function' ? schema() : schema;

describe('an unusable schema', () => {
  test.each(unusable)(
    'with %s is refused, or ignored with a warning',
    (_title, schema, message) => {
      const inputSchema = made(schema) as SchemaObject;
      const value = { n: '5', a: '{"x":1}', odd: null };
      const { warnings, result } = asked(inputSchema, value);
      expect(result).toMatchObject({ status: 'unchanged', value, unvalidated: true, repairs: [] });
      expect(warnings).toMatchObject([{ code: 'unusable_schema', tool: 'find' }]);
      expect(warnings[0]?.message).toMatch(message);
      const refused = (): unknown =>
        readValue(inputSchema, {}, { tool: 'find', onUnusableSchema: 'refuse' });
      expect(refused).toThrow(DefinitionError);
      expect(refused).toThrow(/^find has an input schema that /);
      expect(refused).toThrow(message);
    },
  );

  test('is none of 64 levels, 10,000 schemas or 256 KB', () => {
    for (const schema of [
      nested(31),
      wide(9_990),
      objectOf({ a: { description: 'x'.repeat(250_000) } }),
    ])
      expect(asked(schema, { a: {} }).result).not.toHaveProperty('unvalidated');
  });
});

describe('a tool with an unusable schema', () => {
  const options = { tool: 'find', warn: () => undefined };

  test('takes objects, and nothing that had to be repaired', () => {
    expect(read(dangling, '{"n":"5"}', options)).toMatchObject(unchanged({ n: '5' }));
    for (const sent of ['[{"n":5}]', '"{}"', '', 'null', '{"n":5'])
      expect(read(dangling, sent, options)).toMatchObject({ status: 'rejected' });
    for (const sent of ['{"n":"5",}', '```json\n{"n":5}\n```'])
      expect(read(dangling, sent, options)).toMatchObject(rejectedFor('not_json'));
    expect(read(dangling, '{"n":5,"n":6}', options)).toMatchObject(rejectedFor('duplicate_key'));
  });

  test('gets no number that lost digits, and passes numbers on exactly', () => {
    const sent = { text: '{"n":12345678901234567890}' };
    const lost = { status: 'rejected', issues: [{ keyword: 'unsafe_number', path: '/n' }] };
    expect(interpretArguments(dangling, sent, options)).toMatchObject(lost);
    const json = interpretArguments(dangling, sent, { ...options, output: 'json' });
    expect(json).toMatchObject({ status: 'unchanged', text: sent.text });
  });

  test('has its meta arguments taken out', () => {
    const result = readValue(
      dangling,
      { n: '5', _rationale: 'because' },
      { ...options, meta: true },
    );
    expect(result).toMatchObject({ value: { n: '5' }, meta: { rationale: 'because' } });
  });

  test('is registered if its author allows it; listeners are warned once, and calls are executed', async () => {
    const register = () => new ToolRegistry().register(toolOf(() => 1, { inputSchema: dangling }));
    expect(register).toThrow(/^work has an input schema that refers to #/);
    const { tools, codes } = warnedRegistry({ inputSchema: dangling, onUnusableSchema: 'warn' });
    const outcomes = await tools.callAll(
      ['1', '2'].map((id) => callOf({ id, arguments: '{"n":"5"}' })),
    );
    expect(outcomes).toMatchObject([{ result: { n: '5' } }, { result: { n: '5' } }]);
    expect(codes).toEqual(['unusable_schema']);
  });
});

describe('a reference to another document', () => {
  test.each(
    wordsOf('https://example.com/address.json file:///etc/passwd ../other.json#/a http://['),
  )('accepts any value in its place, and the rest is validated: %s', ($ref) => {
    const schema = objectOf({ n: whole, a: { $ref } });
    const { warnings, result } = asked(schema, { n: '5', a: '{"x":1}' });
    expect(result).toMatchObject(repairedTo({ n: 5, a: '{"x":1}' }));
    expect(result).not.toHaveProperty('unvalidated');
    const message = expect.stringContaining($ref);
    expect(warnings).toMatchObject([{ code: 'external_reference', tool: 'find', message }]);
    expect(asked(schema, { n: 'many', a: 1 }).result).toMatchObject({ status: 'rejected' });
  });

  test('is refused if the author asks for it', () => {
    const schema = objectOf({ a: { $ref: 'https://example.com/address.json' } });
    expect(() => readValue(schema, {}, { tool: 'find', onUnusableSchema: 'refuse' })).toThrow(
      /^find has an input schema that refers to https:\/\/example\.com\/address\.json, which is not in it/,
    );
  });

  test('does not keep a tool from being registered', async () => {
    const inputSchema = objectOf({ n: whole, a: { $ref: 'https://example.com/address.json' } });
    const { tools, codes } = warnedRegistry({ inputSchema });
    const outcome = await tools.call(callOf({ arguments: '{"n":"5","a":[1]}' }));
    expect([outcome, codes]).toMatchObject([{ result: { n: 5, a: [1] } }, ['external_reference']]);
  });
});

test('unknown keywords are listed once, and the rest is validated', () => {
  const schema = objectOf({
    n: { ...whole, minimun: 3, optional: true, 'x-vendor': 1 },
    enum: text,
  });
  const { warnings, result } = asked(schema, { n: '5' });
  expect(result).toMatchObject(repairedTo({ n: 5 }));
  const message = `The input schema of find ${ignored}: "minimun" (did you mean minimum?), "optional".`;
  expect(warnings).toEqual([
    { tool: 'find', code: 'unknown_keywords', message, meant: ['minimum'] },
  ]);
});

const ignored = 'has keywords that are ignored, because no draft of JSON Schema knows them';

test.each<[string, SchemaObject, ...string[]]>([
  [
    'an unusable schema',
    objectOf({ a: { $ref: '#/unheard' } }),
    'refers to #/unheard',
    'unusable_schema',
  ],
  [
    'a misspelt keyword',
    { type: 'object', propertes: {} },
    `The input schema of tool ${ignored}: "propertes" (did you mean properties?).`,
    'unknown_keywords',
  ],
  [
    'not others',
    objectOf({ n: { optional: true, enumNames: [''], 'x-min': 1, propertyOrdering: [] } }),
  ],
])(
  'is a warning of the process, once, if there is no listener: %s',
  (_title, schema, ...[message, code]) => {
    const { emitWarning } = process;
    const warned: unknown[][] = [];
    process.emitWarning = (...said: unknown[]) => void warned.push(said);
    for (const tool of ['tool', 'other']) readValue(schema, {}, { tool });
    process.emitWarning = emitWarning;
    const said = expect.stringContaining(String(message));
    expect(warned).toEqual(code === undefined ? [] : [[said, { type: 'ToolmendWarning', code }]]);
  },
);

describe('hints', () => {
  const pages = (hints: SchemaObject): SchemaObject =>
    objectOf({ offset: whole, limit: whole }, [], hints);
  const relational = (entry: unknown): SchemaObject =>
    pages({ 'dirge-hints': { relational: [entry] } });
  const badRelation = '"dirge-hints.relational[0]: write requires and their defaults"';
  const below: SchemaObject = JSON.parse(
    '{"properties": {"a": {"items": {"x-toolmend": {"semantic": 5}}}}}',
  );
  const aliases = objectOf({ a: { ...text, 'dirge-hints': { aliases: 'file' } } });

  test.each<[string, SchemaObject]>([
    ['a relation', relational({ requires: ['offset', 'limit'], defaults: { offset: 0 } })],
    [
      'a relation in other words',
      relational({ fields: ['offset', 'limit'], default: { offset: 0 } }),
    ],
    [
      'a meaning',
      objectOf({ a: { 'dirge-hints': { semantic: 'content' }, 'x-dirge-kind': 'path' } }),
    ],
    ['other hints', pages({ 'dirge-hints': { priority: 5 } })],
    ['a property of that name', objectOf({ 'dirge-hints': text, 'x-dirge-kind': whole })],
  ])('%s: no warning', (_title, schema) => {
    expect(asked(schema, {}).warnings).toEqual([]);
  });

  test.each<[string, SchemaObject, string]>([
    ['no object', pages({ 'dirge-hints': 'path' }), '"dirge-hints: write an object"'],
    [
      'none',
      pages({ 'dirge-hints': { relational: {} } }),
      '"dirge-hints.relational: write an array"',
    ],
    ['a relation without defaults', relational({ requires: ['offset', 'limit'] }), badRelation],
    ['a relation without names', relational({ defaults: { offset: 0 } }), badRelation],
    [
      'undeclared',
      relational({ requires: ['offset', 'page'], defaults: { offset: 0 } }),
      badRelation,
    ],
    [
      'another type',
      objectOf({ a: { 'x-dirge-kind': ['path'] } }),
      '"x-dirge-kind: write a string"',
    ],
    ['a meaning that is no string, below a list', below, '"x-toolmend.semantic: write a string"'],
    ['aliases that are a string', aliases, '"dirge-hints.aliases: write an array of strings"'],
  ])('%s: a warning says what to write', (_title, schema, what) => {
    const { warnings, result } = asked(schema, {});
    const message = `The input schema of find has hints that are ignored, because they are malformed: ${what}.`;
    expect(warnings).toEqual([{ tool: 'find', code: 'malformed_hints', message }]);
    expect(result).toMatchObject({ status: 'unchanged' });
  });

  test('a relation that is malformed fills nothing, and a kind counts beside other hints', () => {
    const malformed = relational({ requires: 'offset limit', defaults: { offset: 0 } });
    expect(asked(malformed, { limit: 5 }).result).toMatchObject(unchanged({ limit: 5 }));
    const target = { ...text, 'dirge-hints': { aliases: ['dest'] }, 'x-dirge-kind': 'path' };
    const { result } = asked(objectOf({ target }), { target: '[a.ts](http://a.ts)' });
    expect(result).toMatchObject({ value: { target: 'a.ts' } });
  });
});

test('no socket and no file is opened for a reference', () => {
  const opened: string[] = [];
  const hook = createHook({ init: (_id, type) => void opened.push(type) }).enable();
  const { openSync, readFileSync, statSync } = fs;
  const trap = (): never => {
    opened.push('FS');
    throw new Error('no file is opened');
  };
  Object.assign(fs, { openSync: trap, readFileSync: trap, statSync: trap });
  syncBuiltinESMExports();
  for (const $ref of [
    'http://127.0.0.1:9/x',
    'file:///etc/passwd',
    '//127.0.0.1/x',
    '../../etc/passwd',
  ]) {
    asked(objectOf({ a: { $ref } }), { a: 1 });
    asked({ ...objectOf({ a: text }), $schema: $ref }, { a: 1 });
    asked({ ...objectOf({ a: { $ref: 'x' } }), $id: $ref }, { a: 1 });
    warnedRegistry({ inputSchema: objectOf({ a: { $ref } }) }).tools.schemas('gemini');
  }
  hook.disable();
  Object.assign(fs, { openSync, readFileSync, statSync });
  syncBuiltinESMExports();
  expect(opened.filter((type) => /TCP|ADDRINFO|FS|PIPE|UDP|HTTP/.test(type))).toEqual([]);
});

describe('__proto__ is a name', () => {
  const parse = (json: string): SchemaObject => JSON.parse(json);

  test('of a property, a definition and an anchor; nothing else changes', () => {
    const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    const schema = parse(
      '{"type":"object","properties":{"__proto__":{"$ref":"#/$defs/__proto__"},"a":{"$ref":"#__proto__"}},"$defs":{"__proto__":{"type":"integer"},"b":{"$anchor":"__proto__","type":"integer"}}}',
    );
    expect(read(schema, '{"a":"5"}')).toMatchObject(repairedTo({ a: 5 }));
    expect(read(schema, '{"a":5,"__proto__":{"polluted":1}}').status).not.toBe('repaired');
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(before);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'a definition named %s is found, and one that is not there is not',
    (name) => {
      const there = objectOf({ a: { $ref: `#/$defs/${name}` } }, [], { $defs: { [name]: texts } });
      expect(readValue(there, { a: 'x' })).toMatchObject({ value: { a: ['x'] } });
      expect(asked({ ...there, $defs: {} }, { a: 'x' }).warnings).toHaveLength(1);
    },
  );
});

import { readFileSync, writeFileSync } from 'node:fs';
import type { Tool as AwsTool } from '@aws-sdk/client-bedrock-runtime';
import type { Tool as OllamaTool } from 'ollama';
import { type JsonSchema, type ProviderName, type SchemaObject, ToolRegistry } from 'toolmend';
import { isProviderName, providers } from '../../src/providers/providers.ts';
import { between, withBetween } from '../repair/rule-listing.ts';
import { closedOf, flag, mapOf, nothing, number, objectOf, text, whole } from '../schemas.ts';
import { toolOf } from '../tools.ts';
import { providerTable } from './provider-table.ts';

const names = Object.keys(providers).filter(isProviderName);

const description = 'Finds orders.';
const registryOf = (...schemas: readonly SchemaObject[]) =>
  new ToolRegistry({ hints: 'off' }).register(
    ...schemas.map((inputSchema, index) =>
      toolOf((values) => values, { name: `find_orders${index || ''}`, description, inputSchema }),
    ),
  );
const find = { name: 'find_orders', description };
const map = mapOf(number);

const orders = closedOf(
  {
    $filter: { ...text, minLength: 2 },
    limit: { ...whole, minimum: 1, default: 10 },
    parent: { type: ['string', 'null'] },
    mode: { enum: ['fast', 'exact'] },
    at: { oneOf: [{ ...text, format: 'date' }, whole] },
  },
  ['$filter'],
);

describe('one tool for each provider', () => {
  it('openai-strict: all properties are required, null means absent, and other keywords become words', () => {
    expect(registryOf(orders).schemas('openai-strict')).toEqual([
      {
        type: 'function',
        function: {
          ...find,
          strict: true,
          parameters: {
            type: 'object',
            properties: {
              $filter: { ...text, description: '(at least 2 characters)' },
              limit: { type: ['integer', 'null'], description: '(default 10)', minimum: 1 },
              parent: { type: ['string', 'null'] },
              mode: { type: ['string', 'null'], enum: ['fast', 'exact', null] },
              at: { anyOf: [{ ...text, format: 'date' }, whole, nothing] },
            },
            required: ['$filter', 'limit', 'parent', 'mode', 'at'],
            additionalProperties: false,
          },
        },
      },
    ]);
  });

  it('bedrock-strict: as Claude is strict', () => {
    const schemaOf = (at: SchemaObject) => ({ ...closedOf({ at }, ['at']) });
    const [tool] = registryOf(schemaOf({ ...text, minLength: 2 })).schemas('bedrock-strict');
    const json = schemaOf({ ...text, description: '(at least 2 characters)' });
    expect(tool?.toolSpec).toEqual({ ...find, strict: true, inputSchema: { json } });
  });

  it('deepseek-strict: one tool that is not strict, and none is', () => {
    const tools = registryOf(closedOf({ at: text }, ['at']), closedOf({ at: text }, []));
    expect(tools.schemas('deepseek-strict').map((tool) => tool.function.strict)).toEqual([
      false,
      false,
    ]);
    expect(
      tools.check('deepseek-strict').map(({ level, tool, what }) => [level, tool, what]),
    ).toEqual([
      ['not-strict', 'find_orders1', 'may be absent'],
      ['not-strict', '', 'are all offered without strict mode, because one of them is not strict'],
    ]);
    expect(registryOf(closedOf({ at: text }, ['at'])).check('deepseek-strict')).toEqual([]);
  });

  it('grammar: patterns, many repetitions and unknown formats become words', () => {
    const shortAndDay = {
      short: { ...text, maxLength: 20 },
      day: { ...text, format: 'date' },
    } as const;
    const [tool] = registryOf(
      closedOf({
        ...shortAndDay,
        code: { ...text, pattern: '\\d+' },
        note: { ...text, maxLength: 5_000 },
        page: { ...text, format: 'uri' },
        labels: { ...mapOf(text), propertyNames: { pattern: '^a' } },
      }),
    ).schemas('grammar');
    expect(tool?.function.parameters.properties).toEqual({
      ...shortAndDay,
      code: { ...text, description: '(matches the regular expression "\\\\d+")' },
      note: { ...text, description: '(at most 5000 characters)' },
      page: { ...text, description: '(format "uri")' },
      labels: { ...mapOf(text), description: '(each key is like {"pattern":"^a"})' },
    });
  });

  it('grammar: every tool is strict, also with maps and any values', () => {
    const tools = registryOf(closedOf({ query: text }), objectOf({ labels: map, any: {} }));
    expect(tools.schemas('grammar').map(({ function: { strict } }) => strict)).toEqual([
      true,
      true,
    ]);
    expect(tools.check('grammar')).toEqual([]);
  });

  it('gemini-openapi: one type in capitals, and nullable', () => {
    expect(registryOf(orders).schemas('gemini-openapi')).toEqual([
      {
        ...find,
        parameters: {
          type: 'OBJECT',
          properties: {
            _filter: { type: 'STRING', minLength: '2' },
            limit: { type: 'INTEGER', minimum: 1, default: 10 },
            parent: { type: 'STRING', nullable: true },
            mode: { type: 'STRING', enum: ['fast', 'exact'] },
            at: {
              anyOf: [{ type: 'STRING', description: '(format "date")' }, { type: 'INTEGER' }],
            },
          },
          required: ['_filter'],
        },
      },
    ]);
  });

  it('the types of the AWS and Ollama SDKs accept the schemas', () => {
    const bedrock: AwsTool[] = registryOf(orders).schemas('bedrock');
    const ollama: OllamaTool[] = registryOf(orders).schemas('ollama');
    expect(bedrock[0]?.toolSpec?.inputSchema?.json).toMatchObject({
      type: 'object',
      required: ['_filter'],
    });
    expect(ollama[0]?.function.parameters).toMatchObject({ type: 'object', required: ['$filter'] });
  });

  it('a tool without arguments', () => {
    const [openai] = registryOf({ type: 'object' }).schemas('openai-strict');
    expect(openai?.function).toMatchObject({ strict: true, parameters: closedOf({}) });
    expect(registryOf({ type: 'object' }).schemas('gemini-openapi')).toEqual([find]);
  });
});

describe('a tool that strict mode can’t express is offered without it', () => {
  const object = (property: JsonSchema, rest: SchemaObject = {}): SchemaObject => ({
    ...objectOf({}, ['a']),
    properties: { a: property },
    ...rest,
  });
  const tuple: SchemaObject = { type: 'array', prefixItems: [text] };
  const conditional: SchemaObject = { if: { required: ['a'] }, else: { properties: { b: text } } };

  it.each<[string, SchemaObject, string]>([
    ['a map', object(mapOf(text)), 'open-object /properties/a'],
    ['no declared keys', object({ type: 'object' }), 'open-object /properties/a'],
    [
      'other keys beside declared ones',
      object(text, { additionalProperties: true }),
      'open-object ',
    ],
    ['keys by pattern', object({ patternProperties: { '^x': text } }), 'open-object /properties/a'],
    ['keys declared only on a condition', object(text, conditional), 'open-object '],
    ['any value', object({ description: 'Anything.' }), 'any-value /properties/a'],
    ['an array of any values', object({ type: 'array' }), 'any-value /properties/a/items'],
    ['a tuple with any values after it', object(tuple), 'any-value /properties/a/items/anyOf/1'],
    ['a constant that is an object', object({ const: { x: 1 } }), 'enum /properties/a'],
  ])('%s', (_what, schema, finding) => {
    const tools = registryOf(schema, object(text));
    expect(tools.schemas('openai-strict').map((tool) => tool.function.strict)).toEqual([
      false,
      true,
    ]);
    expect(tools.schemas('openai-responses-strict').map((tool) => tool.strict)).toEqual([
      false,
      true,
    ]);
    expect(tools.schemas('anthropic-strict').map((tool) => tool.strict)).toEqual([false, true]);
    expect(tools.schemas('openai-strict')[0]).toEqual(tools.schemas('openai')[0]);
    const schemas = tools
      .check('openai-strict')
      .map(({ level, rule, place }) => `${level} ${rule} ${place}`);
    expect(schemas).toEqual([`not-strict ${finding}`]);
  });

  it('a recursive schema is strict for OpenAI, not for Anthropic', () => {
    const a = { $ref: '#/$defs/node' };
    const tools = registryOf(
      object(a, { $defs: { node: { type: 'object', properties: { next: a } } } }),
    );
    const node = { properties: { next: { anyOf: [a, nothing] } }, required: ['next'] };
    const parameters = { properties: { a }, $defs: { node } };
    expect(tools.schemas('openai-strict')[0]?.function).toMatchObject({ strict: true, parameters });
    expect(tools.schemas('anthropic-strict')[0]?.strict).toBe(false);
  });

  it('a closed object has no keys that are declared only on a condition', () => {
    const schema = object(text, { ...conditional, additionalProperties: false });
    expect(registryOf(schema).schemas('openai-strict')[0]?.function.strict).toBe(true);
  });
});

describe('keywords', () => {
  const constrained: SchemaObject = {
    type: 'object',
    properties: {
      count: { ...whole, minimum: 31, maximum: 77, multipleOf: 3 },
      rate: { ...number, exclusiveMinimum: 32, exclusiveMaximum: 78 },
      name: { ...text, minLength: 33, maxLength: 79, pattern: '^a+$' },
      when: { ...text, format: 'iri', description: 'When.' },
      tags: { type: 'array', items: text, minItems: 34, maxItems: 80, uniqueItems: true },
      mode: { ...text, default: 'fast' },
      code: { ...text, not: { const: 'never' } },
      more: closedOf({ deep: { type: 'array', items: { ...whole, minimum: 35 } } }),
    },
    required: ['count'],
  };

  /** As a keyword, and in words. */
  const sentences: readonly (readonly [string, string])[] = [
    ['"minimum":31', 'at least 31'],
    ['"maximum":77', 'at most 77'],
    ['"multipleOf":3', 'a multiple of 3'],
    ['"exclusiveMinimum":32', 'more than 32'],
    ['"exclusiveMaximum":78', 'less than 78'],
    ['"minLength":33', 'at least 33 characters'],
    ['"maxLength":79', 'at most 79 characters'],
    ['"pattern":"^a+$"', 'matches the regular expression "^a+$"'],
    ['"format":"iri"', 'format "iri"'],
    ['"minItems":34', 'at least 34 items'],
    ['"maxItems":80', 'at most 80 items'],
    ['"uniqueItems":true', 'no item twice'],
    ['"default":"fast"', 'default "fast"'],
    ['"not":{"const":"never"}', 'not {"const":"never"}'],
    ['"minimum":35', 'at least 35'],
  ];

  it.each(names)('%s: each constraint is either a keyword or in words', (provider) => {
    // Protocol Buffers write large whole numbers as strings.
    const schemaText = JSON.stringify(registryOf(constrained).schemas(provider)).replaceAll(
      /:"(\d+)"/g,
      ':$1',
    );
    const counts = sentences.map(([keyword, words]) => {
      const count = schemaText.split(JSON.stringify(words).slice(1, -1)).length - 1;
      return [words, count + (schemaText.includes(keyword) ? 1 : 0)];
    });
    expect(counts).toEqual(sentences.map(([, words]) => [words, 1]));
  });

  const shownIn = (provider: ProviderName, property: JsonSchema): unknown => {
    const inputSchema: SchemaObject = { type: 'object', properties: { at: property, b: text } };
    const schemaText = JSON.stringify(registryOf(inputSchema).schemas(provider));
    return JSON.parse(/"at":(\{.*\}|false),"b":/.exec(schemaText)?.[1] ?? 'null');
  };

  const list: SchemaObject = { type: 'array' };
  const items = { anyOf: [text, number, flag, { type: 'object' }] };
  const pair: SchemaObject = { ...list, prefixItems: [text, whole], items: false };
  const order = '(in this order: {"type":"string"}, {"type":"integer"})';
  const inOrder = { ...list, description: order, items: { anyOf: [text, whole] }, maxItems: 2 };
  const keys = '(other keys hold values like {"type":"number"})';
  const short = { ...text, minLength: 2 };
  const all: SchemaObject = { allOf: [short, { minLength: 5, maxLength: 9 }] };
  const mergedText = { ...short, maxLength: 9, description: '(at least 5 characters)' };
  const mixed = { type: ['integer', 'string', 'null'], enum: [1, 'a', null] };
  const silent = { propertyNames: text, 'x-order': 1 } as const;
  const styled = expect.stringContaining('style: "x"');

  it.each<[string, ProviderName, JsonSchema, unknown]>([
    ['members of an enum of two types', 'openai-strict', { enum: [1, 'a'] }, mixed],
    [
      'numbers',
      'gemini-openapi',
      { enum: [1, 2] },
      { type: 'INTEGER', description: '(one of 1, 2)' },
    ],
    ['a constant', 'mistral', { const: 'a' }, { ...text, const: 'a' }],
    ['a constant as an enum', 'gemini', { const: 'a' }, { ...text, enum: ['a'] }],
    ['an array of any values, if items need a type', 'gemini', list, { ...list, items }],
    ['an array of any values', 'ollama', list, list],
    ['a tuple', 'anthropic', pair, pair],
    ['a tuple as an array with its order in words', 'gemini', pair, inOrder],
    ['a map without keywords that say nothing to a model', 'mistral', { ...map, ...silent }, map],
    ['a map in words', 'ollama', map, { type: 'object', description: keys, properties: {} }],
    ['a map in words', 'gemini-openapi', map, { type: 'OBJECT', description: keys }],
    [
      'other keywords in words',
      'ollama',
      { ...text, style: 'x' },
      { ...text, description: styled },
    ],
    ['allOf', 'openai', all, all],
    ['allOf merged, the second value of a keyword in words', 'mistral', all, mergedText],
    ['no property that can’t be sent', 'bedrock', false, null],
    ['a property that can’t be sent', 'mcp', false, false],
  ])('%s: %s', (_title, provider, property, shownProperty) => {
    expect(shownIn(provider, property)).toEqual(shownProperty);
  });

  it('two forbidden keys that resemble each other get different names', () => {
    const [tool] = registryOf(objectOf({ $a: text, '#a': text })).schemas('anthropic');
    expect(Object.keys(tool?.input_schema.properties ?? {})).toHaveLength(2);
  });
});

describe('the root', () => {
  it('a union is one object, with its branches in words', () => {
    const branch = (mode: string, key: string) =>
      objectOf({ mode: { const: mode }, [key]: text }, ['mode', key]);
    const schema: SchemaObject = {
      type: 'object',
      oneOf: [branch('add', 'text'), branch('move', 'to')],
    };
    const sets = 'Give one of these sets of arguments: mode "add", text; or mode "move", to.';
    const mode = { anyOf: [{ const: 'add' }, { const: 'move' }] };
    const input_schema = objectOf({ mode, text, to: text }, ['mode']);
    const shownTool = { name: 'find_orders', description: `${description}\n${sets}`, input_schema };
    expect(registryOf(schema).schemas('anthropic')).toEqual([shownTool]);
    expect(registryOf(schema).schemas('mcp')[0]?.inputSchema).toEqual(schema);
  });

  it.each<[boolean, SchemaObject]>([
    [true, {}],
    [true, { additionalProperties: false }],
    [false, { additionalProperties: true }],
    [false, { additionalProperties: text }],
  ])('a branch that accepts any key rules out strict mode: %s for %j', (isStrict, rest) => {
    const closedSchema = {
      properties: { a: text },
      required: ['a'],
      additionalProperties: false,
    } as const;
    const branch = { properties: { b: text }, required: ['b'], ...rest } as const;
    const [tool] = registryOf({ type: 'object', anyOf: [closedSchema, branch] }).schemas(
      'openai-strict',
    );
    expect(tool?.function.strict).toBe(isStrict);
  });
});

it('hints name the keys that are shown', () => {
  const inputSchema = objectOf({ labels: map, 'file path': closedOf({ a: text }) }, ['labels']);
  const tools = new ToolRegistry().register(toolOf((values) => values, { inputSchema }));
  expect(tools.schemas()[0]?.description).toBe('Works.\nlabels and file path are JSON objects.');
  expect(tools.schemas('anthropic')[0]?.description).toBe(
    'Works.\nlabels and file_path are JSON objects.',
  );
});

it('docs/reference/providers.md says what the rules say', () => {
  const docs = new URL('../../docs/reference/providers.md', import.meta.url);
  const table = providerTable();
  // UPDATE_DOCS=1 writes the rows anew; then the document is compared with itself.
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(docs, withBetween(readFileSync(docs, 'utf8'), 'providers', table));
  expect(between(readFileSync(docs, 'utf8'), 'providers')).toBe(table);
});

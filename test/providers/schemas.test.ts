// What is each provider shown, and how is the answer read? Expectations written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type JsonSchema, type ProviderName, type SchemaObject, ToolRegistry, defineTool } from 'toolmend';
import { providers, isProviderName } from '../../src/providers/provider-schemas.ts';
import { runToolmend } from '../cli/run-toolmend.ts';
import { between, withBetween } from '../repair/rule-listing.ts';
import { providerTable } from './provider-table.ts';

/** As `@aws-sdk/client-bedrock-runtime` has it. */
interface AwsTool {
  toolSpec: { name: string | undefined; description?: string; inputSchema: { json: Document } | undefined };
}
type Document = null | boolean | number | string | Document[] | { [key: string]: Document };

/** As `ollama` has it. */
interface OllamaSdkTool {
  type: string;
  function: {
    name?: string;
    parameters?: {
      type?: string;
      required?: string[];
      properties?: {
        [key: string]: {
          type?: string | string[];
          items?: unknown;
          description?: string;
          enum?: unknown[];
        };
      };
    };
  };
}

const tool = (inputSchema: SchemaObject, name = 'find_orders') =>
  defineTool({ name, description: 'Finds orders.', inputSchema, execute: (values) => values });

const orders: SchemaObject = {
  type: 'object',
  properties: {
    $filter: { type: 'string', minLength: 2 },
    limit: { type: 'integer', minimum: 1, default: 10 },
    parent: { type: ['string', 'null'] },
    labels: { type: 'object', additionalProperties: { type: 'number' } },
  },
  required: ['$filter'],
  additionalProperties: false,
};

const constrained: SchemaObject = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 31, maximum: 77, multipleOf: 3 },
    rate: { type: 'number', exclusiveMinimum: 32, exclusiveMaximum: 78 },
    name: { type: 'string', minLength: 33, maxLength: 79, pattern: '^a+$' },
    when: { type: 'string', format: 'iri', description: 'When.' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 34, maxItems: 80, uniqueItems: true },
    mode: { type: 'string', default: 'fast' },
    more: {
      type: 'object',
      properties: { deep: { type: 'array', items: { type: 'integer', minimum: 35 } } },
      additionalProperties: false,
    },
  },
  required: ['count'],
};

/** As a keyword, and in words. */
const sayings: readonly (readonly [string, string])[] = [
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
  ['"minimum":35', 'at least 35'],
];

const registryOf = (...schemas: readonly SchemaObject[]) =>
  new ToolRegistry({ hints: 'off' }).register(
    ...schemas.map((schema, index) => tool(schema, `find_orders${index || ''}`)),
  );

describe('shown', () => {
  it('openai-strict: all required, null for what is left out, a map as a list, what is not taken in words', () => {
    const [shown] = registryOf(orders).schemas('openai-strict');
    expect(shown).toEqual({
      type: 'function',
      function: {
        name: 'find_orders',
        description: 'Finds orders.',
        strict: true,
        parameters: {
          type: 'object',
          properties: {
            $filter: { type: 'string', description: '(at least 2 characters)' },
            limit: { type: ['integer', 'null'], description: '(default 10)', minimum: 1 },
            parent: { type: ['string', 'null'] },
            labels: {
              type: ['array', 'null'],
              description: '(an object, as a list of its keys and values)',
              items: {
                type: 'object',
                properties: { key: { type: 'string' }, value: { type: 'number' } },
                required: ['key', 'value'],
                additionalProperties: false,
              },
            },
          },
          required: ['$filter', 'limit', 'parent', 'labels'],
          additionalProperties: false,
        },
      },
    });
  });

  it.each(Object.keys(providers).filter(isProviderName))(
    '%s: what it takes is a keyword, and what it does not take is said once',
    (provider) => {
      // Protocol Buffers write large whole numbers as text.
      const form = JSON.stringify(registryOf(constrained).schemas(provider)).replaceAll(/:"(\d+)"/g, ':$1');
      const counts = sayings.map(([keyword, words]) => {
        const said = form.split(JSON.stringify(words).slice(1, -1)).length - 1;
        return [words, said + (form.includes(keyword) ? 1 : 0)];
      });
      expect(counts).toEqual(sayings.map(([, words]) => [words, 1]));
    },
  );

  it('anthropic: a forbidden key has another name, the rest stays', () => {
    const [shown] = registryOf(orders).schemas('anthropic');
    expect(shown?.input_schema).toEqual({
      ...orders,
      properties: { _filter: { type: 'string', minLength: 2 }, ...withoutFilter },
      required: ['_filter'],
    });
  });

  it('a union at the root is one object for whoever wants one, and its branches are said', () => {
    const branch = (mode: string, key: string): SchemaObject => ({
      properties: { mode: { const: mode }, [key]: { type: 'string' } },
      required: ['mode', key],
    });
    const [shown] = registryOf({
      type: 'object',
      oneOf: [branch('add', 'text'), branch('move', 'to')],
    }).schemas('anthropic');
    expect(shown?.description).toContain(
      'Give one of these sets of arguments: mode "add", text; or mode "move", to.',
    );
    expect(shown?.input_schema).toEqual({
      type: 'object',
      properties: {
        mode: { anyOf: [{ const: 'add' }, { const: 'move' }] },
        text: { type: 'string' },
        to: { type: 'string' },
      },
      required: ['mode'],
    });
  });
});

describe('what has no form of its own in a provider’s schema', () => {
  const shownIn = (provider: ProviderName, property: JsonSchema): unknown => {
    const inputSchema: SchemaObject = { type: 'object', properties: { at: property, b: { type: 'string' } } };
    const form = JSON.stringify(registryOf(inputSchema).schemas(provider));
    return JSON.parse(/"at":(\{.*\}),"b":/.exec(form)?.[1] ?? 'null');
  };

  it('a constant that is an object is JSON text where objects are closed, and nothing else stays beside it', () => {
    const origin = { const: { x: 1 }, default: { x: 1 }, title: 'Origin', examples: [{ x: 1 }] };
    const words = '(one of {"x":1}, as JSON text; default {"x":1}; for example {"x":1})';
    expect(shownIn('openai-strict', origin)).toEqual({ type: ['string', 'null'], description: words });
    expect(shownIn('anthropic-strict', origin)).toEqual({ type: 'string', description: words });
    expect(shownIn('gemini-openapi', origin)).toEqual({ type: 'STRING', description: words });
    expect(shownIn('openai', origin)).toMatchObject({ const: { x: 1 } });
  });

  it('a default stays where the value is shown as it is, and is said where it is not', () => {
    const lists = (items: JsonSchema): SchemaObject => ({ type: 'array', items, default: [1] });
    expect(shownIn('gemini-openapi', lists({ type: 'integer' }))).toMatchObject({ default: [1] });
    expect(shownIn('gemini-openapi', lists({}))).toEqual({
      type: 'ARRAY',
      description: '(default [1])',
      items: { type: 'STRING', description: '(any JSON value, as JSON text)' },
    });
  });

  it('a property that may never be there is not shown, or nothing is its value', () => {
    expect(shownIn('bedrock', false)).toBe(null);
    expect(shownIn('ollama', false)).toBe(null);
    expect(shownIn('mcp', false)).toEqual({ not: {} });
    expect(shownIn('bedrock', true)).toEqual({});
  });

  it('Bedrock has models of Anthropic, which take no other keys there either', () => {
    const [shown] = registryOf(orders).schemas('bedrock');
    expect(shown?.toolSpec.inputSchema.json).toMatchObject({
      properties: { _filter: { type: 'string' } },
      required: ['_filter'],
    });
  });

  it('the SDKs of AWS and Ollama take the forms by their own types', () => {
    const tools = registryOf(orders);
    const bedrock: AwsTool[] = tools.schemas('bedrock');
    const ollama: OllamaSdkTool[] = tools.schemas('ollama');
    expect(bedrock[0]?.toolSpec.inputSchema?.json).toMatchObject({ type: 'object' });
    expect(ollama[0]?.function.parameters).toMatchObject({ type: 'object', required: ['$filter'] });
  });
});

describe('hints', () => {
  it('name the keys that are shown, and say nothing of an object where pairs are', () => {
    const schema: SchemaObject = {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: { type: 'number' } },
        'file path': { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      },
      required: ['labels'],
    };
    const tools = new ToolRegistry().register(tool(schema));
    const described = (provider: 'anthropic' | 'gemini-openapi' | 'neutral') => tools.schemas(provider)[0];
    expect(described('neutral')).toMatchObject({
      description: 'Finds orders.\nlabels, file path are JSON objects.',
    });
    expect(described('anthropic')).toMatchObject({
      description: 'Finds orders.\nlabels, file_path are JSON objects.',
    });
    expect(described('gemini-openapi')).toMatchObject({
      description: 'Finds orders.\nfile_path is a JSON object.',
    });
  });
});

const { $filter: _filter, ...withoutFilter } = orders.properties ?? {};

describe('check', () => {
  it('a set with nothing wrong has no finding', () => {
    const plain: SchemaObject = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(
      registryOf(plain).check('openai', 'openai-strict', 'anthropic', 'gemini', 'ollama', 'mcp'),
    ).toEqual([]);
  });

  it('25 optional parameters over all strict tools are refused by Anthropic', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 13 }, (_, at) => [`p${at}`, { type: 'string' as const }]),
    );
    const schema: SchemaObject = { type: 'object', properties, additionalProperties: false };
    expect(registryOf(schema, schema).check('anthropic-strict')).toEqual([
      expect.objectContaining({
        level: 'refused',
        tool: '',
        rule: 'set-limit',
        what: 'have 26 optional parameters in all, and 24 are accepted (most: find_orders 13, find_orders1 13)',
      }),
    ]);
  });

  it('names the tool, the place, the rule and the fix', () => {
    const schema: SchemaObject = {
      type: 'object',
      properties: {
        where: {
          type: 'object',
          properties: { a: { type: 'string' } },
          required: ['a'],
          additionalProperties: true,
        },
      },
      required: ['where'],
    };
    expect(registryOf(schema).check('openai-strict')).toEqual([
      {
        provider: 'openai-strict',
        level: 'lost',
        tool: 'find_orders',
        place: '/properties/where',
        rule: 'closed',
        what: "takes keys that aren't declared, which can't be sent",
        fix: 'declare the keys, or use a provider that is not strict for this tool',
      },
    ]);
  });

  it('toolmend check reads 968 real tools, and finds names that several have', async () => {
    const file = fileURLToPath(new URL('../cases/mcp-tools.jsonl', import.meta.url));
    const { status, stdout, stderr } = await runToolmend(
      'check',
      file,
      '--for',
      'openai-strict,anthropic,gemini,ollama',
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(/^968 tools\n/);
    expect(stdout).toContain(
      'anthropic: refused [same-name]: create_issue has the name of another tool: give one of them another name',
    );
    expect((await runToolmend('check', file, '--for', 'nobody')).status).toBe(2);
    expect((await runToolmend('check', 'no-such-file', '--for', 'openai')).status).toBe(2);
  });
});

it('docs/providers.md says what the rules say', () => {
  const docs = new URL('../../docs/providers.md', import.meta.url);
  const table = providerTable();
  // UPDATE_DOCS=1 writes the rows anew; then the document is compared with itself.
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(docs, withBetween(readFileSync(docs, 'utf8'), 'providers', table));
  expect(between(readFileSync(docs, 'utf8'), 'providers')).toBe(table);
});

describe('a property that is declared only on a condition', () => {
  const payment: SchemaObject = {
    type: 'object',
    properties: { kind: { enum: ['card', 'bank'] } },
    required: ['kind'],
    if: { properties: { kind: { const: 'card' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { number: { type: 'string' } }, required: ['number'] },
    else: { properties: { number: { type: 'integer' }, iban: { type: 'string' } }, required: ['iban'] },
  };
  const shownKeys = (schema: SchemaObject): readonly string[] =>
    Object.keys(
      new ToolRegistry().register(tool(schema)).schemas('openai-strict')[0]?.function.parameters.properties ??
        {},
    );

  it('is shown where all keys must be declared', () => {
    expect(shownKeys(payment)).toEqual(['kind', 'number', 'iban']);
  });

  it('is not, where the object takes no more than it declares', () => {
    expect(shownKeys({ ...payment, additionalProperties: false })).toEqual(['kind']);
  });
});

// The laws of providers that single schemas show: nothing is lost in silence (D5), the same bytes every time (D6), what
// providers are known to refuse is found (D7), no network is asked (D8). D1 to D4 are in transform.property.test.ts.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { SchemaObject } from 'toolmend';
import { contractsOf } from '../../scripts/mistakes/judge-mistakes.ts';
import { checkSet } from '../../src/providers/check-tools.ts';
import { shownSchema } from '../../src/providers/provider-rules.ts';
import { type ProviderName, providers, isProviderName } from '../../src/providers/provider-schemas.ts';
import { lowerSchema } from '../../src/providers/transform-schema.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';

const names = Object.keys(providers).filter(isProviderName);
const real = contractsOf(readFileSync(new URL('../cases/mcp-tools.jsonl', import.meta.url), 'utf8'));

const lower = (schema: SchemaObject, provider: ProviderName) =>
  lowerSchema(structuredClone({ ...schema }), providers[provider].rules.schema);

describe('D5: no constraint is lost in silence', () => {
  it.each<[string, SchemaObject, RegExp]>([
    ['minLength', { type: 'string', minLength: 2 }, /at least 2 characters/],
    ['maxLength', { type: 'string', maxLength: 7 }, /at most 7 characters/],
    ['pattern', { type: 'string', pattern: '^a+$' }, /\^a\+\$/],
    ['format', { type: 'string', format: 'date' }, /date/],
    ['minimum', { type: 'integer', minimum: 3 }, /at least 3/],
    ['maximum', { type: 'integer', maximum: 9 }, /at most 9/],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 3 }, /more than 3/],
    ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 9 }, /less than 9/],
    ['multipleOf', { type: 'number', multipleOf: 5 }, /multiple of 5/],
    ['minItems', { type: 'array', items: { type: 'string' }, minItems: 2 }, /at least 2/],
    ['maxItems', { type: 'array', items: { type: 'string' }, maxItems: 4 }, /at most 4/],
    [
      'uniqueItems',
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      /repetition|twice|unique|different/,
    ],
    ['default', { type: 'integer', default: 10 }, /10/],
    ['const', { type: 'string', const: 'only' }, /only/],
    ['enum', { type: 'integer', enum: [1, 2] }, /1.*2/],
    ['not', { type: 'string', not: { const: 'never' } }, /never/],
  ])('%s stays, or is said in words', (keyword, property, words) => {
    const schema: SchemaObject = { type: 'object', properties: { a: property }, required: ['a'] };
    const silent = names.filter((name) => {
      const shown = lower(schema, name).schema.properties?.['a'];
      if (typeof shown !== 'object') return true;
      const kept = JSON.stringify({ [keyword]: property[keyword] }).slice(1, -1);
      return (
        !JSON.stringify(shown).includes(kept) &&
        !words.test(`${shown.description} ${JSON.stringify(shown.enum)}`)
      );
    });
    expect(silent).toEqual([]);
  });
});

describe('D6: the same bytes every time', () => {
  it.each(names)('%s, for 968 real tools', (name) => {
    const different = real.filter((contract) => {
      const schema = shownSchema(contract);
      const [first, again] = [1, 2].map(() => JSON.stringify(lower(schema, name)));
      return first !== again;
    });
    expect(different.map((contract) => contract.name)).toEqual([]);
  });
});

const object = (
  properties: { readonly [key: string]: SchemaObject },
  rest: SchemaObject = {},
): SchemaObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});

const found = (provider: ProviderName, schema: SchemaObject, name = 'a_tool') =>
  checkSet([contractFromSchema({ name, inputSchema: schema })], provider).map(
    ({ rule, level }) => `${level} ${rule}`,
  );

/** Objects in each other. */
const nested = (depth: number): SchemaObject =>
  depth === 0 ? { type: 'string' } : object({ in: nested(depth - 1) });

describe('D7: what providers are known to refuse is found', () => {
  it.each<[string, ProviderName, string, SchemaObject, string?]>([
    [
      'a union at the root',
      'anthropic',
      'adapted root',
      { type: 'object', oneOf: [object({ a: {} }), object({ b: {} })] },
    ],
    [
      'a merge at the root',
      'anthropic',
      'adapted root',
      { type: 'object', allOf: [object({ a: { type: 'string' } })] },
    ],
    ['a key with a dollar', 'anthropic', 'adapted property-key', object({ $filter: { type: 'string' } })],
    [
      'a key with a blank, deep inside',
      'anthropic',
      'adapted property-key',
      object({ a: object({ 'b c': {} }) }),
    ],
    [
      'a key of more than 64 characters',
      'anthropic',
      'adapted property-key',
      object({ ['k'.repeat(65)]: {} }),
    ],
    ['a name with a dot', 'openai', 'adapted tool-name', object({}), 'a.tool'],
    ['a name of more than 64 characters', 'bedrock', 'adapted tool-name', object({}), 'n'.repeat(65)],
    ['a list of anything', 'openai-strict', 'adapted any-value', object({ a: { type: 'array' } })],
    ['a list of anything', 'gemini', 'adapted any-value', object({ a: { type: 'array' } })],
    [
      'an optional argument',
      'openai-strict',
      'adapted optional',
      object({ a: { type: 'string' } }, { required: [] }),
    ],
    [
      'a map',
      'openai-strict',
      'adapted map',
      object({ a: { type: 'object', additionalProperties: { type: 'string' } } }),
    ],
    [
      'an open object',
      'openai-strict',
      'lost closed',
      object({ a: object({ b: {} }, { additionalProperties: true }) }),
    ],
    ['eleven objects in each other', 'openai-strict', 'refused limit', nested(11)],
    [
      'more than 1,000 members of enums',
      'openai-strict',
      'refused limit',
      object({ a: { enum: Array.from({ length: 1_001 }, (_, at) => `m${at}`) } }),
    ],
    [
      'a schema that contains itself',
      'gemini-openapi',
      'adapted recursion',
      {
        ...object({ a: { $ref: '#/$defs/node' } }),
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      },
    ],
    [
      'a schema that contains itself',
      'ollama',
      'adapted recursion',
      {
        ...object({ a: { $ref: '#/$defs/node' } }),
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      },
    ],
    [
      'an enum of numbers',
      'gemini-openapi',
      'adapted description',
      object({ a: { type: 'integer', enum: [1, 2] } }),
    ],
    [
      'a tuple',
      'openai-strict',
      'adapted tuple',
      object({ a: { type: 'array', prefixItems: [{ type: 'string' }] } }),
    ],
    [
      '25 optional arguments',
      'anthropic-strict',
      'refused set-limit',
      object(Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}`, { type: 'string' }])), {
        required: [],
      }),
    ],
    [
      'a schema on another server',
      'anthropic',
      'lost reference',
      object({ a: { $ref: 'https://example.com/a.json' } }),
    ],
  ])('%s: %s says %s', (_what, provider, finding, schema, ...[name]) => {
    expect(found(provider, schema, name)).toContain(finding);
  });

  it('two tools of one name, and one without a name', () => {
    const tool = (name: string) => contractFromSchema({ name, inputSchema: object({}) });
    expect(
      checkSet([tool('a'), tool('a'), tool('')], 'openai').map(({ rule, level }) => `${level} ${rule}`),
    ).toEqual(['refused same-name', 'refused same-name']);
  });
});

describe('D8: no network is asked', () => {
  it.each(names)('%s', async (name) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end('{"type":"string"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const remote = `http://127.0.0.1:${port}/schema.json`;
    const { schema } = lower(
      object({ a: { $ref: remote }, b: { $ref: `${remote}#/$defs/x`, type: 'string' } }),
      name,
    );
    await new Promise((resolve) => setImmediate(resolve));
    server.close();
    expect(requests).toBe(0);
    expect(JSON.stringify(schema)).not.toContain('"$ref"');
  });
});

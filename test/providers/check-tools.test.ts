import { type ProviderName, type SchemaObject, ToolRegistry } from 'toolmend';
import { checkSet } from '../../src/providers/check-tools.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { closedOf, listOf, mapOf, objectOf, text, texts } from '../schemas.ts';
import { toolOf } from '../tools.ts';

type Properties = Parameters<typeof objectOf>[0];

const object = (properties: Properties, rest: SchemaObject = {}): SchemaObject =>
  objectOf(properties, Object.keys(properties), { additionalProperties: false, ...rest });

const linesOf = (findings: ReturnType<typeof checkSet>) =>
  findings.map(({ rule, level, place }) => `${level} ${rule} ${place}`);
const findingsOf = (provider: ProviderName, schema: SchemaObject, name = 'a_tool') =>
  linesOf(checkSet([contractFromSchema({ name, inputSchema: schema })], provider));

/** Objects inside objects. */
const nestedSchema = (depth: number): SchemaObject =>
  depth === 0 ? text : object({ in: nestedSchema(depth - 1) });

const strings = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, text]));

const members = (count: number, length = 1) =>
  Array.from({ length: count }, (_, at) => `${at}`.padStart(length, '_'));

const toNode: SchemaObject = { $ref: '#/$defs/node' };
const recursive: SchemaObject = object(
  { a: toNode },
  { $defs: { node: objectOf({ next: toNode }) } },
);
const tuple: SchemaObject = { type: 'array', prefixItems: [text], items: false };

describe('what providers are known to refuse is found', () => {
  it.each<[string, ProviderName, string, SchemaObject, string?]>([
    [
      'a union at the root',
      'anthropic',
      'adapted root ',
      { oneOf: [object({ a: {} }), object({ b: {} })] },
    ],
    ['a key with a dollar', 'anthropic', 'adapted property-key ', object({ $filter: text })],
    [
      'a key of 65 characters',
      'anthropic',
      'adapted property-key ',
      object({ ['k'.repeat(65)]: {} }),
    ],
    ['a name with a dot', 'openai', 'adapted tool-name ', object({}), 'a.tool'],
    ['a name of 65 characters', 'bedrock', 'adapted tool-name ', object({}), 'n'.repeat(65)],
    [
      'any elements',
      'gemini',
      'lost any-value /properties/a/items',
      object({ a: { type: 'array' } }),
    ],
    [
      'an optional argument',
      'openai-strict',
      'adapted optional /properties/a',
      closedOf({ a: text }),
    ],
    ['a map', 'gemini-openapi', 'lost open-object /properties/a', object({ a: mapOf(text) })],
    ['eleven nested objects', 'openai-strict', 'not-strict limit ', nestedSchema(11)],
    ['5,001 properties', 'openai-strict', 'not-strict limit ', object(strings(5_001))],
    [
      '1,001 enum members',
      'openai-strict',
      'not-strict limit ',
      object({ a: { enum: members(1_001) } }),
    ],
    [
      '251 long members',
      'openai-strict',
      'not-strict limit ',
      object({ a: { enum: members(251, 60) } }),
    ],
    ['recursion', 'gemini-openapi', 'lost open-object /properties/a/properties/next', recursive],
    [
      'recursion',
      'anthropic-strict',
      'not-strict recursion /properties/a/properties/next',
      recursive,
    ],
    ['recursion', 'ollama', 'adapted recursion /properties/a/properties/next', recursive],
    [
      'a number',
      'gemini-openapi',
      'adapted description /properties/a',
      object({ a: { const: 1 } }),
    ],
    ['a tuple', 'openai-strict', 'adapted tuple /properties/a', object({ a: tuple })],
    ['25 optional arguments', 'anthropic-strict', 'refused set-limit ', closedOf(strings(25))],
    [
      'a remote one',
      'anthropic',
      'lost reference ',
      object({ a: { $ref: 'https://example.com/a.json' } }),
    ],
  ])('%s: %s says %s', (_what, provider, finding, schema, name = 'a_tool') => {
    expect(findingsOf(provider, schema, name)).toContain(finding);
  });

  it('two tools with the same name, and one without a name', () => {
    const tool = (name: string) => contractFromSchema({ name, inputSchema: object({}) });
    const findings = checkSet([tool('a'), tool('a'), tool('')], 'openai');
    expect(linesOf(findings)).toEqual(['refused same-name ', 'refused same-name ']);
  });
});

describe('a finding', () => {
  const registryOf = (...schemas: readonly SchemaObject[]) =>
    new ToolRegistry({ hints: 'off' }).register(
      ...schemas.map((inputSchema, index) =>
        toolOf((values) => values, { name: `tool_${index}`, inputSchema }),
      ),
    );

  it('names the tool, the place, the rule and the fix', () => {
    const where: SchemaObject = object({ a: text }, { additionalProperties: true });
    expect(registryOf(object({ where })).check('openai-strict')).toEqual([
      {
        provider: 'openai-strict',
        level: 'not-strict',
        tool: 'tool_0',
        place: '/properties/where',
        rule: 'open-object',
        what: 'accepts undeclared keys',
        fix: 'offer the tool without strict mode, or declare the keys, with `additionalProperties: false`',
      },
    ]);
  });

  it('has no fix if arguments are mapped back', () => {
    const fix = 'nothing to do: toolmend maps the arguments back';
    const findings = registryOf(object({ $filter: text })).check('anthropic');
    expect(findings).toMatchObject([{ level: 'adapted', fix }]);
  });

  it('is about the whole set if its strict tools have too many optional parameters together', () => {
    const schema = closedOf(strings(13));
    const open = object(strings(13), { required: [], additionalProperties: true });
    const what =
      'have 26 optional parameters in all, of which 24 are accepted (most: tool_0 13, tool_1 13)';
    const ofSet = { level: 'refused', tool: '', rule: 'set-limit', what };
    expect(registryOf(schema, schema).check('anthropic-strict')).toMatchObject([ofSet]);
    expect(registryOf(schema, open).check('anthropic-strict')).toMatchObject([
      { level: 'not-strict' },
    ]);
  });
});

it.each<[string, readonly string[], readonly string[]]>([
  ['a required property is refused', ['next'], ['refused recursion /$defs/node']],
  ['the items of a required property is refused', ['list'], ['refused recursion /$defs/node']],
  ['optional properties is accepted', [], []],
])('a schema that contains itself in %s by Gemini', (_what, requiredKeys, findings) => {
  const node = objectOf({ next: toNode, list: listOf(toNode) }, requiredKeys);
  expect(findingsOf('gemini', object({ node: toNode }, { $defs: { node } }))).toEqual(findings);
});

describe('what models and providers take less well is found', () => {
  const many = (count: number, description: string) =>
    Array.from({ length: count }, (_, at) =>
      contractFromSchema({ name: `tool_${at}`, description, inputSchema: { type: 'object' } }),
    );
  const sentences = (count: number, description: string, provider: ProviderName) =>
    checkSet(many(count, description), provider).map(
      ({ level, tool, what }) => `${level} ${tool}: ${what}`,
    );

  it('more than 128 tools, and a description of more than 1,024 characters, except in MCP', () => {
    const tooMany = 'lost : are 300, and models and providers take at most 128';
    const tooLong =
      'lost tool_0: has a description of 1025 characters, of which some providers take 1024';
    expect(sentences(300, 'Works.', 'openai')).toEqual([tooMany]);
    expect(sentences(1, 'x'.repeat(1_025), 'anthropic')).toEqual([tooLong]);
    expect(sentences(128, 'x'.repeat(1_024), 'openai')).toEqual([]);
    expect(sentences(300, 'x'.repeat(1_025), 'mcp')).toEqual([]);
  });

  it('hints never make a description longer than that', () => {
    const inputSchema = objectOf({ paths: { ...texts, 'x-toolmend': { semantic: 'path' } } }, [
      'paths',
    ]);
    const lengthOf = (length: number): number | undefined => {
      const tool = toolOf((values) => values, {
        name: 'read',
        description: 'x'.repeat(length),
        inputSchema,
      });
      return new ToolRegistry().register(tool).schemas('openai')[0]?.function.description.length;
    };
    expect(lengthOf(500)).toBeGreaterThan(500);
    for (const length of [950, 1_000, 1_023, 1_024])
      expect(lengthOf(length)).toBeLessThanOrEqual(1_024);
    expect(lengthOf(2_000)).toBe(2_000);
  });
});

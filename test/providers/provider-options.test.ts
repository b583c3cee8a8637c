// Members of a tool that only one provider has.
import { type ProviderOptions, Tool, ToolRegistry, defineTool } from 'toolmend';
import { anthropicMessages } from 'toolmend/anthropic';
import { responses } from 'toolmend/openai';
import { toAiSdk } from 'toolmend/ai-sdk';

const search = (providerOptions?: ProviderOptions, rest: object = {}) =>
  defineTool({
    name: 'search',
    title: 'Search',
    description: 'Search the web.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
    execute: () => 'nothing',
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...rest,
  });
const registryOf = (...options: Parameters<typeof search>): ToolRegistry =>
  new ToolRegistry({ hints: 'off' }).register(search(...options));

const all: ProviderOptions = {
  anthropic: {
    cache_control: { type: 'ephemeral', ttl: '1h' },
    defer_loading: true,
    allowed_callers: ['code_execution_20260120'],
    eager_input_streaming: true,
  },
  openai: { defer_loading: true, allowed_callers: ['programmatic'] },
  mcp: { icons: [{ src: 'https://example.com/a.svg', sizes: ['any'] }], _meta: { team: 'web' } },
};

const providerNames = [
  'neutral',
  'openai',
  'openai-strict',
  'gemini',
  'gemini-openapi',
  'bedrock',
  'bedrock-strict',
  'mistral',
  'deepseek-strict',
  'grammar',
  'ollama',
] as const;

test.each(providerNames)('%s: a tool is the same with members of other providers', (name) => {
  expect(registryOf(all).schemas(name)).toEqual(registryOf().schemas(name));
});

test.each([
  'anthropic',
  'anthropic-strict',
  'openai-responses',
  'openai-responses-strict',
  'mcp',
] as const)('%s: a tool has the members of its provider, and all that it had', (name) => {
  const own = name === 'mcp' ? all.mcp : name.startsWith('openai') ? all.openai : all.anthropic;
  const [plain] = registryOf().schemas(name);
  expect(registryOf(all).schemas(name)).toEqual([{ ...plain, ...own }]);
});

test.each([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['openai-responses', 'openai'],
] as const)('%s: a tool is strict, or not, whatever the others are', (name, provider) => {
  const strictOf = (strict: boolean | undefined, one: typeof name | `${typeof name}-strict`) => {
    const tools = registryOf(strict === undefined ? {} : { [provider]: { strict } });
    const [tool] = JSON.parse(JSON.stringify(tools.schemas(one)));
    return name === 'openai' ? tool.function.strict : tool.strict;
  };
  const unset = name === 'anthropic' ? undefined : false;

  expect([true, false, undefined].map((strict) => strictOf(strict, name))).toEqual([
    true,
    unset,
    unset,
  ]);
  expect([true, false, undefined].map((strict) => strictOf(strict, `${name}-strict`))).toEqual([
    true,
    false,
    true,
  ]);
});

test('the schema of a tool that is strict by itself is that of strict mode, and its calls are read by it', async () => {
  const tool = defineTool({
    name: 'list',
    description: 'List.',
    inputSchema: {
      type: 'object',
      properties: { folder: { type: 'string' }, depth: { type: 'integer' } },
      required: ['folder'],
    },
    execute: (values) => values,
    providerOptions: { openai: { strict: true } },
  });
  const tools = new ToolRegistry({ hints: 'off' }).register(tool);
  const [shown] = tools.schemas('openai');
  const call = {
    id: '1',
    name: 'list',
    arguments: '{"folder":"a","depth":null}',
    provider: 'openai' as const,
  };

  expect(shown?.function.parameters).toMatchObject({ required: ['folder', 'depth'] });
  expect(await tools.call(call)).toMatchObject({
    status: 'completed',
    result: { folder: 'a' },
    interpretation: { status: 'unchanged' },
  });
});

test('classes and methods take them, and later changes of the object change nothing', () => {
  const icons = [{ src: 'https://example.com/a.svg' }];
  @Tool({ description: 'Now.', providerOptions: { mcp: { icons } } })
  class Now {
    execute(): string {
      return 'noon';
    }
  }
  const tools = new ToolRegistry().register(Now);
  icons.push({ src: 'https://example.com/b.svg' });

  expect(tools.schemas('mcp')[0]?.icons).toEqual([{ src: 'https://example.com/a.svg' }]);
});

test.each([
  [{ claude: {} }, 'has no option "providerOptions.claude"'],
  [{ anthropic: { cacheControl: {} } }, 'write cache_control'],
  [{ anthropic: { cache_control: { type: 'forever' } } }, 'forever'],
  [{ anthropic: { cache_control: { type: 'ephemeral', ttl: '2h' } } }, '2h'],
  [{ anthropic: { defer_loading: 'yes' } }, 'write true or false'],
  [{ anthropic: { allowed_callers: ['programmatic'] } }, 'programmatic'],
  [{ anthropic: { eager_input_streaming: 1 } }, 'write true or false'],
  [{ anthropic: { strict: 'yes' } }, 'write true or false'],
  [{ anthropic: { icons: [] } }, 'has no option "providerOptions.anthropic.icons"'],
  [{ openai: { cache_control: { type: 'ephemeral' } } }, 'providerOptions.openai.cache_control'],
  [{ openai: { eager_input_streaming: true } }, 'providerOptions.openai.eager_input_streaming'],
  [{ mcp: { strict: true } }, 'has no option "providerOptions.mcp.strict"'],
  [{ mcp: { icons: [{ sizes: ['any'] }] } }, 'icons'],
  [{ mcp: { _meta: 'web' } }, 'write an object of JSON values'],
  [{ openai: { allowed_callers: ['me'] } }, 'me'],
  [{ mcp: { icons: [{ src: 'javascript:alert(1)' }] } }, 'javascript'],
])('%j is refused', (providerOptions, words) => {
  expect(() => search(JSON.parse(JSON.stringify(providerOptions)))).toThrow(words);
});

test('a title is a member of the tool in MCP and of its metadata in the AI SDK, and no model reads it', () => {
  const tools = registryOf();
  expect(tools.schemas('mcp')).toMatchObject([{ title: 'Search' }]);
  expect(toAiSdk(tools).tools['search']?.metadata).toMatchObject({ title: 'Search' });
  const others = ['anthropic', 'openai-responses', ...providerNames] as const;
  for (const name of others)
    expect(JSON.stringify(tools.schemas(name))).not.toContain('"title":"Search"');
  expect(() => search({}, { title: 7 })).toThrow('title');
});

test('adapters pass them on; deferred tools are left to the search of Claude or OpenAI', () => {
  const deferred = registryOf(undefined, { deferred: true });

  expect(anthropicMessages(registryOf(all)).tools[0]).toMatchObject({ ...all.anthropic });
  expect(responses(registryOf(all)).tools[0]).toMatchObject({ ...all.openai });
  expect(responses(deferred, { deferLoading: true }).tools[0]).toMatchObject({
    defer_loading: true,
  });
  expect(anthropicMessages(deferred, { deferLoading: true }).tools[0]).toMatchObject({
    defer_loading: true,
  });
  expect(responses(deferred).tools[0]).not.toHaveProperty('defer_loading');
});

test('the AI SDK gets them in its own words', () => {
  const { search: tool } = toAiSdk(
    registryOf({ ...all, anthropic: { ...all.anthropic, strict: true } }),
  ).tools;

  expect(tool).toMatchObject({
    providerOptions: {
      anthropic: {
        cacheControl: { type: 'ephemeral', ttl: '1h' },
        deferLoading: true,
        allowedCallers: ['code_execution_20260120'],
        eagerInputStreaming: true,
      },
      openai: { deferLoading: true, allowedCallers: ['programmatic'] },
    },
    strict: true,
    metadata: { title: 'Search' },
  });
  expect(toAiSdk(registryOf()).tools['search']).not.toHaveProperty('providerOptions');
});

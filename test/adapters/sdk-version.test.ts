import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';

const { peerDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { peerDependencies: Record<string, string> };

beforeEach(() => void vi.resetModules());
afterAll(() => void vi.resetModules());

test.each([
  // AI SDK 4 has no `stepCountIs`, and @langchain/core 0.3.40 no `toJsonSchema`.
  ['toolmend/ai-sdk', 'ai', { ai: { jsonSchema: () => ({}) } }],
  [
    'toolmend/langchain',
    '@langchain/core',
    {
      '@langchain/core/messages': { AIMessage: class {}, ToolMessage: class {} },
      '@langchain/core/tools': { DynamicStructuredTool: class {} },
      '@langchain/core/utils/json_schema': { Validator: class {} },
    },
  ],
])('%s names the versions of %s that work if it is too old', async (entry, peer, modules) => {
  for (const [module, exported] of Object.entries(modules)) {
    vi.doMock(module, () => exported);
    onTestFinished(() => vi.doUnmock(module));
  }
  await expect(import(entry)).rejects.toThrow(
    `toolmend can't be used with the installed version of ${peer}: install ${peer}@"${peerDependencies[peer]}".`,
  );
});

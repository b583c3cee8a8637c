import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contractsOf } from '../../scripts/accuracy/try-faults.ts';
import { runToolmend } from '../cli/run-toolmend.ts';
import { providers } from '../../src/providers/providers.ts';
import { transformTool } from '../../src/providers/transform-tool.ts';
import { providerModels, transformAgain, transformingProviders } from './provider-models.ts';

const file = fileURLToPath(new URL('../cases/mcp-tools.jsonl', import.meta.url));
const real = contractsOf(readFileSync(file, 'utf8'));

/** Losses that a check tells of: some values can't be sent. */
const unsendable = new Set(['open-object', 'any-value']);

it.each(transformingProviders)(
  '%s: 968 real tools are accepted, lose nothing silently, and are the same each time',
  (name) => {
    const { rules } = providers[name];
    const model = providerModels[name];
    const faults = real.flatMap((contract) => {
      const { schema, changes, strict } = transformTool(contract, rules);
      const copy = transformTool(
        { ...contract, inputSchema: structuredClone(contract.inputSchema) },
        rules,
      );
      return [
        ...model(schema, strict),
        ...(JSON.stringify(transformAgain(schema, rules, strict)) === JSON.stringify(schema)
          ? []
          : ['changes again']),
        ...(JSON.stringify(copy.schema) === JSON.stringify(schema)
          ? []
          : ['differs the second time']),
        ...changes
          .filter(({ kind, rule }) => kind === 'lost' && !unsendable.has(rule))
          .map(({ what }) => what),
      ].map((what) => `${contract.name}: ${what}`);
    });
    expect(real).toHaveLength(968);
    expect(faults).toEqual([]);
  },
);

it('toolmend check reads 968 real tools, and finds names that several have', async () => {
  const names = 'openai-strict,anthropic,gemini,ollama';
  const { status, stdout, stderr } = await runToolmend('check', file, '--for', names);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toMatch(/^968 tools\n/);
  expect(stdout).toContain(
    'anthropic: refused [same-name]: create_issue has the name of another tool: give one of them another name',
  );
  expect((await runToolmend('check', file, '--for', 'nobody')).status).toBe(2);
  expect((await runToolmend('check', 'no-such-file', '--for', 'openai')).status).toBe(2);
});

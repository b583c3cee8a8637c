import { readFileSync } from 'node:fs';
import { contractsOf } from '../../scripts/accuracy/try-faults.ts';
import { providers } from '../../src/providers/providers.ts';
import { transformTool } from '../../src/providers/transform-tool.ts';
import { providerModels, transformAgain, transformingProviders } from './provider-models.ts';

const real = contractsOf(readFileSync(new URL('../cases/mcp-tools.jsonl', import.meta.url), 'utf8'));

/** Losses that a check tells of: some values can't be sent. */
const unsendable = new Set(['open-object', 'any-value']);

it.each(transformingProviders)(
  '%s: 968 real tools are accepted, lose nothing silently, and are the same each time',
  (name) => {
    const { rules } = providers[name];
    const model = providerModels[name];
    const wrong = real.flatMap((contract) => {
      const { schema, changes, strict } = transformTool(contract, rules);
      const copy = transformTool({ ...contract, inputSchema: structuredClone(contract.inputSchema) }, rules);
      return [
        ...model(schema, strict),
        ...(JSON.stringify(transformAgain(schema, rules, strict)) === JSON.stringify(schema)
          ? []
          : ['changes again']),
        ...(JSON.stringify(copy.schema) === JSON.stringify(schema) ? [] : ['differs the second time']),
        ...changes
          .filter(({ kind, rule }) => kind === 'lost' && !unsendable.has(rule))
          .map(({ what }) => what),
      ].map((what) => `${contract.name}: ${what}`);
    });
    expect(real).toHaveLength(968);
    expect(wrong).toEqual([]);
  },
);

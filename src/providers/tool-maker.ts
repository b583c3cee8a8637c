import { freezeDeep } from '../json/value.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { Provider, ProviderRules } from './provider-rules.ts';
import { transformTool } from './transform-tool.ts';

/** A contract, and the description that a model reads. */
export interface DescribedTool {
  readonly contract: ToolContract;
  readonly description: string;
}

/** Makes tools in the shape of a provider's requests. */
export interface ToolMaker<Tool extends object> {
  readonly rules: ProviderRules;
  /** Frozen; the same object for the same tool and name. */
  readonly make: (tool: DescribedTool, name: string) => Tool;
}

export function toolMaker<Tool extends object>({ rules, toTool }: Provider<Tool>): ToolMaker<Tool> {
  const kept = new WeakMap<DescribedTool, { readonly name: string; readonly made: Tool }>();
  return {
    rules,
    make(tool, name) {
      const known = kept.get(tool);
      if (known?.name === name) return known.made;
      const { contract, description } = tool;
      const { schema, strict, words } = transformTool(contract, rules);
      const lines = [description, ...words.filter((said) => !description.includes(said))];
      const whole = lines.filter((line) => line !== '').join('\n');
      const made = freezeDeep(toTool({ name, description: whole, schema, strict, contract }));
      kept.set(tool, { name, made });
      return made;
    },
  };
}

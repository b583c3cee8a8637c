// What is a dialect? The rules of a provider, and the shape in which it takes a tool that keeps to them.
import type { ToolContract } from '../contract/tool-contract.ts';
import { freezeDeep } from '../json/freeze-deep.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import type { DialectRules } from './dialect-rules.ts';
import { lowerContract } from './lowering/lower-contract.ts';
import type { DescribedTool } from './shown-tool.ts';

/** A tool that is ready to be written in a provider's shape. */
interface ToolForm {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  readonly contract: ToolContract;
}

export interface DialectForm<Form extends object> {
  readonly rules: DialectRules;
  /** Frozen to the bottom; the same object for the same tool and name every time. */
  show(tool: DescribedTool, name: string): Form;
}

/** `shape`: pure; the schema in it is the one that was handed over, or a copy. */
export function dialectForm<Form extends object>(
  rules: DialectRules,
  shape: (tool: ToolForm) => Form,
): DialectForm<Form> {
  const kept = new WeakMap<DescribedTool, { readonly name: string; readonly form: Form }>();
  return {
    rules,
    show(tool, name) {
      const { contract, description } = tool;
      const known = kept.get(tool);
      if (known?.name === name) return known.form;
      const { schema, words } = lowerContract(contract, rules);
      const lines = [description, ...words.filter((said) => !description.includes(said))];
      const whole = lines.filter((line) => line !== '').join('\n');
      const form = freezeDeep(shape({ name, description: whole, schema, contract }));
      kept.set(tool, { name, form });
      return form;
    },
  };
}

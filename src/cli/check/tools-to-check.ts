// Which tools are to be checked, wherever they are described? Contracts, and what is wrong with entries that are no tools.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { contractFromSchema } from '../../contract/contract-from-schema.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { readTool } from '../records/read-tool.ts';

export interface ToolsToCheck {
  readonly contracts: readonly ToolContract[];
  /** What is wrong with entries that are no tools, as sentences. */
  readonly broken: readonly string[];
}

/** Why there is nothing to check; the rest of a sentence. */
export interface NothingToCheck {
  readonly refused: string;
}

export function toolsInJson(entries: readonly JsonValue[]): ToolsToCheck {
  const broken: string[] = [];
  const contracts = entries.flatMap((entry, index) => {
    const tool = isJsonObject(entry) ? readTool(entry) : undefined;
    if (tool === undefined) {
      broken.push(`entry ${index + 1} is no tool: it has no schema.`);
      return [];
    }
    try {
      return [
        contractFromSchema({ name: tool.name ?? '', inputSchema: tool.schema, onUnusableSchema: 'warn' }),
      ];
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      broken.push(error.message);
      return [];
    }
  });
  return { contracts, broken };
}

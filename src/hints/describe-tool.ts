// What does a model read as a tool's description? The author's words, then what the contract means beyond its schema.
import type { ToolContract } from '../contract/tool-contract.ts';
import { contractHints } from './contract-hints.ts';

/** The description, and on lines of their own the author's hints and the contract's. The same bytes every time. */
export const describeTool = (contract: ToolContract): string =>
  [contract.description.trim(), ...contract.hints, ...contractHints(contract.inputSchema)]
    .filter((line) => line !== '')
    .join('\n');

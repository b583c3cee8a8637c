// What does a model read as a tool's description? The author's words, then in one paragraph what the contract means.
import type { ToolContract } from '../contract/tool-contract.ts';
import { contractHints, type HintOptions } from './contract-hints.ts';

/**
 * The description, the author's hints on lines of their own, and in the last line the contract's. The same bytes every
 * time.
 */
export const describeTool = (contract: ToolContract, options: HintOptions = {}): string =>
  [contract.description.trim(), ...contract.hints, contractHints(contract.inputSchema, options).join(' ')]
    .filter((line) => line !== '')
    .join('\n');

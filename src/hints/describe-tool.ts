// What does a model read as a tool's description? The author's words, then in one paragraph what the contract means.
import { judgedFormOf } from '../contract/judged-schema/judged-schema.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import { contractHints, type HintOptions } from './contract-hints.ts';
import type { KnownPlace } from './hinted-places.ts';

/**
 * The description, the author's hints on lines of their own, and in the last line the contract's. The same bytes every
 * time. `known`: how the model knows the places of the arguments; default: as they are.
 */
export const describeTool = (
  contract: ToolContract,
  options: HintOptions = {},
  known?: KnownPlace,
): string => {
  // What nobody can judge by means nothing for certain.
  const isUsable = judgedFormOf(contract).flaws.length === 0;
  const own = isUsable ? contractHints(contract.inputSchema, options, known).join(' ') : '';
  return [contract.description.trim(), ...contract.hints, own].filter((line) => line !== '').join('\n');
};

// What does a registry say of every tool? Meta arguments and a judge, by a copy of the contract.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { continuationArgument } from '../../execute/results/kept-results.ts';
import type { RegistrySetting } from '../registry-setting.ts';
import { withJudge } from './with-judge.ts';
import { withMeta } from './with-meta.ts';

/** The same contract if there is nothing to add; what the tool says itself stands. */
export const withSetting = (
  contract: ToolContract,
  { meta, judge, resultLimit }: Pick<RegistrySetting, 'meta' | 'judge' | 'resultLimit'>,
): ToolContract => {
  const isCut = (contract.execution?.resultLimit ?? resultLimit) !== undefined;
  return withJudge(withMeta(contract, isCut ? [...meta, continuationArgument] : meta), judge);
};

// What does a registry say of every tool? Meta arguments and a judge, by a copy of the contract.
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { RegistrySetting } from '../registry-setting.ts';
import { withJudge } from './with-judge.ts';
import { withMeta } from './with-meta.ts';

/** The same contract if there is nothing to add; what the tool says itself stands. */
export const withSetting = (
  contract: ToolContract,
  { meta, judge }: Pick<RegistrySetting, 'meta' | 'judge'>,
): ToolContract => withJudge(withMeta(contract, meta), judge);

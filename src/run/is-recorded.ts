import type { ToolContract } from '../tool/tool-contract.ts';
import type { CallSettings, CallAttempt } from './running-call.ts';

/** Whether every call of a tool is written into the store before it runs. */
export const isRecorded = ({ execution }: ToolContract, { recording }: CallSettings): boolean =>
  recording === 'every_call' || execution?.limits !== undefined;

/**
 * Whether calls of a tool may be in the store: then steps have to look after their entries. Calls
 * that have waited for an approval or an answer are in it.
 */
export const mayBeRecorded = (
  contract: ToolContract,
  settings: CallSettings,
  attempt: CallAttempt,
): boolean =>
  attempt === 'again' || isRecorded(contract, settings) || settings.approval !== undefined;

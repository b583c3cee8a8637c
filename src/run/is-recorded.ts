import type { ToolContract } from '../tool/tool-contract.ts';
import type { CallSettings, CallStart } from './running-call.ts';

/** Whether every call of a tool is written into the store before it runs. */
export const isRecorded = ({ execution }: ToolContract, { recording }: CallSettings): boolean =>
  recording === 'every_call' || execution?.limits !== undefined;

/**
 * Whether calls of a tool may be in the store: then steps have to look after their entries. Those
 * that have waited for an approval or an answer are.
 */
export const mayBeRecorded = (
  contract: ToolContract,
  settings: CallSettings,
  start: CallStart,
): boolean =>
  start === 'again' || isRecorded(contract, settings) || settings.approval !== undefined;

// What is kept of an interpreted call, so that it can be stored and driven again?
import type { RepairRecord } from '../../repair/repair-record.ts';
import type { MetaValues, Note } from '../interpretation.ts';

export const recordFormat = 'toolmend.call';
export const recordVersion = 1;

/**
 * An accepted call as it was interpreted; a plain JSON value. It holds everything that the tool gets, in full: arguments
 * that are secrets stand in `arguments`, and in `repairs` where they were repaired. Keep it where the arguments
 * themselves may be kept.
 */
export interface CallRecord {
  readonly format: typeof recordFormat;
  readonly version: typeof recordVersion;
  /** The call's id, as the provider gave it. */
  readonly id: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The name that the model wrote, where it is another. */
  readonly requested?: string;
  readonly model?: string;
  readonly finishReason?: string;
  /** JSON text of the arguments as interpreted, without meta arguments; its numbers have all their digits. */
  readonly arguments: string;
  /** Meta arguments by name: `{ rationale: '…' }`. */
  readonly meta: MetaValues;
  /** What was done to the call as it was sent. */
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
}

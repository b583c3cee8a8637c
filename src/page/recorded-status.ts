import type { CallStatus } from './page-data.ts';

const statuses: ReadonlyMap<string, CallStatus> = new Map([
  ['unchanged', 'valid'],
  ['valid', 'valid'],
  // The tool came without a schema: nothing is known to be wrong.
  ['unchecked', 'valid'],
  ['repaired', 'repaired'],
  ['recovered', 'repaired'],
  ['rejected', 'rejected'],
  ['unknown_tool', 'rejected'],
  ['left_in_text', 'rejected'],
  ['server_error', 'rejected'],
  ['failed', 'failed'],
]);

/** The status that the gateway or a log gave to a call, as the page has it. */
export const statusOfRecord = (status: string): CallStatus | undefined => statuses.get(status);

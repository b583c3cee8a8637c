export { repairToolCalls } from './repair-tool-calls.ts';
export type { RepairToolCallsOptions } from '../repair-by-schema.ts';

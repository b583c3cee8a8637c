// How does a registry judge by another library than Ajv? By a copy of each tool's contract.
import type { SchemaJudge } from '../../contract/schema-judge.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';

/** The same contract if there is nothing to say; the tool's own judge stands. */
export const withJudge = (contract: ToolContract, judge: SchemaJudge | undefined): ToolContract =>
  judge === undefined || contract.judge !== undefined ? contract : Object.freeze({ ...contract, judge });

// Can anybody judge by the schemas that somebody wrote? Asked when a tool is registered, not when it is called.
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { Complaint } from '../../errors/definition-error.ts';
import { outputOf } from '../../execute/results/check-output.ts';
import { judgeOf } from '../../validate/judge-of.ts';
import { collectComplaints } from './collect-complaints.ts';

/** What stands against them. A class's input schema is made by us. */
export function compileSchemas(contract: ToolContract): readonly Complaint[] {
  const complaints: Complaint[] = [];
  if (['function', 'wire'].includes(contract.binding.kind))
    collectComplaints(() => judgeOf(contract), complaints);
  collectComplaints(() => outputOf(contract), complaints);
  return complaints;
}

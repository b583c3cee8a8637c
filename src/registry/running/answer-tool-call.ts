// What becomes of a call to one of these tools? It is answered within the limits of its run.
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import { answerCall } from '../answer-call.ts';
import type { InterpretedCall } from '../interpret-call.ts';
import type { CallOptions, CallSetting } from './call-options.ts';
import { limitedCall } from './limited-call.ts';

/** Never rejects for what a model or a tool did. */
export function answerToolCall(
  tools: ReadonlyMap<string, ToolContract>,
  interpreted: InterpretedCall,
  options: CallOptions,
  setting: CallSetting,
): Promise<ToolOutcome> {
  const answer = (): Promise<ToolOutcome> => answerCall(interpreted, options, setting);
  if (interpreted.outcome === 'unknown-tool') return answer();
  const contract = tools.get(interpreted.tool);
  return contract === undefined ? answer() : limitedCall({ contract, interpreted, options }, setting, answer);
}

// Every call is made, and its answer goes back to the model.
import { type ToolMessage, type ToolOutcome, toolMessage } from '../execute/tool-outcome.ts';
import { CallMemory } from '../interpret/call-memory.ts';
import type { CallOptions } from '../registry/call-options.ts';
import type { ToolSet } from '../registry/tool-set.ts';
import type { ScriptedModel } from './scripted-model.ts';

/** A registry, or a selection of its tools. */
export type ScriptedTools = Pick<ToolSet, 'call'>;

/**
 * Plays until the script is over or an answer has no calls, and returns the outcomes in the order of the calls. With a
 * memory of its own, unless the options bring one.
 */
export async function playScript(
  model: ScriptedModel,
  tools: ScriptedTools,
  options: CallOptions = {},
): Promise<readonly ToolOutcome[]> {
  const memory = options.memory ?? new CallMemory();
  const outcomes: ToolOutcome[] = [];
  let results: readonly ToolMessage[] = [];
  while (!model.isOver) {
    const { calls } = model.answer(results);
    if (calls.length === 0) break;
    const made = await Promise.all(calls.map((call) => tools.call(call, { ...options, memory })));
    outcomes.push(...made);
    results = made.map(toolMessage);
  }
  return outcomes;
}

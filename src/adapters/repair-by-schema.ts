import { type OptionKinds, boolean, callback, oneOf, record } from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { type ToolOutcome, rejectedCall } from '../execute/tool-outcome.ts';
import { interpretArguments } from '../interpret/interpret-arguments.ts';
import { type Interpretation, argumentsText } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { type JsonObject, memoize, ownValue } from '../json/value.ts';
import { notify } from '../telemetry/tool-event.ts';
import type { Effects } from '../tool/tool-contract.ts';

/** The options of `repairToolCalls`. */
export interface RepairToolCallsOptions {
  /** By the name of the tool. Calls of destructive tools only get repairs that lose nothing. */
  readonly effects?: { readonly [tool: string]: Effects };
  /**
   * Repairs JSON without its closing brackets. The SDK doesn't run calls of an answer that was cut off, but it asks people for
   * approval before it knows. So set it if calls don't need an approval. Default: false.
   */
  readonly repairMissingEnd?: boolean;
  /** Called with each interpretation: its repairs, issues and message. What the function throws or rejects with is ignored. */
  readonly onInterpretation?: (interpretation: Interpretation, call: ToolCall) => unknown;
}

export const repairToolCallsKinds: OptionKinds<RepairToolCallsOptions> = {
  effects: record(oneOf('read', 'write', 'destructive')),
  repairMissingEnd: boolean,
  onInterpretation: callback('write a function that takes an interpretation and its call'),
};

/** `unusable`: there is no schema of an object to repair the call by. */
export type SchemaRepair =
  | { readonly kind: 'unchanged' | 'unusable' }
  | { readonly kind: 'repaired'; readonly value: JsonObject; readonly text: string }
  | { readonly kind: 'refused'; readonly outcome: ToolOutcome };

/** Repairs a call of a tool that is not in a registry, by its JSON Schema. `tool`: the tool's name. */
export function repairBySchema(
  schema: object | undefined,
  { tool, call }: { readonly tool: string; readonly call: ToolCall },
  { effects: known = {}, onInterpretation }: RepairToolCallsOptions,
): SchemaRepair {
  const interpretation = schema && interpreted(schema, call, { name: tool, effects: ownValue(known, tool) });
  if (interpretation === undefined) return { kind: 'unusable' };
  notify(() => onInterpretation?.(interpretation, call));
  if (interpretation.status === 'rejected')
    return { kind: 'refused', outcome: rejectedCall({ call, tool, interpretation, failures: 1 }) };
  return interpretation.status === 'unchanged'
    ? { kind: 'unchanged' }
    : { kind: 'repaired', value: interpretation.value, text: argumentsText(interpretation) };
}

interface NamedTool {
  readonly name: string;
  readonly effects: Effects | undefined;
}

/** Undefined if the schema isn't that of an object, or can't be read. */
function interpreted(
  schema: object,
  { arguments: value, finishReason }: ToolCall,
  { name, effects }: NamedTool,
): Interpretation | undefined {
  try {
    return interpretArguments(schema, typeof value === 'string' ? { text: value } : { value }, {
      output: 'json',
      tool: effects === undefined ? name : toolWith(schema, { name, effects }),
      ...(finishReason === undefined ? {} : { finishReason }),
    });
  } catch (error) {
    if (error instanceof DefinitionError) return undefined;
    throw error;
  }
}

const toolsOf = memoize((_schema: object) => new Map<string, { name: string; effects: Effects }>());

/** The same object each time, because contracts are kept by it. */
function toolWith(schema: object, tool: { name: string; effects: Effects }) {
  const tools = toolsOf(schema);
  const key = `${tool.effects} ${tool.name}`;
  const kept = tools.get(key) ?? tool;
  tools.set(key, kept);
  return kept;
}

import { type OptionKinds, boolean, callback, oneOf, record } from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { type ToolOutcome, rejectedCall } from '../execute/tool-outcome.ts';
import { type JsonInterpretation, interpretAsJson } from '../interpret/bare-schema.ts';
import { type Interpretation, argumentsText } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { memoize, ownValue, setNewest } from '../json/value.ts';
import { findTool } from '../registry/interpret-call.ts';
import { notify } from '../telemetry/tool-event.ts';
import { memberOf } from '../schema/not-a-schema.ts';
import type { Effects } from '../tool/tool-contract.ts';
import { createAjvValidator } from '../validate/ajv-validator.ts';

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
  | { readonly kind: 'unusable' }
  | { readonly kind: 'unchanged' | 'repaired'; readonly text: string }
  | { readonly kind: 'refused'; readonly outcome: ToolOutcome };

interface ForeignCall {
  /** The tool's name. */
  readonly tool: string;
  readonly call: ToolCall;
}

/** Repairs a call of a tool that is not in a registry, by its JSON Schema or its library's schema, for which it waits. */
export async function repairBySchema(
  schema: object | undefined,
  foreign: ForeignCall,
  options: RepairToolCallsOptions,
): Promise<SchemaRepair> {
  const interpretation = await interpreted(schema, foreign, options)?.validated;
  return repairOf(interpretation, foreign, options);
}

function repairOf(
  interpretation: Interpretation | undefined,
  { tool, call }: ForeignCall,
  { onInterpretation }: RepairToolCallsOptions,
): SchemaRepair {
  if (interpretation === undefined) return { kind: 'unusable' };
  notify(() => onInterpretation?.(interpretation, call));
  if (interpretation.status === 'rejected')
    return { kind: 'refused', outcome: rejectedCall({ call, tool, interpretation, failures: 1 }) };
  return { kind: interpretation.status, text: argumentsText(interpretation) };
}

/** Undefined if the schema isn't that of an object, or can't be read. */
function interpreted(
  schema: object | undefined,
  { tool: name, call: { arguments: value, finishReason } }: ForeignCall,
  { effects: known = {} }: RepairToolCallsOptions,
): JsonInterpretation | undefined {
  if (schema === undefined) return undefined;
  const effects = ownValue(known, name);
  const options = {
    output: 'json',
    tool: effects === undefined ? name : toolWith(schema, { name, effects }),
    ...(finishReason === undefined ? {} : { finishReason }),
  } as const;
  try {
    return interpretAsJson(
      schema,
      typeof value === 'string' ? { text: value } : { value },
      options,
      settings,
    );
  } catch (error) {
    if (error instanceof DefinitionError) return undefined;
    throw error;
  }
}

const settings = { validator: createAjvValidator, mappingOf: () => undefined };

const toolsOf = memoize((_schema: object) => new Map<string, { name: string; effects: Effects }>());

/** The same object each time, because contracts are kept by it. */
function toolWith(schema: object, tool: { name: string; effects: Effects }) {
  const tools = toolsOf(schema);
  const key = `${tool.effects} ${tool.name}`;
  const kept = tools.get(key) ?? tool;
  tools.set(key, kept);
  return kept;
}

/** A call whose name and arguments are those of a tool. */
export interface RepairedCall {
  readonly name: string;
  /** JSON text of an object, without the defaults of absent properties. */
  readonly text: string;
}

/**
 * A call repaired by the schemas that the model was shown; undefined if it is valid, or can't be repaired, or names no tool. What
 * runs the call answers those.
 */
export async function repairByShownSchemas(
  schemas: ReadonlyMap<string, object>,
  call: ToolCall,
  options: RepairToolCallsOptions,
): Promise<RepairedCall | undefined> {
  const found = findTool(schemas, call.name);
  if (found.kind === 'unknown') return undefined;
  const { name: tool } = found;
  return repairedCall(await repairBySchema(sameSchema(found.tool), { tool, call }, options), tool, call);
}

/** As `repairByShownSchemas`, for schemas that are made once, without the parts that validate asynchronously. */
export function repairBySchemasNow(
  schemas: ReadonlyMap<string, object>,
  call: ToolCall,
  options: RepairToolCallsOptions,
): RepairedCall | undefined {
  const found = findTool(schemas, call.name);
  if (found.kind === 'unknown') return undefined;
  const { name: tool } = found;
  return repairedCall(
    repairOf(interpreted(found.tool, { tool, call }, options)?.now, { tool, call }, options),
    tool,
    call,
  );
}

function repairedCall(repair: SchemaRepair, tool: string, call: ToolCall): RepairedCall | undefined {
  if (repair.kind === 'unusable' || repair.kind === 'refused') return undefined;
  return repair.kind === 'unchanged' && tool === call.name ? undefined : { name: tool, text: repair.text };
}

/** Schemas that are kept by their text. The oldest is dropped first. */
const maxSchemas = 200;
const keptSchemas = new Map<string, object>();
/** By the function that validates, for the JSON Schemas of zod, which have their zod schema with them. */
const keptOf = memoize((_validate: object) => new Map<string, object>());

/** The same object for the same schema: SDKs make a new one for each request, and contracts are kept by it. */
function sameSchema(schema: object): object {
  const validate = memberOf(memberOf(schema, '~standard'), 'validate');
  const kept = typeof validate === 'function' ? keptOf(validate) : keptSchemas;
  const text = JSON.stringify(schema);
  const same = kept.get(text) ?? schema;
  setNewest(kept, [text, same], maxSchemas);
  return same;
}

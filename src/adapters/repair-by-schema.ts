import {
  type OptionKinds,
  anyObject,
  boolean,
  callback,
  kindWithHint,
  object,
  oneOfWords,
  record,
  required,
  string,
} from '../options/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { type ToolOutcome, rejectedCall, toolMessage } from '../outcomes/tool-outcome.ts';
import {
  type JsonInterpretation,
  contractOfSchema,
  interpretAsJson,
} from '../interpret/bare-schema.ts';
import { type Interpretation, argumentsText } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { plainJson } from '../json/parse.ts';
import { memoize } from '../collections/memoize.ts';
import { setNewest } from '../collections/bounded-map.ts';
import { defined, memberOf, ownValue } from '../collections/objects.ts';
import { type JsonType, type JsonValue } from '../json/value.ts';
import {
  type FindInnerTool,
  findTool,
  innerToolIn,
  interpretDispatched,
} from '../registry/interpret-call.ts';
import { notify } from '../telemetry/tool-event.ts';
import { isSchemaObject } from '../schema/json-schema.ts';
import { SchemaViews } from '../schema/schema-view.ts';
import type { Effects, ToolContract } from '../tool/tool-contract.ts';

/** The options of `repairToolCalls`. */
export interface RepairToolCallsOptions {
  /** By the name of the tool. Calls of destructive tools only get repairs that lose nothing. */
  readonly effects?: { readonly [tool: string]: Effects };
  /**
   * By the name of the tool: tools that call other tools by name, such as those of MCP gateways. The
   * arguments for the inner tool are repaired and validated by its own schema.
   */
  readonly dispatches?: { readonly [tool: string]: ForeignDispatch };
  /**
   * Repairs JSON without its closing brackets. The SDK doesn't run calls of an answer that was cut
   * off, but asks people for approval before it knows whether the answer was cut off. Set this
   * option if calls don't need an approval. Default: false.
   */
  readonly repairMissingEnd?: boolean;
  /**
   * Called with each interpretation: its repairs, issues and message. What the function throws or
   * rejects with is ignored.
   */
  readonly onInterpretation?: (interpretation: Interpretation, call: ToolCall) => unknown;
}

/** Where the arguments of a tool have the call of another tool. */
export interface ForeignDispatch {
  /** The argument with the name of the inner tool. */
  readonly name: string;
  /** The argument with its arguments, an object. */
  readonly arguments: string;
  /**
   * The schemas of all inner tools, by name. Default: the other tools that the model was shown; the
   * arguments of inner tools that are not among them are not judged.
   */
  readonly tools?: { readonly [tool: string]: object };
}

const dispatchKinds: OptionKinds<ForeignDispatch> = {
  name: required(kindWithHint(string, 'write the argument that has the name of a tool')),
  arguments: required(kindWithHint(string, 'write the argument that has the arguments for it')),
  tools: record(anyObject('write a schema'), 'write an object of schemas by name'),
};

export const repairToolCallsKinds: OptionKinds<RepairToolCallsOptions> = {
  effects: record(oneOfWords('read', 'write', 'destructive')),
  dispatches: record(object(dispatchKinds, "write { name: 'tool_name', arguments: 'parameters' }")),
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
  /** The schemas of the tools that the model was shown. */
  readonly schemas: ReadonlyMap<string, object>;
}

/**
 * Repairs a call of a tool that is not in a registry, by its JSON Schema or its library's schema,
 * for which it waits.
 */
export async function repairBySchema(
  schema: object | undefined,
  foreign: ForeignCall,
  options: RepairToolCallsOptions,
): Promise<SchemaRepair> {
  const interpretation = await interpretedCall(schema, foreign, options)?.validated;
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
function interpretedCall(
  schema: object | undefined,
  { tool: name, call: { arguments: value, finishReason }, schemas }: ForeignCall,
  repairOptions: RepairToolCallsOptions,
): JsonInterpretation | undefined {
  if (schema === undefined) return undefined;
  const findInner = innerTools(schemas, repairOptions);
  const options = {
    output: 'json',
    tool: toolOption(schema, name, repairOptions),
    ...(finishReason === undefined ? {} : { finishReason }),
  } as const;
  try {
    return interpretAsJson(
      schema,
      typeof value === 'string' ? { text: value } : { value },
      options,
      ({ contract, result, interpretBy }) =>
        interpretDispatched(contract, result, { findInner, interpretBy }).interpretation,
    );
  } catch (error) {
    if (error instanceof DefinitionError) return undefined;
    throw error;
  }
}

interface KnownTool {
  readonly name: string;
  readonly effects?: Effects;
  readonly dispatches?: Pick<ForeignDispatch, 'name' | 'arguments'>;
}

const toolsOf = memoize((_schema: object) => new Map<string, KnownTool>());

/** The same object each time, because contracts are kept by it. */
function toolOption(
  schema: object,
  name: string,
  { effects: effectsByTool = {}, dispatches: dispatchesByTool = {} }: RepairToolCallsOptions,
): string | KnownTool {
  const effects = ownValue(effectsByTool, name);
  const dispatch = ownValue(dispatchesByTool, name);
  if (effects === undefined && dispatch === undefined) return name;
  const dispatches = dispatch && { name: dispatch.name, arguments: dispatch.arguments };
  const tool = { name, ...defined({ effects, dispatches }) };
  const tools = toolsOf(schema);
  const key = JSON.stringify(tool);
  const cachedTool = tools.get(key) ?? tool;
  tools.set(key, cachedTool);
  return cachedTool;
}

/** The tools that a dispatcher calls: those of the option, else the others that were shown. */
const innerTools =
  (schemas: ReadonlyMap<string, object>, options: RepairToolCallsOptions): FindInnerTool =>
  (outer, requestedName) => {
    const contractOf = (name: string, schema: object): ToolContract =>
      contractOfSchema(schema, { tool: toolOption(schema, name, options) });
    const listedTools = ownValue(options.dispatches ?? {}, outer.name)?.tools;
    if (listedTools !== undefined) {
      const entries = Object.entries(listedTools);
      return innerToolIn(
        new Map(entries.map(([name, schema]) => [name, contractOf(name, schema)])),
        requestedName,
      );
    }
    const match = findTool(schemas, requestedName);
    return match.kind === 'unknown' || match.name === outer.name
      ? { kind: 'unlisted' }
      : { kind: 'known', contract: contractOf(match.name, match.tool) };
  };

/**
 * What becomes of a call before its SDK reads it. `as_sent`: it is valid, or its SDK answers it.
 * `repaired`: `text` is JSON of an object, without the defaults of absent properties. `refused`: a
 * call of a known tool that must not run.
 */
export type ShownRepair =
  | { readonly kind: 'as_sent' }
  | { readonly kind: 'repaired'; readonly name: string; readonly text: string }
  | RefusedRepair;

interface RefusedRepair {
  readonly kind: 'refused';
  readonly message: string;
  readonly schema: object;
}

/** A call repaired by the schemas that the model was shown. */
export async function repairByShownSchemas(
  schemas: ReadonlyMap<string, object>,
  call: ToolCall,
  options: RepairToolCallsOptions,
): Promise<ShownRepair> {
  const match = findTool(schemas, call.name);
  if (match.kind === 'unknown') return { kind: 'as_sent' };
  const { name: tool } = match;
  const schema = sameSchema(match.tool);
  const foreign = { tool, call, schemas };
  return shownRepair(await repairBySchema(schema, foreign, options), { ...foreign, schema });
}

/**
 * As `repairByShownSchemas`, for schemas that are made once, without the parts that validate
 * asynchronously.
 */
export function repairBySchemasNow(
  schemas: ReadonlyMap<string, object>,
  call: ToolCall,
  options: RepairToolCallsOptions,
): ShownRepair {
  const match = findTool(schemas, call.name);
  if (match.kind === 'unknown') return { kind: 'as_sent' };
  const { name: tool, tool: schema } = match;
  const foreign = { tool, call, schemas };
  const repair = repairOf(interpretedCall(schema, foreign, options)?.now, foreign, options);
  return shownRepair(repair, { ...foreign, schema });
}

/** A call by another name is unknown to its SDK, which answers it. */
function shownRepair(
  repair: SchemaRepair,
  { tool, call, schema }: ForeignCall & { readonly schema: object },
): ShownRepair {
  if (repair.kind === 'refused' && tool === call.name)
    return { kind: 'refused', message: toolMessage(repair.outcome).text, schema };
  if (repair.kind === 'unusable' || repair.kind === 'refused') return { kind: 'as_sent' };
  return repair.kind === 'unchanged' && tool === call.name
    ? { kind: 'as_sent' }
    : { kind: 'repaired', name: tool, text: repair.text };
}

/** The newest texts of `refusedText`, with what was sent. */
const maxRefused = 1000;
const refusedTexts = new Map<string, string>();

/**
 * The arguments of a refused call and the refusal, with a comma too many: an SDK that would run
 * them with defaults, or without a check, can't parse this text and tells the model so. Mastra
 * takes most texts that it can't parse for no arguments, but removes the comma and validates the
 * rest, which lacks what is required, or has values of wrong types for all that is optional.
 */
export function refusedText(sentArguments: unknown, { message, schema }: RefusedRepair): unknown {
  if (typeof sentArguments !== 'string') return sentArguments;
  const shownSchema = isSchemaObject(schema) ? schema : {};
  const { required: requiredKeys = [], properties = {} } = shownSchema;
  const declaredKeys = new Set([...requiredKeys, ...Object.keys(properties)]);
  const free = (key: string): string => (declaredKeys.has(key) ? free(`_${key}`) : key);
  const views = new SchemaViews(shownSchema);
  const wrong = requiredKeys.length > 0 ? [] : Object.entries(properties);
  const members = [
    ...wrong.map(
      ([key, property]) => [key, JSON.stringify(wrongFor(views.typesOf(property)))] as const,
    ),
    [
      free('refused'),
      plainJson(sentArguments) === undefined ? JSON.stringify(sentArguments) : sentArguments,
    ] as const,
    [free('error'), JSON.stringify(message)] as const,
  ].map(([key, value]) => `${JSON.stringify(key)}: ${value}`);
  const text = `{${members.join(', ')},}`.replaceAll(/"(?:[^"\\]|\\.)*"/g, (literal) =>
    literal.replaceAll(changedByMastra, escapedCharacter),
  );
  setNewest(refusedTexts, [text, sentArguments], maxRefused);
  return text;
}

/** Values that Mastra doesn't convert, as it does strings and null. */
const valuesByType: readonly (readonly [type: JsonType, value: JsonValue])[] = [
  ['object', { refused: true }],
  ['array', []],
  ['boolean', true],
  ['number', 0],
];

/** A value of a type that a schema doesn't allow. */
const wrongFor = (types: ReadonlySet<JsonType>): JsonValue =>
  valuesByType.find(([type]) => !types.has(type))?.[1] ?? null;

/**
 * What Mastra changes in a text that isn't JSON: quotes, the beginnings of tokens, and what looks
 * like a key without quotes, or like a date.
 */
const changedByMastra = /'|<(?=\|)|[{,](?=\s*[a-zA-Z_$][\w$]*\s*[":])|:(?=\s*\d{4}-)/g;
const escapedCharacter = (character: string): string =>
  `\\u00${character.charCodeAt(0).toString(16)}`;

/** The arguments that `refusedText` was given, else the text itself. */
export const sentText = (text: string): string => refusedTexts.get(text) ?? text;

/** Schemas that are kept by their text. The oldest is dropped first. */
const maxSchemas = 200;
const keptSchemas = new Map<string, object>();
/**
 * By the function that validates, for the JSON Schemas of zod, which have their zod schema with
 * them.
 */
const keptOf = memoize((_validate: object) => new Map<string, object>());

/**
 * The same object for the same schema: SDKs make a new one for each request, and contracts are kept
 * by it.
 */
function sameSchema(schema: object): object {
  const validate = memberOf(memberOf(schema, '~standard'), 'validate');
  const cachedSchemas = typeof validate === 'function' ? keptOf(validate) : keptSchemas;
  const text = JSON.stringify(schema);
  const same = cachedSchemas.get(text) ?? schema;
  setNewest(cachedSchemas, [text, same], maxSchemas);
  return same;
}
